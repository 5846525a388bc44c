import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import process from 'node:process'
import { chromium, type BrowserContext, type Page, type Request } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import type { AdminAcl } from '../../../domain/admin/acls.ts'
import { administrator } from '../../support/administrators.ts'
import { chromiumPath } from '../../support/chromium.ts'
import { patience_ms } from '../../support/pace.ts'
import {
  startTestGuildhall,
  type TestAccount,
  type TestGuildhall,
  type TestOptions,
} from '../../support/test-guildhall.ts'

/** Somebody's browser, in which the console is signed in. */
export interface Reader {
  readonly account: TestAccount
  readonly context: BrowserContext
  /** A tab of the console at an address of it, from `#` on. */
  readonly open: (view: string, options?: TabOptions) => Promise<Tab>
}

export interface TabOptions {
  /** In CSS pixels. */
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
}

export interface Tab {
  readonly page: Page
  /** Goes to another view, as a link in the page does: nothing is loaded anew. */
  readonly show: (view: string) => Promise<void>
  /** What the browser complained of, such as what the policy of the page forbids. */
  readonly complaints: readonly string[]
}

export interface OpenConsole {
  readonly guildhall: TestGuildhall
  /** A browser of a new administrator with these ACLs, beside admin:authenticate. */
  readonly signIn: (...acls: readonly AdminAcl[]) => Promise<Reader>
}

/** Ends once the page has drawn what it knows, twice: the first time it may have asked for more. */
const idle = `new Promise((resolve) => requestIdleCallback(() => requestAnimationFrame(() => requestIdleCallback(resolve))))`

const screenshots = 'dist/console-screenshots'
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** An instance that serves the console, for the top of a `describe`. */
export async function openConsole(options: TestOptions = {}): Promise<OpenConsole> {
  execFileSync(process.execPath, ['console/build.mjs'], { stdio: 'inherit' })
  const guildhall = await startTestGuildhall(options)
  const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] })
  afterAll(async () => {
    await browser.close()
    await guildhall.close()
  })
  return {
    guildhall,
    signIn: async (...acls) => {
      const account = await administrator(guildhall, 'admin:authenticate', ...acls)
      const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
      context.setDefaultTimeout(patience_ms)
      const first = await context.newPage()
      await first.goto(`${guildhall.url}/console/`)
      await first.locator('[name=name]').fill(account.email)
      await first.locator('[name=password]').fill(account.password)
      await first.locator('button').first().click()
      await first.locator('#main-content').waitFor()
      await first.close()
      return { account, context, open: (view, options) => openTab(context, `${guildhall.url}/console/`, view, options) }
    },
  }
}

async function openTab(
  context: BrowserContext,
  address: string,
  view: string,
  { width = 1280, colorScheme = 'light' }: TabOptions = {},
): Promise<Tab> {
  const page = await context.newPage()
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme })
  const complaints: string[] = []
  page.on('console', (message) => {
    // What is refused is told in the page.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', ({ message }) => complaints.push(message))
  const waiting = new Set<Request>()
  page.on('request', (request) => waiting.add(request))
  const end = (request: Request) => void waiting.delete(request)
  page.on('requestfinished', end).on('requestfailed', end)
  const show = async (shown: string) => {
    await page.goto(`${address}${shown}`)
    await page.locator('#main-content').waitFor()
    await expect
      .poll(async () => {
        await page.evaluate(idle)
        return waiting.size
      })
      .toBe(0)
  }
  await show(view)
  return { page, complaints, show }
}

/** What axe finds wrong with a page by WCAG 2.2 AA: each rule with the elements that break it. */
export async function barriers(page: Page): Promise<readonly string[]> {
  // The page's policy lets no script be added to it; this one is not the page's.
  await page.evaluate(axe)
  return page.evaluate<string[]>(`axe
    .run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`)
}

/** How much wider a page is than its window, in CSS pixels. */
export function overhang(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
}

/** Keeps a picture of a page in dist/, for a look. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: `${screenshots}/${name}.png`, fullPage: true })
}
