import { chromium, type Page } from 'playwright-core'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { found, invite } from '../support/answers.ts'
import { newClient } from '../support/oauth2.ts'
import { openServer } from '../support/scene.ts'
import { chromiumPath, inChromium } from '../../support/chromium.ts'
import { patience_ms } from '../../support/pace.ts'

const newPassword = 'a new password'

describe.skipIf(chromiumPath === undefined)(inChromium, async () => {
  if (chromiumPath === undefined) return
  const guildhall = await openServer()
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  afterAll(() => browser.close())

  /** A tab, and what its browser complained of, such as what the page's policy forbids. */
  async function openTab(
    javaScriptEnabled = true,
  ): Promise<{ readonly tab: Page; readonly complaints: readonly string[] }> {
    const context = await browser.newContext({ javaScriptEnabled, locale: 'de-DE' })
    onTestFinished(() => context.close())
    const tab = await context.newPage()
    const complaints: string[] = []
    tab.on('console', (message) => {
      // The answer to a refused form has a status of 400.
      if (message.type() === 'error' && !message.text().includes('status of 400')) complaints.push(message.text())
    })
    tab.on('pageerror', ({ message }) => complaints.push(message))
    return { tab, complaints }
  }

  async function resetLink(): Promise<{ readonly link: string; readonly email: string }> {
    const { email } = await guildhall.register()
    await guildhall.request('POST', '/v1/auth/forgot', { body: { email } })
    const { text } = await vi.waitFor(() => guildhall.mailTo(email), { timeout: patience_ms })
    const link = /https?:\/\/\S+#token=\S+/.exec(text)?.[0]
    return { link: link ?? 'no link', email }
  }

  const canSignIn = async (email: string) =>
    (await guildhall.request('POST', '/v1/auth/login', { body: { email, password: newPassword } })).status === 200

  it('a mailed link asks for a new password alone, and leaves the address bar', async () => {
    const { link, email } = await resetLink()
    const { tab, complaints } = await openTab()
    await tab.goto(link)
    await expect.poll(() => tab.url()).toBe(`${guildhall.url}/reset`)
    expect(await tab.locator('[name=token]').isVisible()).toBe(false)
    await tab.locator('[name=password]').fill(newPassword)
    await tab.locator('button').click()
    await tab.getByText('Dein Passwort ist geändert').waitFor()
    expect(await canSignIn(email)).toBe(true)
    expect(complaints).toEqual([])
  })

  it('a mailed link works without scripts, for whoever pastes it', async () => {
    const { link, email } = await resetLink()
    const { tab } = await openTab(false)
    await tab.goto(link)
    await tab.locator('[name=token]').fill(link)
    await tab.locator('[name=password]').fill(newPassword)
    await tab.locator('button').click()
    await tab.getByText('Dein Passwort ist geändert').waitFor()
    expect(await canSignIn(email)).toBe(true)
  })

  it('an invite whose names are markup runs nothing, and is accepted', async () => {
    const [ada, brian] = await Promise.all([guildhall.register(), guildhall.register()])
    const home = await found(guildhall, ada, '<img src=x onerror="document.title=1">')
    const { tab, complaints } = await openTab()
    await tab.goto(`${guildhall.url}/invite/${await invite(guildhall, ada, home.channel)}`)
    expect(await tab.locator('h1').textContent()).toContain('<img src=x')
    expect(await tab.locator('img').count()).toBe(0)
    await tab.locator('[name=name]').fill(brian.email)
    await tab.locator('[name=password]').fill(brian.password)
    await tab.locator('button').click()
    await tab.getByText('Du bist jetzt Mitglied').waitFor()
    expect(complaints).toEqual([])
  })

  it('a consent goes on to the application, and names no address of this server to it', async () => {
    const ada = await guildhall.register()
    const back = 'https://engine.example.org/back'
    const { id } = await newClient(guildhall, ada, { redirect_uris: [back] })
    const { tab } = await openTab()
    await tab.route('https://engine.example.org/**', (route) => route.fulfill({ body: 'The engine' }))
    const arrived = tab.waitForRequest((request) => request.url().startsWith(back))
    const wanted = new URLSearchParams({ client_id: id, redirect_uri: back, scope: 'identify', state: 's' })
    await tab.goto(`${guildhall.url}/v1/oauth2/authorize?${wanted.toString()}`)
    await tab.locator('[name=name]').fill(ada.email)
    await tab.locator('[name=password]').fill(ada.password)
    await tab.locator('button').click()
    await tab.locator('button[value=allow]').click()
    const request = await arrived
    expect(new URL(request.url()).searchParams.get('code')).not.toBeNull()
    expect((await request.allHeaders())['referer']).toBeUndefined()
  })
})
