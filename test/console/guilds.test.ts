import { describe, expect, it } from 'vitest'
import { bodyOf } from '../operations/support/answers.ts'
import { foundWith } from '../operations/support/scene.ts'
import { chromiumPath, inChromium } from '../support/chromium.ts'
import { barriers, keepPicture, openConsole, overhang } from './support/open-console.ts'

describe.skipIf(chromiumPath === undefined)(`the guilds of the console, ${inChromium}`, async () => {
  if (chromiumPath === undefined) return
  const { guildhall, signIn } = await openConsole()
  const reader = await signIn('*')
  const [ada, brian] = [await guildhall.register(), await guildhall.register()]
  const guild = await foundWith(guildhall, ada, brian)
  const founded = new Date().toISOString()
  const name = await nameNow()

  it('finds a guild, renames it after a dry run, and shows the name before at a moment before', async () => {
    const { page, complaints } = await reader.open('#/guilds')
    await page.getByLabel('Name, id, code or tag').fill(guild.id)
    // The list takes the filter a moment later, and would be gone back to.
    await expect.poll(() => page.url()).toContain('filter=')
    await page.getByRole('cell', { name: guild.id }).click()
    await page.getByRole('button', { name: 'Name and settings' }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Renamed by the instance')
    await page.getByRole('button', { name: 'Show what it would do' }).click()
    await page.getByText(`guild-${guild.id}`).first().waitFor()
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Do it' }).click()
    await page.getByText('It is done.').waitFor()
    await keepPicture(page, 'guilds-renamed')
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page
      .getByRole('heading', { name: 'Renamed by the instance' })
      .or(page.locator('#react-admin-title'))
      .waitFor()
    const before = await reader.open(`#/guilds/${guild.id}/show/moment?at=${founded}`)
    await before.page.getByRole('button', { name: 'Bring back to this moment' }).waitFor()
    await before.page.getByRole('definition').filter({ hasText: name }).waitFor()
    await before.page.getByRole('button', { name: 'Bring back to this moment' }).click()
    await before.page.getByRole('button', { name: 'Show what it would do' }).click()
    await before.page
      .getByText(/Renamed by the instance/)
      .nth(1)
      .waitFor()
    expect(complaints).toEqual([])
  })

  it('bans a member, tells who came by which invite, and is in nobody’s way', async () => {
    const members = `#/guilds/${guild.id}/show/members`
    const { page } = await reader.open(members)
    const row = page.getByRole('row').filter({ has: page.locator(`a[href*="${brian.id}"]`) })
    await row.getByRole('button', { name: 'Ban', exact: true }).click()
    await page.getByRole('button', { name: 'Show what it would do' }).click()
    await page
      .getByText(/MemberBanned|UserBanned|BanAdded/)
      .first()
      .waitFor()
    for (const width of [1280, 360]) {
      const opened = await reader.open(members, { width })
      for (const view of ['members', 'invites', 'channels', 'roles', 'bans', 'moment', 'changes', 'entries']) {
        await opened.show(`#/guilds/${guild.id}/show/${view}`)
        expect([view, await barriers(opened.page)]).toEqual([view, []])
        expect([view, await overhang(opened.page)]).toEqual([view, 0])
      }
      await opened.page.close()
    }
  })

  it('shows a guild to whom may look it up, and no act and no member', async () => {
    const other = await signIn('guild:lookup')
    const { page } = await other.open(`#/guilds/${guild.id}/show`)
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Guild', 'Channels', 'Roles', 'Invites', 'Bans'])
    expect(await page.getByRole('button', { name: 'Delete guild' }).count()).toBe(0)
    const { token } = other.account
    const refused = await guildhall.request('GET', `/v1/admin/guilds/${guild.id}/members`, { token })
    expect(refused).toMatchObject({ status: 403, body: { code: 'MISSING_ACL' } })
    expect(bodyOf(await guildhall.request('GET', `/v1/admin/guilds/${guild.id}`, { token }))['guild']).not.toBeNull()
  })

  async function nameNow(): Promise<string> {
    const { token } = reader.account
    const answer = bodyOf(await guildhall.request('GET', `/v1/admin/guilds/${guild.id}`, { token }))
    return (answer['guild'] as { readonly name: string }).name
  }
})
