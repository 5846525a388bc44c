import { describe, expect, it, onTestFinished } from 'vitest'
import { inChromium, chromiumPath } from '../support/chromium.ts'
import { bodyOf } from '../operations/support/answers.ts'
import { barriers, keepPicture, openConsole, overhang } from './support/open-console.ts'

const parts = [
  'status',
  'jobs',
  'settings',
  'limits',
  'registrations',
  'blocklists',
  'network_bans',
  'mails',
  'archives',
  'keys',
]

describe.skipIf(chromiumPath === undefined)(`the instance in the console, ${inChromium}`, async () => {
  if (chromiumPath === undefined) return
  const { guildhall, signIn } = await openConsole()
  const reader = await signIn('*')
  const { token } = reader.account

  it('changes a setting, and sends no other one', async () => {
    const { page, complaints } = await reader.open('#/instance/settings')
    await page.getByRole('button', { name: 'Change settings' }).click()
    await page.locator('input[name="body.app_public.branding.product_name"]').fill('The Commons')
    await page.getByRole('button', { name: 'Show what it would do' }).click()
    const sent = page.waitForRequest((request) => request.method() === 'PATCH' && !request.url().includes('dry_run'))
    await page.getByRole('button', { name: 'Do it' }).click()
    expect((await sent).postDataJSON()).toEqual({ app_public: { branding: { product_name: 'The Commons' } } })
    await page.getByText('It is done.').waitFor()
    expect(complaints).toEqual([])
  })

  it('changes one limit, and makes no value of the server the operator’s', async () => {
    const { page } = await reader.open('#/instance/limits')
    await page.getByRole('button', { name: 'Change rules' }).click()
    await page.locator('textarea[name="body.limit_config.rules.0.limits"]').fill('{"max_guilds": 77}')
    await page.getByRole('button', { name: 'Show what it would do' }).click()
    const sent = page.waitForRequest((request) => request.method() === 'PUT' && !request.url().includes('dry_run'))
    await page.getByRole('button', { name: 'Do it' }).click()
    expect((await sent).postDataJSON()).toMatchObject({
      limit_config: {
        rules: [
          { id: 'default', limits: { max_guilds: 77 } },
          { id: 'premium', limits: {} },
        ],
      },
    })
    await page.getByText('It is done.').waitFor()
  })

  it('names the streams that are parked, with the way to their events', async () => {
    const { pool } = guildhall.store.database
    const stream = `account-${reader.account.id}`
    await pool.query(
      `insert into read_models.parked (schema, stream, position, event_id, type, cause, reason)
       values ('accounts', $1, 7, '00000000-0000-7000-8000-000000000001', 'AccountGone', 'unreadable', 'unknown')`,
      [stream],
    )
    onTestFinished(async () => void (await pool.query('delete from read_models.parked')))
    const { page } = await reader.open('#/instance/status')
    await page.getByRole('heading', { name: 'Parked streams' }).waitFor()
    await page.getByRole('link', { name: stream }).click()
    await page.getByText('AccountRegistered').first().waitFor()
  })

  it('adds an entry to a blocklist, and finds it there', async () => {
    const { page } = await reader.open('#/instance/blocklists?list=phrase')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.locator('[name="body.phrase"]').fill('buy my coins')
    await page.getByRole('button', { name: 'Show what it would do' }).click()
    await page.getByRole('button', { name: 'Do it' }).click()
    await page.getByText('It is done.').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByLabel('Value').fill('buy my coins')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('The list has buy my coins.').waitFor()
  })

  it('bans a network, and lifts that again', async () => {
    const { page } = await reader.open('#/instance/network_bans?address=203.0.113.77')
    for (const [act, kind] of [
      ['Ban', 'NetworkBanned'],
      ['Lift ban', 'NetworkBanLifted'],
    ] as const) {
      await page.getByRole('button', { name: act, exact: true }).first().click()
      await page.getByRole('button', { name: 'Show what it would do' }).click()
      await page.getByText(new RegExp(`^${kind} · `)).waitFor()
      await page.getByRole('button', { name: 'Do it' }).click()
      await page.getByText('It is done.').waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
    }
    const listed = await guildhall.request('GET', '/v1/admin/network-bans?address=203.0.113.77', { token })
    expect(bodyOf(listed)['bans']).toEqual([])
  })

  it('has nothing in the way of anybody, light and dark, and is no wider than a phone', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, complaints, show } = await reader.open('#/instance', { colorScheme })
      for (const part of parts) {
        await show(`#/instance/${part}`)
        expect([part, colorScheme, await barriers(page)]).toEqual([part, colorScheme, []])
        await keepPicture(page, `instance-${part}-${colorScheme}`)
        expect([part, complaints]).toEqual([part, []])
      }
      await page.close()
    }
    const narrow = await reader.open('#/instance', { width: 360 })
    for (const part of parts) {
      await narrow.show(`#/instance/${part}`)
      expect([part, await overhang(narrow.page)]).toEqual([part, 0])
    }
    await narrow.page.close()
  })

  it('shows mails that were not sent, by state and account', async () => {
    const { email, id } = await guildhall.register()
    bodyOf(await guildhall.request('POST', '/v1/auth/forgot', { body: { email } }))
    const { page } = await reader.open(`#/instance/mails?account=${id}`)
    await page.getByRole('cell', { name: email }).waitFor()
    await keepPicture(page, 'instance-mails-of-one')
    await page.getByLabel('State', { exact: true }).click()
    await page.getByRole('option', { name: 'Refused' }).click()
    await page.getByText('None.').waitFor()
    expect(page.url()).toContain('state=parked')
  })

  it('opens on how the instance is', async () => {
    const { page } = await reader.open('#/instance')
    await expect.poll(() => page.url()).toContain('#/instance/status')
  })

  it('shows the tabs that the reader may read, and no others', async () => {
    const other = await signIn('jobs:view', 'ban:phrase:check')
    const { page } = await other.open('#/instance/settings')
    await page.getByRole('tab', { name: 'Blocklists' }).click()
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Jobs', 'Blocklists', 'Mails'])
    expect(await page.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0)
  })
})
