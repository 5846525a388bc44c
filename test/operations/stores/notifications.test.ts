import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../application/sql/sql.ts'
import { noteVoidedPurchases, readNotificationHistory } from '../../../application/processes/reconcile-stores.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { startStoreA } from '../../support/store-a/double.ts'
import { withAlteredSignature } from '../../support/store-a/sign.ts'
import type { Sale } from '../../support/store-a/sales.ts'
import { startStoreB } from '../../support/store-b/double.ts'
import { packageName, type StoreBSale } from '../../support/store-b/sales.ts'
import { testClock } from '../../support/stores/test-clock.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectRefusal, listOf } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

const answer_ms = 500
const clock = testClock()
const [storeA, storeB] = [await startStoreA({ clock }), await startStoreB({ clock })]
const guildhall = await openServer({ hosted: true, stores: { storeA, storeB, answer_ms } })
const [bare, own] = [await openServer({ hosted: true }), await openServer()]
afterEach(() => {
  storeA.fault = undefined
  storeB.fault = undefined
})
afterAll(() => Promise.all([storeA.close(), storeB.close()]))

const hookA = (body: unknown) => guildhall.request('POST', '/webhooks/store-a', { body })
const notifyA = async (type: string, sale: Sale | undefined) =>
  hookA({ signedPayload: await storeA.notify(type, sale), unknown: 1 })
const hookB = (body: unknown, authorization?: string) =>
  guildhall.request('POST', '/webhooks/store-b', { body, ...(authorization && { headers: { authorization } }) })
const notifyB = async (notice: object) => {
  const data = Buffer.from(
    JSON.stringify({ version: '1.0', packageName, eventTimeMillis: String(clock.now()), ...notice }),
  ).toString('base64')
  return hookB({ message: { data, messageId: crypto.randomUUID() } }, await storeB.push.authorization())
}
const claimA = async ({ token }: TestAccount, sale: Sale) =>
  guildhall.request('POST', '/v1/premium/store/store-a/transactions', {
    token,
    body: { signed_transaction: await storeA.signedTransaction(sale) },
  })
const claimB = ({ token }: TestAccount, sale: StoreBSale) =>
  guildhall.request('POST', '/v1/premium/store/google-play/purchases', {
    token,
    body: { purchase_token: sale.token, product_id: sale.productId },
  })
const stateOf = async ({ token }: TestAccount) =>
  listOf(await guildhall.request('GET', '/v1/premium/store/purchases', { token }))[0]?.['state']
const self = async ({ token }: TestAccount) => bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))
const tokenOf = async ({ token }: TestAccount) =>
  bodyOf(await guildhall.request('GET', '/v1/premium/store', { token }))['app_account_token']

const waitingNotifications = sql.type(z.object({ payload: z.unknown() }))`
  select payload from job_queue._private_jobs`

describe('Store A notification', () => {
  it('has the purchase read again, whatever the notification says of it', async () => {
    const ada = await guildhall.register()
    const sale = storeA.sell({ productId: 'premium.monthly' })
    bodyOf(await claimA(ada, sale))
    clock.pass(1000)
    sale.renewal = { autoRenewStatus: 0 }
    expect((await notifyA('EXPIRED', sale)).status).toBe(200)
    await expect.poll(() => stateOf(ada)).toBe('canceled')
    clock.pass(1000)
    sale.status = 5
    sale.transaction = { ...sale.transaction, revocationDate: clock.now() }
    await notifyA('REFUND', sale)
    await expect.poll(() => stateOf(ada)).toBe('revoked')
    // Premium follows the reading at once, but in a step of its own.
    await expect.poll(() => self(ada)).toMatchObject({ premium_type: 0 })
  })

  it('links a purchase before it is claimed, by the token that it carries', async () => {
    const ada = await guildhall.register()
    const appAccountToken = await tokenOf(ada)
    const sale = storeA.sell({ productId: 'gift.month', transaction: { appAccountToken } })
    await notifyA('ONE_TIME_CHARGE', sale)
    await expect.poll(() => stateOf(ada)).toBe('fulfilled')
  })

  it('accepts one that names no purchase, and refuses what the store has not signed', async () => {
    expect((await notifyA('TEST', undefined)).status).toBe(200)
    const sale = storeA.sell({ productId: 'premium.monthly' })
    const signedPayload = withAlteredSignature(await storeA.notify('REFUND', sale))
    for (const body of [{ signedPayload }, { signedPayload: 1 }, {}, [], 'nonsense', '"text"', 'null'])
      expectRefusal(await hookA(body), 401, 'STORE_NOTIFICATION_UNAUTHORIZED')
    const withNul = await storeA.notify('REFUND', sale, { payload: { notificationUUID: 'a\u0000b' } })
    expectRefusal(await hookA({ signedPayload: withNul }), 401, 'STORE_NOTIFICATION_UNAUTHORIZED')
    expectRefusal(await hookA('x'.repeat(2 ** 20 + 1)), 401, 'STORE_NOTIFICATION_UNAUTHORIZED')
  })
})

