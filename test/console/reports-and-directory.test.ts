import { describe, expect, it } from 'vitest'
import { bodyOf, found } from '../operations/support/answers.ts'
import { chromiumPath, inChromium } from '../support/chromium.ts'
import { barriers, keepPicture, openConsole, overhang } from './support/open-console.ts'

const hostile = `<img src=x onerror="document.title='taken over'"> \u202e${'x'.repeat(900)}`

describe.skipIf(chromiumPath === undefined)(`the queues of the console, ${inChromium}`, async () => {
  if (chromiumPath === undefined) return
  const { guildhall, signIn } = await openConsole()
  const reader = await signIn('*')

  async function reported(): Promise<string> {
    const [{ token }, { id }] = [await guildhall.register(), await guildhall.register()]
    const body = { user_id: id, category: 'harassment', additional_info: hostile }
    return String(bodyOf(await guildhall.request('POST', '/v1/reports/user', { token, body }))['report_id'])
  }

  async function applied(name: string): Promise<string> {
    const ada = await guildhall.register()
    const guild = await found(guildhall, ada)
    const body = {
      description: `${name} is a fine place`,
      category_type: 1,
      primary_language: 'en-US',
      custom_tags: [],
    }
    bodyOf(await guildhall.request('POST', `/v1/guilds/${guild.id}/discovery`, { token: ada.token, body }))
    return guild.id
  }

  it('reports are read, claimed and resolved by keys alone, and their words stay text', async () => {
    const [first, second] = [await reported(), await reported()]
    const { page, complaints } = await reader.open(`#/reports/${first}/show`)
    expect([await overhang(page), await barriers(page)]).toEqual([0, []])
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'Show what it would do' }).click()
    await page.getByRole('button', { name: 'Do it' }).click()
    await page.getByText('It is done.').waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    // Keys rest while a dialog is there.
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('r')
    await page.getByRole('button', { name: 'Show what it would do' }).click()
    await page.getByRole('button', { name: 'Do it' }).click()
    await expect.poll(() => page.url()).toContain(second)
    expect(await statusOf(first)).toBe(1)
    expect(await page.title()).not.toBe('taken over')
    expect(complaints).toEqual([])
  })

  it('applications to the directory are decided one after the other', async () => {
    const [first, second] = [await applied('The first'), await applied('The second')]
    for (const view of ['#/directory']) {
      const opened = await reader.open(view, { width: 360 })
      await expect.poll(() => barriers(opened.page)).toEqual([])
      expect([view, await overhang(opened.page)]).toEqual([view, 0])
      await opened.page.close()
    }
    const { page, complaints } = await reader.open(`#/directory/${first}/show`)
    expect([await overhang(page), await barriers(page)]).toEqual([0, []])
    await page.keyboard.press('y')
    await page.getByRole('button', { name: 'Show what it would do' }).click()
    await keepPicture(page, 'directory-approve-foretold')
    await page.getByRole('button', { name: 'Do it' }).click()
    await expect.poll(() => page.url()).toContain(second)
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    // Keys rest while a dialog is there.
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('The second is a fine place').waitFor()
    await page.getByRole('button', { name: /^Reject/ }).click()
    await page.getByRole('dialog').getByLabel('Reason *').fill('Not a fine place')
    await page.getByRole('button', { name: 'Show what it would do' }).click()
    await page.getByRole('button', { name: 'Do it' }).click()
    await page.getByText('It is done.').waitFor()
    const { token } = reader.account
    const left = bodyOf(await guildhall.request('GET', '/v1/admin/discovery/queue', { token }))
    expect(left['applications']).toEqual([])
    expect(complaints).toEqual([])
  })

  async function statusOf(id: string): Promise<unknown> {
    const { token } = reader.account
    return bodyOf(await guildhall.request('GET', `/v1/admin/reports/${id}`, { token }))['status']
  }
})
