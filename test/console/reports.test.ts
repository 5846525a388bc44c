import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bodyOf } from '../operations/support/answers.ts'
import { sent } from '../operations/support/messages.ts'
import { reportIn, reportsOn } from '../operations/support/reports.ts'
import { foundWith } from '../operations/support/scene.ts'
import { chromiumPath, inChromium } from '../support/chromium.ts'
import { barriers, keepPicture, openConsole, overhang } from './support/open-console.ts'

const hostile = `<img src=x onerror="document.title='taken over'">`
const reversed = '\u202egnorw'
const unbroken = 'W'.repeat(2000)

describe.skipIf(chromiumPath === undefined)(`the reports of the console, ${inChromium}`, async () => {
  if (chromiumPath === undefined) return
  const { guildhall, signIn } = await openConsole()
  const { reportMessage, reportUser, get } = reportsOn(guildhall)
  const reader = await signIn('*')
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

  it('offers no page that the API refuses, and says what has none', async () => {
    const { pool } = guildhall.store.database
    await pool.query(
      `insert into reports.reports
         (report_id, reporter_id, kind, category, account_id, reported_at, resolved_by, resolved_at)
       select n, 1, 'user', 'other', $1, '2020-01-01', 1, '2020-01-01' from generate_series(1, 10100) n`,
      [reader.account.id],
    )
    onTestFinished(async () => void (await pool.query('delete from reports.reports where report_id <= 10100')))
    const all = encodeURIComponent('{"status":"resolved"}')
    // The console remembers the filter of a list.
    const other = await signIn('*')
    const { page } = await other.open(`#/reports?filter=${all}&perPage=50&page=201`)
    await page.getByText(/There are 101\d\d\. Pages show 10050 of them/).waitFor()
    await page.getByRole('button', { name: 'Go to page 200' }).waitFor()
    expect(await page.getByRole('button', { name: 'Go to page 202' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Go to next page' }).isDisabled()).toBe(true)
  })

  it('reads one report after the other by keys alone: claims, resolves, goes on', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const [first, second] = [reportIn(await reportUser(ada, brian)), reportIn(await reportUser(ada, brian))]
    const { page, complaints } = await reader.open('#/reports')
    await page.getByText('Read one after the other').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/reports/${first}/show`)
    await heading(page, 'The report').waitFor()
    await page.keyboard.press('j')
    await page.waitForURL(`**/reports/${second}/show`)
    await page.getByRole('button', { name: 'Previous', disabled: false }).waitFor()
    await page.keyboard.press('k')
    await page.waitForURL(`**/reports/${first}/show`)
    await page.getByText(first, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Claim' }).waitFor()
    await page.keyboard.press('a')
    await page.getByLabel('Reason, for the audit log').press('Enter')
    await page.getByText(`ReportClaimed · report-${first}`).waitFor()
    // What was foretold is done by one key more.
    await page.keyboard.press('Enter')
    await page.getByText('It is done.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Release' }).waitFor()
    expect(await reportOf(first)).toMatchObject({ claimed_by_admin_id: reader.account.id })
    await page.keyboard.press('r')
    await page.getByLabel('Comment for the reporter').fill('Thank you jkaro?')
    await page.getByRole('button', { name: 'Show what it would do' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText(`ReportResolved · report-${first}`).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('It is done.').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(`**/reports/${second}/show`)
    await page.getByText(second, { exact: true }).waitFor()
    expect(await reportOf(first)).toMatchObject({ status: 1, public_comment: 'Thank you jkaro?' })
    await page.keyboard.press('o')
    await page.waitForURL(`**/users/${brian.id}/show`)
    expect(complaints).toEqual([])
  })

  it('does nothing by keys to the report that is still shown on the way to the next', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const [first, second] = [reportIn(await reportUser(ada, brian)), reportIn(await reportUser(ada, brian))]
    const { page } = await reader.open(`#/reports/${first}/show`)
    await heading(page, 'The report').waitFor()
    await page.getByRole('button', { name: 'Next', disabled: false }).waitFor()
    // Before React draws again, which it does in a task of its own.
    await page.evaluate(`(async () => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', code: 'KeyJ', bubbles: true }))
      for (let turns = 0; turns < 50; turns += 1) await undefined
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', code: 'KeyA', bubbles: true }))
    })()`)
    await page.waitForURL(`**/reports/${second}/show`)
    await page.getByText(second, { exact: true }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('shows its keys, and lets them be turned off', async () => {
    const id = reportIn(await reportUser(await guildhall.register(), await guildhall.register()))
    const { page } = await reader.open(`#/reports/${id}/show`)
    await heading(page, 'The report').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('r')
    expect(await page.getByRole('dialog').count()).toBe(1)
    await keepPicture(page, 'reports-keys')
    expect(await barriers(page)).toEqual([])
    await page.getByLabel('Single keys are on').click()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('r')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('button', { name: 'Keys' }).click()
    await page.getByLabel('Single keys are on').click()
  })

  it('shows what was reported beside what is there now, and the acts on the account', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const home = await foundWith(guildhall, brian, ada)
    await sent(guildhall, ada, home.channel, 'Hello there')
    const message = await sent(guildhall, brian, home.channel, 'Cheap watches')
    const id = reportIn(await reportMessage(ada, home.channel, message, { additional_info: 'He sells things' }))
    bodyOf(await reportUser(ada, brian, { additional_info: 'And again' }))
    const { token } = brian
    bodyOf(await guildhall.request('PATCH', '/v1/users/@me', { token, body: { global_name: 'Somebody else' } }))
    const at = `/v1/channels/${home.channel}/messages/${message}`
    bodyOf(await guildhall.request('PATCH', at, { token, body: { content: 'Good morning' } }))
    const { page, complaints } = await reader.open(`#/reports/${id}/show`)
    for (const text of ['Hello there', 'Cheap watches', 'Good morning', 'He sells things', 'And again', ada.email])
      await page.getByText(text).first().waitFor()
    await page.getByRole('row', { name: /Somebody else \(changed\)/ }).waitFor()
    await page.getByRole('button', { name: 'Ban', exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Delete all messages' }).waitFor()
    await keepPicture(page, 'reports-message')
    expect(await barriers(page)).toEqual([])
    bodyOf(await guildhall.request('DELETE', at, { token }))
    await page.reload()
    await page.getByText('The message is gone.').waitFor()
    expect(complaints).toEqual([])
  })

  it('filters as the API does, with the filters in the address, and exports what it finds', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const id = reportIn(
      await reportUser(ada, brian, { category: 'underage_user', additional_info: 'Found by filters' }),
    )
    bodyOf(await reportUser(ada, brian))
    const filter = encodeURIComponent(JSON.stringify({ reporter_id: ada.id, category: 'underage_user' }))
    const { page, complaints } = await reader.open(`#/reports?filter=${filter}`)
    await page.getByText('Found by filters').waitFor()
    expect(await page.locator('tbody tr').count()).toBe(1)
    await keepPicture(page, 'reports-list')
    expect(await barriers(page)).toEqual([])
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByLabel('Export').click()])
    const csv = await textOf(await download.createReadStream())
    expect(csv).toContain(id)
    expect(csv.trim().split('\n')).toHaveLength(2)
    expect(complaints).toEqual([])
  })

  it('shows what strangers wrote as text, on a phone too, light and dark', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const home = await foundWith(guildhall, brian, ada)
    for (const text of [hostile, reversed, unbroken]) {
      const message = await sent(guildhall, brian, home.channel, text)
      const more = { additional_info: text.slice(0, 1000) }
      const id = reportIn(await reportMessage(ada, home.channel, message, more))
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, complaints } = await reader.open(`#/reports/${id}/show`, { width: 360, colorScheme })
        await page.getByText(text.replace('\u202e', '')).first().waitFor()
        expect(await page.title()).not.toBe('taken over')
        expect(await overhang(page)).toBe(0)
        expect(await barriers(page)).toEqual([])
        expect(complaints).toEqual([])
        if (text === unbroken) await keepPicture(page, `reports-phone-${colorScheme}`)
        await page.close()
      }
    }
    const filter = encodeURIComponent(JSON.stringify({ reporter_id: ada.id }))
    const { page } = await reader.open(`#/reports?filter=${filter}`, { width: 360 })
    await page.getByText('gnorw').first().waitFor()
    expect(await overhang(page)).toBe(0)
  })

  it('shows no more of the reporter and the reported than the ACLs allow', async () => {
    const viewer = await signIn('report:view')
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const id = reportIn(await reportUser(ada, brian))
    const { page } = await viewer.open(`#/reports/${id}/show`)
    await page.getByText(ada.id).first().waitFor()
    expect(await page.getByText(ada.email).count()).toBe(0)
    for (const name of ['Claim', 'Resolve']) expect(await page.getByRole('button', { name }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Ban', exact: true }).count()).toBe(0)
    await page.keyboard.press('r')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  const reportOf = async (id: string) => bodyOf(await get(reader.account, id))

  async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
    let text = ''
    for await (const part of stream) text += String(part)
    return text
  }
})
