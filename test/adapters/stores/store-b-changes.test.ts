import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreBKey, Stores } from '../../../application/ports/stores.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { readingOf } from '../../contract/stores-contract.ts'
import { startStoreB, type StoreBDouble } from '../../support/store-b/double.ts'
import { packageName, type StoreBSale } from '../../support/store-b/sales.ts'
import { storesOver } from '../../support/stores/stores-over.ts'

let double: StoreBDouble
let stores: Stores
beforeAll(async () => {
  double = await startStoreB()
  stores = storesOver({ storeB: double })
})
afterAll(() => double.close())

const keyOf = ({ token, basePlanId }: StoreBSale): StoreBKey => ({
  provider: 'store_b',
  packageName,
  kind: basePlanId === undefined ? 'gift' : 'subscription',
  purchaseToken: token,
})
const stateOf = async (sale: StoreBSale) => readingOf(await stores.read(keyOf(sale))).facts
const done = { ok: true, value: null }
const rejected = { ok: false, failure: { kind: 'rejected', detail: 'http_400' } }

describe('a change of a purchase', () => {
  it('acknowledges a subscription, and is rejected the second time', async () => {
    const sale = double.sell({ productId: 'premium' })
    expect(await stores.storeB.acknowledge(keyOf(sale), 'premium')).toEqual(done)
    expect(await stateOf(sale)).toMatchObject({ acknowledged: true })
    expect(await stores.storeB.acknowledge(keyOf(sale), 'premium')).toEqual(rejected)
  })
  it('stops the payments: what is paid stays', async () => {
    const sale = double.sell({ productId: 'premium' })
    expect(await stores.storeB.cancel(keyOf(sale))).toEqual(done)
    expect(await stateOf(sale)).toMatchObject({ state: 'canceled', grants: true, autoRenew: false })
  })
  it('ends a subscription at once', async () => {
    const sale = double.sell({ productId: 'premium' })
    expect(await stores.storeB.revoke(keyOf(sale))).toEqual(done)
    expect(await stateOf(sale)).toMatchObject({ state: 'expired', grants: false })
  })
  it('refunds an order and takes back what it bought, once', async () => {
    const sale = double.sell({ productId: 'gift_year' })
    expect(await stores.storeB.refund(packageName, sale.orderId)).toEqual(done)
    expect(await stateOf(sale)).toMatchObject({ state: 'refunded', grants: false })
    expect(await stores.storeB.refund(packageName, sale.orderId)).toEqual(rejected)
    expect(await stores.storeB.refund(packageName, 'GPA.0')).toMatchObject({ failure: { kind: 'not found' } })
  })
})

describe('the voided purchases', () => {
  it('are listed since an instant, page by page, of subscriptions too', async () => {
    const own = await startStoreB()
    const { storeB } = storesOver({ storeB: own })
    own.voided.push({ purchaseToken: 'old', orderId: 'o', voided_ms: own.clock.now() - 10 })
    const since = timestamp(own.clock.now())
    for (let count = 0; count < 45; count += 1) {
      const { token, orderId } = own.sell({ productId: count % 2 === 0 ? 'premium' : 'gift_year' })
      own.voided.push({ purchaseToken: token, orderId, voided_ms: own.clock.now() })
    }
    const all = own.voided.slice(1).map(({ purchaseToken, orderId }) => ({
      packageName,
      purchaseToken,
      orderId,
      voidedAt: since,
    }))
    expect(await storeB.voidedPurchases(packageName, since, 50)).toEqual({ ok: true, value: all })
    expect(await storeB.voidedPurchases(packageName, since, 1)).toEqual({ ok: true, value: all.slice(0, 20) })
    expect(await storeB.voidedPurchases('example.other', since, 1)).toMatchObject({ failure: { kind: 'rejected' } })
    await own.close()
  })
})
