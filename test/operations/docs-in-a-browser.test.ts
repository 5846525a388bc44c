import { chromium, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { openServer } from './support/scene.ts'
import { chromiumPath, inChromium } from '../support/chromium.ts'
import { patience_ms } from '../support/pace.ts'

const phone = { viewport: { width: 390, height: 844 } }

describe.skipIf(chromiumPath === undefined)(inChromium, async () => {
  if (chromiumPath === undefined) return
  const guildhall = await openServer()
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  afterAll(() => browser.close())

  async function openTab(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext(options)
    onTestFinished(() => context.close())
    return context.newPage()
  }

  it('the page of the API has its operations before any script runs', async () => {
    const tab = await openTab({ ...phone, javaScriptEnabled: false })
    await tab.goto(`${guildhall.url}/docs`)
    expect(await tab.getByRole('heading', { name: 'How to begin' }).isVisible()).toBe(true)
    expect(await tab.locator('#list li').count()).toBeGreaterThan(100)
  })

  it('swagger-ui takes the place of the list, and complains of nothing', async () => {
    const tab = await openTab()
    const complaints: string[] = []
    tab.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    tab.on('pageerror', ({ message }) => complaints.push(message))
    await tab.goto(`${guildhall.url}/docs`)
    await tab.locator('.opblock').first().waitFor({ timeout: 100_000 })
    await tab.locator('#list').waitFor({ state: 'detached', timeout: patience_ms })
    expect(complaints).toEqual([])
  })

  it.each(['/docs', '/docs/gateway', '/', '/register', '/nothing'])(
    'no page is wider than a phone: %s',
    async (path) => {
      const tab = await openTab({ ...phone, javaScriptEnabled: false })
      await tab.goto(guildhall.url + path)
      // Given as text: the browser's own types are none of this project.
      const widths = await tab.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]')
      expect(widths).toEqual([390, 390])
    },
  )
})