describe('Store B notification', () => {
  it('has the purchase read again', async () => {
    const ada = await guildhall.register()
    const sale = storeB.sell({ productId: 'premium' })
    bodyOf(await claimB(ada, sale))
    clock.pass(1000)
    sale.canceled = true
    const subscriptionNotification = { notificationType: 3, purchaseToken: sale.token, subscriptionId: 'premium' }
    expect((await notifyB({ subscriptionNotification })).status).toBe(204)
    await expect.poll(() => stateOf(ada)).toBe('canceled')
  })

  it('takes a voided gift back', async () => {
    const ada = await guildhall.register()
    const sale = storeB.sell({ productId: 'gift_month' })
    const code = String(bodyOf(await claimB(ada, sale))['gift_code'])
    const voided = { purchaseToken: sale.token, orderId: sale.orderId, productType: 2, refundType: 1 }
    await notifyB({ voidedPurchaseNotification: voided })
    await expect.poll(() => stateOf(ada)).toBe('refunded')
    await expect.poll(() => guildhall.request('GET', `/v1/gifts/${code}`)).toMatchObject({ status: 404 })
  })

  it('looks at the body only after the token, and drops nonsense', async () => {
    for (const body of ['nonsense', {}, { message: {} }, { message: { data: 'x', messageId: '1' } }]) {
      expectRefusal(await hookB(body), 401, 'STORE_NOTIFICATION_UNAUTHORIZED')
      expect((await hookB(body, await storeB.push.authorization())).status).toBe(204)
    }
    const wrong = [
      { claims: { aud: 'another' } },
      { claims: { email: 'another@example.com' } },
      { claims: { email_verified: 'true' } },
      { signedBy: 'nobody' },
      { signedBy: 'public key' },
      { signedBy: 'another' },
    ] as const
    for (const faults of wrong)
      expectRefusal(await hookB({}, await storeB.push.authorization(faults)), 401, 'STORE_NOTIFICATION_UNAUTHORIZED')
  })
})

describe('notifications', () => {
  it('change nothing while the store does not answer, and are kept', async () => {
    const ada = await guildhall.register()
    const sale = storeA.sell({ productId: 'premium.monthly', transaction: { appAccountToken: await tokenOf(ada) } })
    const asked = storeA.seen.length
    storeA.fault = 500
    expect((await notifyA('SUBSCRIBED', sale)).status).toBe(200)
    await expect.poll(() => storeA.seen.length).toBeGreaterThan(asked)
    expect(await stateOf(ada)).toBeUndefined()
    await expect
      .poll(async () => JSON.stringify(await guildhall.store.database.any(waitingNotifications)))
      .toContain('"failures":1')
    const jobs = JSON.stringify(await guildhall.store.database.any(waitingNotifications))
    for (const secret of [sale.originalTransactionId, String(await tokenOf(ada))]) expect(jobs).not.toContain(secret)
  })

  it('that were missed are found by the daily round', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const gift = storeB.sell({ productId: 'gift_month' })
    const sale = storeA.sell({ productId: 'premium.monthly', transaction: { appAccountToken: await tokenOf(brian) } })
    bodyOf(await claimB(ada, gift))
    storeB.voided.push({ purchaseToken: gift.token, orderId: gift.orderId, voided_ms: clock.now() })
    await storeA.notify('SUBSCRIBED', sale, { delivered: false })
    const now = timestamp(clock.now() + 1000)
    for (let round = 0; round < 2; round += 1) {
      await noteVoidedPurchases(guildhall.ports)(now)
      await readNotificationHistory(guildhall.ports)(now)
    }
    expect([await stateOf(ada), await stateOf(brian)]).toEqual(['refunded', 'active'])
    storeA.fault = 500
    await expect(readNotificationHistory(guildhall.ports)(now)).rejects.toThrow('STORE_BILLING_UNAVAILABLE')
  })

  it('are counted by type, readings by outcome, and refusals by code', async () => {
    const ada = await guildhall.register()
    const sale = storeA.sell({ productId: 'premium.monthly' })
    bodyOf(await claimA(ada, sale))
    await notifyA('GRACE_PERIOD_EXPIRED', sale)
    expectRefusal(await hookA({ signedPayload: 'nonsense' }), 401, 'STORE_NOTIFICATION_UNAUTHORIZED')
    const metrics = async () => (await fetch(`${guildhall.url}/_metrics`)).text()
    const counts = [
      'guildhall_store_notifications_total{store="store_a",type="GRACE_PERIOD_EXPIRED"} 1',
      'guildhall_store_read_duration_seconds_count{store="store_a",outcome="read"}',
      'guildhall_store_failures_total{store="store_a",act="verify_notification",kind="rejected",detail="malformed"}',
      'guildhall_http_refusals_total{operation="store_a_notification",code="STORE_NOTIFICATION_UNAUTHORIZED"}',
    ]
    for (const count of counts) await expect.poll(metrics).toContain(count)
  })

  it('say 503 where their store is not set up, and 404 on an instance of its own', async () => {
    for (const path of ['/webhooks/store-a', '/webhooks/store-b']) {
      expectRefusal(await bare.request('POST', path, { body: 'nonsense' }), 503, 'STORE_BILLING_UNAVAILABLE')
      expectRefusal(await own.request('POST', path, { body: {} }), 404, 'NOT_FOUND')
    }
  })
})
