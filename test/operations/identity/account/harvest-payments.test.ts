import { afterAll, describe, expect, it } from 'vitest'
import { startStoreB } from '../../../support/store-b/double.ts'
import { bodyOf, listOf } from '../../support/answers.ts'
import { jsonIn, ownArchive } from '../../support/archives.ts'
import { openServer } from '../../support/scene.ts'

const storeB = await startStoreB()
const guildhall = await openServer({ hosted: true, looks_ms: 100, stores: { storeB } })
afterAll(() => storeB.close())

const instant = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/)
const payments = 'payments/payment_history.json'

describe('the payments in the archive of an account', () => {
  it('are all purchases that it has, newest first, without the code of a gift', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const claim = async ({ token }: typeof ada, productId: string) => {
      const sale = storeB.sell({ productId })
      const body = { purchase_token: sale.token, product_id: productId }
      return bodyOf(await guildhall.request('POST', '/v1/premium/store/google-play/purchases', { token, body }))
    }
    await claim(ada, 'premium')
    const { gift_code: code } = await claim(ada, 'gift_month')
    await claim(brian, 'premium')
    const files = await ownArchive(guildhall, ada)
    const listed = listOf(await guildhall.request('GET', '/v1/premium/store/purchases', { token: ada.token }))
    const shown = listed.map(({ gift_code: _, ...others }) => others)
    expect(jsonIn(files, payments)).toMatchObject(shown)
    expect(jsonIn(files, payments)).toMatchObject([
      { kind: 'gift', state: 'fulfilled', quantity: 1, linked_at: instant, revoked_at: null },
      { kind: 'subscription', state: 'active', entitled: true, quantity: 1, linked_at: instant, revoked_at: null },
    ])
    const everyByte = [...files.values()].map((bytes) => Buffer.from(bytes).toString()).join('\n')
    expect(code).toMatch(/^[a-zA-Z\d]{32}$/)
    expect(everyByte).not.toContain(code)
  })
  it('are an empty list for an account that bought nothing', async () => {
    expect(jsonIn(await ownArchive(guildhall, await guildhall.register()), payments)).toEqual([])
  })
})
