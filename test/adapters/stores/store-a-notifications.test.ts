import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NotificationHistoryQuery, Stores } from '../../../application/ports/stores.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { startStoreA, type NotificationChanges, type StoreADouble } from '../../support/store-a/double.ts'
import { appId, bundleId } from '../../support/store-a/sales.ts'
import { withAlteredSignature } from '../../support/store-a/sign.ts'
import { storesOver } from '../../support/stores/stores-over.ts'

let double: StoreADouble
let stores: Stores
beforeAll(async () => {
  double = await startStoreA()
  stores = storesOver({ storeA: double })
})
afterAll(() => double.close())

const sell = (world: 'Production' | 'Sandbox' = 'Production') => double.sell({ productId: 'premium.yearly', world })
const verified = (text: string) => stores.storeA.verifyNotification(text)
const without = (member: object): NotificationChanges => ({ payload: { data: undefined, ...member } })

describe('a notification', () => {
  it('names the purchase to read again', async () => {
    const sale = sell()
    const payload = { notificationUUID: 'a-b' }
    expect(await verified(await double.notify('DID_RENEW', sale, { subtype: 'BILLING_RECOVERY', payload }))).toEqual({
      ok: true,
      value: {
        id: 'a-b',
        type: 'DID_RENEW',
        subtype: 'BILLING_RECOVERY',
        signedAt: timestamp(double.clock.now()),
        purchase: {
          provider: 'store_a',
          environment: 'production',
          bundleId,
          kind: 'subscription',
          originalTransactionId: sale.originalTransactionId,
        },
      },
    })
  })
  it('of the sandbox has no numeric id of the app', async () => {
    const answer = await verified(await double.notify('REFUND', sell('Sandbox')))
    expect(answer).toMatchObject({ ok: true, value: { purchase: { environment: 'sandbox' }, subtype: null } })
  })
  it.each<[string, NotificationChanges]>([
    ['is a test', {}],
    ['is a summary', without({ summary: { environment: 'Production', bundleId, appAppleId: appId } })],
    ['is of the app', without({ appData: { environment: 'Sandbox', bundleId } })],
    ['is of an outside purchase', without({ externalPurchaseToken: { externalPurchaseId: 'SANDBOX_1', bundleId } })],
  ])('names no purchase where it %s', async (_, changes) => {
    const answer = await verified(await double.notify('TEST', undefined, changes))
    expect(answer).toMatchObject({ ok: true, value: { purchase: null } })
  })
  it('names no purchase of a product that is not configured', async () => {
    const sale = double.sell({ productId: 'premium.yearly', transaction: { productId: 'coins' } })
    expect(await verified(await double.notify('REFUND', sale))).toMatchObject({ ok: true, value: { purchase: null } })
  })
  it.each<[string, NotificationChanges, string]>([
    ['of another app', { data: { bundleId: 'example.other' } }, 'invalid_app_identifier'],
    ['with another numeric id', { data: { appAppleId: appId + 1 } }, 'invalid_app_identifier'],
    ['without the numeric id', { data: { appAppleId: undefined } }, 'invalid_app_identifier'],
    ['of local testing', { data: { environment: 'Xcode' } }, 'invalid_environment'],
    ['that names nothing', without({}), 'invalid_payload'],
    [
      'of an outside purchase in production without the numeric id',
      without({ externalPurchaseToken: { externalPurchaseId: 'P1', bundleId } }),
      'invalid_app_identifier',
    ],
    ['without an id', { payload: { notificationUUID: undefined } }, 'invalid_payload'],
    ['with a transaction that nobody signed', { data: { signedTransactionInfo: 'e30.e30.e30' } }, 'malformed'],
  ])('is rejected: %s', async (_, changes, detail) => {
    const answer = await verified(await double.notify('DID_RENEW', sell(), changes))
    expect(answer).toEqual({ ok: false, failure: { kind: 'rejected', detail } })
  })
  it('is rejected where what is signed within it is of another environment, app or purchase', async () => {
    const sale = sell()
    const renewed = async (changes: object) => ({ signedRenewalInfo: await double.signedRenewal(sale, changes) })
    const traded = async (changes: object) => ({ signedTransactionInfo: await double.signedTransaction(sale, changes) })
    for (const [data, detail] of [
      [await traded({ environment: 'Sandbox' }), 'invalid_environment'],
      [await renewed({ environment: 'Sandbox' }), 'invalid_environment'],
      [await traded({ bundleId: 'example.other' }), 'invalid_app_identifier'],
      [await renewed({ originalTransactionId: '1' }), 'invalid_payload'],
    ] as const)
      expect(await verified(await double.notify('REFUND', sale, { data }))).toMatchObject({ failure: { detail } })
  })
  it('is rejected with an altered signature of it, and of what is within it', async () => {
    const sale = sell()
    const detail = 'invalid_signature'
    const altered = withAlteredSignature(await double.notify('REFUND', sale))
    expect(await verified(altered)).toMatchObject({ failure: { detail } })
    const signedTransactionInfo = withAlteredSignature(await double.signedTransaction(sale))
    const within = await double.notify('REFUND', sale, { data: { signedTransactionInfo } })
    expect(await verified(within)).toMatchObject({ failure: { detail } })
  })
  it('asks no store', () => {
    expect(double.seen).toEqual([])
  })
})

describe('the history of notifications', () => {
  const ask = (of: NotificationHistoryQuery['of'], pages_max: number) => {
    const now = double.clock.now()
    return stores.storeA.notificationHistory(
      { bundleId, from: timestamp(now - 60_000), to: timestamp(now), of },
      pages_max,
    )
  }
  it('is read page by page, by type or by what did not arrive', async () => {
    double.clock.pass(86_400_000)
    const sale = sell()
    const refunds = [await double.notify('REFUND', sale, { delivered: false })]
    for (let count = 1; count < 45; count += 1) refunds.push(await double.notify('REFUND', sale))
    await double.notify('REVOKE', sale)
    expect(await ask('REFUND', 50)).toEqual({ ok: true, value: refunds })
    expect(await ask('REFUND', 2)).toEqual({ ok: true, value: refunds.slice(0, 40) })
    expect(await ask('failures', 50)).toEqual({ ok: true, value: refunds.slice(0, 1) })
    expect(await ask('REFUND_REVERSED', 50)).toEqual({ ok: true, value: [] })
  })
  it('is not asked for with an app that is not configured', async () => {
    const now = timestamp(double.clock.now())
    const query = { bundleId: 'example.other', from: now, to: now, of: 'REVOKE' } as const
    expect(await stores.storeA.notificationHistory(query, 1)).toMatchObject({
      failure: { kind: 'rejected', detail: 'invalid_app_identifier' },
    })
  })
})
