import { afterAll, describe, expect, it } from 'vitest'
import { bodyOf } from '../operations/support/answers.ts'
import { chromiumPath, inChromium } from '../support/chromium.ts'
import { startStoreA } from '../support/store-a/double.ts'
import { barriers, keepPicture, openConsole, overhang } from './support/open-console.ts'

describe.skipIf(chromiumPath === undefined)(`purchases in the console, ${inChromium}`, async () => {
  if (chromiumPath === undefined) return
  const storeA = await startStoreA()
  afterAll(() => storeA.close())
  const { guildhall, signIn } = await openConsole({ hosted: true, stores: { storeA } })
  const reader = await signIn('user:lookup')

  it('shows what was bought, by account and state, to everybody and on a phone', async () => {
    const { id, token } = await guildhall.register()
    const sale = storeA.sell({ productId: 'premium.monthly' })
    const body = { signed_transaction: await storeA.signedTransaction(sale) }
    bodyOf(await guildhall.request('POST', '/v1/premium/store/store-a/transactions', { token, body }))
    const { page, complaints } = await reader.open(`#/instance/purchases?account=${id}`)
    await page.getByRole('cell', { name: 'premium.monthly' }).waitFor()
    await keepPicture(page, 'instance-purchases')
    expect(await barriers(page)).toEqual([])
    const { page: narrow } = await reader.open(`#/instance/purchases?account=${id}`, { width: 360 })
    await narrow.getByRole('cell', { name: 'premium.monthly' }).waitFor()
    expect(await overhang(narrow)).toBe(0)
    await page.getByLabel('State', { exact: true }).click()
    await page.getByRole('option', { name: 'refunded' }).click()
    await page.getByText('None.').waitFor()
    expect(page.url()).toContain('state=refunded')
    expect(complaints).toEqual([])
  })
})
