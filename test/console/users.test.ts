import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { inChromium, chromiumPath } from '../support/chromium.ts'
import { bodyOf } from '../operations/support/answers.ts'
import { barriers, keepPicture, openConsole, overhang } from './support/open-console.ts'

const hostile = '<img src=x onerror=title=1>'
const reversed = '\u202egnorw'

describe.skipIf(chromiumPath === undefined)(`the accounts of the console, ${inChromium}`, async () => {
  if (chromiumPath === undefined) return
  const { guildhall, signIn } = await openConsole()
  const reader = await signIn('*')

  it('finds an account, foretells its ban, bans it, and takes that back', async () => {
    const { id, email } = await guildhall.register()
    const { page, complaints } = await reader.open('#/users')
    await page.getByLabel('Name, tag, id or address').fill(id)
    // The list takes the filter a moment later, and would be gone back to.
    await expect.poll(() => page.url()).toContain('filter=')
    await page.getByRole('cell', { name: email }).click()
    await page.getByRole('button', { name: 'Ban', exact: true }).click()
    await page.getByLabel(/duration/i).fill('48')
    await page.getByRole('button', { name: 'Show what it would do' }).click()
    await page.getByText(`AccountBanned · account-${id}`).waitFor()
    expect(await bannedUntil(id)).toBeNull()
    await keepPicture(page, 'users-ban-foretold')
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Do it' }).click()
    await page.getByText('It is done.').waitFor()
    expect(await bannedUntil(id)).not.toBeNull()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Show what it would do' }).click()
    await page.getByText(`AccountBanLifted · account-${id}`).waitFor()
    await page.getByRole('button', { name: 'Do it' }).click()
    await page.getByText('It is done.').waitFor()
    expect(await bannedUntil(id)).toBeNull()
    expect(complaints).toEqual([])
  })

  it('has nothing in the way of anybody, on a list and on a page, light and dark', async () => {
    const { id } = await guildhall.register()
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, show } = await reader.open('#/users', { colorScheme })
      for (const view of ['#/users', `#/users/${id}/show`, `#/users/${id}/show/sessions`]) {
        await show(view)
        expect([view, colorScheme, await barriers(page)]).toEqual([view, colorScheme, []])
      }
      await page.close()
    }
  })

  it('is no wider than a phone', async () => {
    const { id } = await guildhall.register()
    const { page, show } = await reader.open('#/users', { width: 360 })
    for (const view of ['#/users', `#/users/${id}/show`, `#/users/${id}/show/sessions`]) {
      await show(view)
      expect([view, await overhang(page)]).toEqual([view, 0])
    }
    await page.close()
  })

  it('fits half a window and letters of twice the size', async () => {
    const { id } = await guildhall.register()
    const half = await reader.open('#/reports', { width: 640 })
    expect(await overhang(half.page)).toBe(0)
    await half.page.close()
    const { page } = await reader.open(`#/users/${id}/show`, { width: 360 })
    const bar_px = () => page.locator('header').evaluate(({ clientHeight }) => clientHeight)
    const usual_px = await bar_px()
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    expect(await overhang(page)).toBe(0)
    // The name stays in one line: the bar lies over the page.
    expect(await bar_px()).toBeLessThan(2 * usual_px)
    await keepPicture(page, 'users-twice-the-size')
  })

  it('shows what strangers wrote as text, whatever they wrote', async () => {
    const { id, token } = await guildhall.register()
    const { page, complaints, show } = await reader.open('#/users', { width: 360 })
    for (const name of [hostile, reversed, 'W'.repeat(32)]) {
      const changed = await guildhall.request('PATCH', '/v1/users/@me', { token, body: { global_name: name } })
      const shown = String(bodyOf(changed)['global_name'])
      await show(`#/users/${id}/show`)
      await page.getByText(shown).first().waitFor()
      expect(await page.title()).not.toBe('1')
      expect(await overhang(page)).toBe(0)
      expect(complaints).toEqual([])
      await show('#/users')
    }
    await page.close()
  })

  it('exports a list so that no spreadsheet calculates what strangers wrote', async () => {
    const { id, token } = await guildhall.register()
    bodyOf(await guildhall.request('PATCH', '/v1/users/@me', { token, body: { global_name: '=1+1' } }))
    const { page } = await reader.open(`#/users?filter=${encodeURIComponent(JSON.stringify({ q: id }))}`)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Export/ }).click()
    const file = await readFile(await (await download).path(), 'utf8')
    expect(file).toContain(id)
    expect(file).toContain(",'=1+1,")
  })

  it('says in words what the API refuses, with the request’s id', async () => {
    const { page } = await reader.open(`#/users/${reader.account.id}/show`)
    await page.getByRole('button', { name: 'Ban', exact: true }).click()
    await page.getByLabel(/duration/i).fill('9999')
    await page.getByRole('button', { name: 'Show what it would do' }).click()
    await page.getByText('Must be 8760 or less').waitFor()
    await page.getByLabel(/duration/i).fill('48')
    await page.getByRole('button', { name: 'Show what it would do' }).click()
    await page.getByText(/403 · ACCESS_DENIED · [0-9a-f-]{36}/).waitFor()
  })

  it('keeps what was typed when the sign-in has ended', async () => {
    const other = await signIn('user:lookup', 'user:temp_ban')
    const { id } = await guildhall.register()
    const { page } = await other.open(`#/users/${id}/show`)
    await page.getByRole('button', { name: 'Ban', exact: true }).click()
    await page.getByLabel(/duration/i).fill('48')
    await page.getByLabel('Reason, for the audit log').fill('Typed before')
    const { token } = reader.account
    bodyOf(await guildhall.request('DELETE', `/v1/admin/users/${other.account.id}/sessions`, { token }))
    const besides = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Show what it would do' }).click()
    await (await besides).close()
    // Closed or never opened: there is a way to another one.
    const again = page.waitForEvent('popup')
    await page.getByRole('dialog', { name: 'The sign-in has ended' }).getByRole('button').click()
    const window = await again
    await window.locator('[name=name]').fill(other.account.email)
    await window.locator('[name=password]').fill(other.account.password)
    await window.locator('button').first().click()
    await page.getByText(`AccountBanned · account-${id}`).waitFor()
  })

  it('stays signed in while the server cannot say so, and tells of what is no answer of the API', async () => {
    const page = await reader.context.newPage()
    await page.route('**/console/session/refresh', (route) => route.fulfill({ status: 503 }), { times: 1 })
    const html = { contentType: 'text/html', body: '<html><h1>Blocked</h1></html>' }
    await page.route('**/v1/admin/users?**', (route) => route.fulfill({ status: 403, ...html }))
    await page.goto(`${guildhall.url}/console/#/users`)
    await page.getByText(/no reason\. \(403\)/).waitFor()
    expect(await page.getByText('<h1>').count()).toBe(0)
    await page.close()
  })

  it('says that the connection is lost, and goes on by itself', async () => {
    const { page } = await reader.open('#/users')
    await reader.context.setOffline(true)
    await page.getByRole('menuitem', { name: 'Audit log' }).click()
    await page.getByText('The server cannot be reached. Trying again.').waitFor()
    await reader.context.setOffline(false)
    await page
      .getByRole('link', { name: /^[a-z]+_[a-z_]+$/ })
      .first()
      .waitFor()
    await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' })
    await page.close()
  })

  it('shows nothing any more once somebody has signed out, here and in other tabs', async () => {
    const leaving = await signIn('user:lookup')
    const [{ page }, other] = [await leaving.open('#/users'), await leaving.open('#/users')]
    await page.getByRole('button', { name: 'User' }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.locator('[name=password]').waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/sign-in')
    await other.page.reload()
    await other.page.locator('[name=password]').waitFor()
    expect(await sessionsOf(leaving.account.id)).toBe(1)
  })

  it('shows nothing to whom an ACL is missing', async () => {
    const other = await signIn('user:lookup')
    const { id } = await guildhall.register()
    const { page } = await other.open(`#/users/${id}/show`)
    await page.getByText(id).first().waitFor()
    expect(await page.getByRole('button', { name: 'Ban', exact: true }).count()).toBe(0)
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Account', 'Purchases'])
    await page.goto(`${guildhall.url}/console/#/users/${id}/show/sessions`)
    expect(await page.getByRole('tab', { name: 'Sessions' }).count()).toBe(0)
  })

  /** The session of the test's own token stays. */
  async function sessionsOf(id: string): Promise<number> {
    const { token } = reader.account
    const answer = bodyOf(await guildhall.request('GET', `/v1/admin/users/${id}/sessions`, { token }))
    return (answer['sessions'] as readonly { readonly deleted_at: string | null }[]).filter((each) => !each.deleted_at)
      .length
  }

  async function bannedUntil(id: string): Promise<unknown> {
    const answer = await guildhall.request('GET', `/v1/admin/users/${id}`, { token: reader.account.token })
    const users = bodyOf(answer)['users'] as readonly { readonly temp_banned_until: string | null }[]
    return users[0]?.temp_banned_until
  }
})
