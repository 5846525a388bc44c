import { describe, expect, it } from 'vitest'
import { bodyOf } from '../operations/support/answers.ts'
import { chromiumPath, inChromium } from '../support/chromium.ts'
import { barriers, openConsole, overhang } from './support/open-console.ts'

describe.skipIf(chromiumPath === undefined)(`history and the audit logs in the console, ${inChromium}`, async () => {
  if (chromiumPath === undefined) return
  const { guildhall, signIn } = await openConsole()
  const reader = await signIn('*')
  const { token } = reader.account
  const bob = await guildhall.register()
  const body = { acls: ['user:lookup'] }
  bodyOf(await guildhall.request('PUT', `/v1/admin/users/${bob.id}/acls`, { token, body }))
  const { logs } = bodyOf(await guildhall.request('GET', `/v1/admin/audit-logs?target_id=${bob.id}`, { token }))
  const entry = String((logs as readonly { readonly log_id: string }[])[0]?.log_id)

  it('checks the chain of the audit log', async () => {
    const { page } = await reader.open('#/audit')
    await page.getByRole('button', { name: 'Check the chain' }).click()
    await page.getByText(/entries are as they were recorded/).waitFor()
  })

  it('reveals only when asked, and that is recorded', async () => {
    const revealed = async () => {
      const found = await guildhall.request('GET', '/v1/admin/audit-logs?action=get_personal_history', { token })
      return bodyOf(found)['total']
    }
    const { page } = await reader.open(`#/history/streams/account-${bob.id}`)
    await page.getByRole('heading', { name: 'State' }).waitFor()
    expect(await revealed()).toBe(0)
    await page.getByRole('button', { name: 'Reveal personal values' }).click()
    await page.getByText(bob.email).first().waitFor()
    expect(await revealed()).toBeGreaterThan(0)
  })

  it('walks along what followed from a request by the arrow keys', async () => {
    const { page, complaints } = await reader.open(`#/history/explain/${entry}`)
    const walked = async (key: string, to: string): Promise<void> => {
      await page.keyboard.press(key)
      await page.locator(`.react-flow__node:focus[aria-label^="${to}"]`).waitFor()
      await page.getByRole('heading', { name: new RegExp(`^${to}`) }).waitFor()
    }
    const request = page.getByRole('group', { name: /^Request: / })
    await request.waitFor()
    await request.focus()
    await walked('ArrowRight', 'Command: ')
    await walked('ArrowRight', 'Event: AclsSet')
    await walked('ArrowDown', 'Event: AdminActionRecorded')
    await walked('ArrowRight', 'Read models: ')
    await walked('ArrowLeft', 'Event: AdminActionRecorded')
    await walked('ArrowUp', 'Event: AclsSet')
    await walked('ArrowLeft', 'Command: ')
    await walked('ArrowLeft', 'Request: ')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows events as they are written: those that the filter lets through, and after a pause those of it', async () => {
    const { page, complaints } = await reader.open(
      `#/history?filter=${encodeURIComponent('{"type":["ProfileChanged"]}')}`,
    )
    await page.getByLabel('As they are written').check()
    const live = page.getByRole('region', { name: 'As they are written' })
    await live.getByText('The newest 200 are kept.').waitFor()
    const carol = await guildhall.register()
    const named = async (name: string) =>
      bodyOf(await guildhall.request('PATCH', '/v1/users/@me', { token: carol.token, body: { global_name: name } }))
    await named('Carol')
    const rows = live.getByRole('link', { name: `account-${carol.id}` })
    await expect.poll(() => rows.count()).toBe(1)
    await live.getByRole('button', { name: 'Pause' }).click()
    await live.getByText(/^Paused/).waitFor()
    await named('Carola')
    await live.getByRole('button', { name: 'Go on' }).click()
    await expect.poll(() => rows.count()).toBe(2)
    expect(await live.getByRole('link', { name: 'AccountRegistered' }).count()).toBe(0)
    expect(complaints).toEqual([])
    // A browser holds six connections to a server at most: this one ends.
    await page.close()
  })

  it('has nothing in the way of anybody, and is no wider than a phone', async () => {
    const views = [
      '#/history',
      `#/history/streams/account-${bob.id}`,
      `#/history/subjects/${bob.id}`,
      `#/history/explain/${entry}`,
      `#/history/explain/${entry}?as=list`,
      '#/audit',
      '#/audit/guilds',
    ]
    const [wide, narrow] = [await reader.open('#/history'), await reader.open('#/history', { width: 360 })]
    for (const view of views) {
      await wide.show(view)
      expect([view, await barriers(wide.page)]).toEqual([view, []])
      await narrow.show(view)
      expect([view, await overhang(narrow.page)]).toEqual([view, 0])
    }
    await wide.page.close()
    await narrow.page.close()
  })

  it('names every button of an empty list on a phone', async () => {
    const nobody = encodeURIComponent(JSON.stringify({ q: 'nobody has this name' }))
    const { page } = await reader.open(`#/users?filter=${nobody}`, { width: 360 })
    await page.getByText('These filters find nothing.').waitFor()
    expect(await page.getByRole('button', { name: 'Export' }).isDisabled()).toBe(true)
    expect(await barriers(page)).toEqual([])
  })
})
