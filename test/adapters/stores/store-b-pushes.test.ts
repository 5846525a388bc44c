import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../../application/ports/stores.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { startStoreB, type StoreBDouble } from '../../support/store-b/double.ts'
import { pushBody, type PushFaults } from '../../support/store-b/push.ts'
import { packageName } from '../../support/store-b/sales.ts'
import { storesOver } from '../../support/stores/stores-over.ts'

let double: StoreBDouble
let stores: Stores
beforeAll(async () => {
  double = await startStoreB()
  stores = storesOver({ storeB: double })
})
afterAll(() => double.close())

const now_s = () => Math.floor(double.clock.now() / 1000)
const bought = { subscriptionNotification: { version: '1.0', notificationType: 4, purchaseToken: 'token-1' } }
const noticeOf = (said: object) => ({ version: '1.0', packageName, eventTimeMillis: '1700000000000', ...said })
const verified = async (body: unknown, faults?: PushFaults) =>
  stores.storeB.verifyPush(await double.push.authorization(faults), body)
const told = (said: object) => verified(pushBody(noticeOf(said), 'message-1'))

describe('the token of a push', () => {
  it('is verified with the published keys, which are fetched once', async () => {
    for (let count = 0; count < 3; count += 1) expect((await told(bought)).ok).toBe(true)
    expect(double.seen.filter(({ path }) => path === '/certs')).toHaveLength(1)
  })
  it.each<[string, PushFaults]>([
    ['by the other name of its issuer', { claims: { iss: 'accounts.google.com' } }],
    ['with the address in capitals', { claims: { email: 'PUSH@example.iam.gserviceaccount.com' } }],
    ['that ended 20 seconds ago', { claims: { exp: Math.floor(Date.now() / 1000) - 20 } }],
    ['that is from 20 seconds ahead', { claims: { iat: Math.floor(Date.now() / 1000) + 20 } }],
  ])('is accepted %s', async (_, faults) => {
    expect((await verified(pushBody(noticeOf(bought)), faults)).ok).toBe(true)
  })
  it.each<[string, PushFaults]>([
    ['of another issuer', { claims: { iss: 'https://accounts.example.com' } }],
    ['for another audience', { claims: { aud: 'https://other.example.com' } }],
    ['for more than this audience', { claims: { aud: ['https://chat.example.com/webhooks/store-b', 'x'] } }],
    ['of another account', { claims: { email: 'other@example.com' } }],
    ['without an address', { claims: { email: undefined } }],
    ['whose address is not verified', { claims: { email_verified: false } }],
    ['whose address is verified in text', { claims: { email_verified: 'true' } }],
    ['without an end', { claims: { exp: undefined } }],
    ['without a beginning', { claims: { iat: undefined } }],
    ['that has expired', { claims: { exp: 1_700_000_000 } }],
    ['that is of the future', { claims: { iat: 4_000_000_000, exp: 4_000_003_600 } }],
    ['signed with another key', { signedBy: 'another' }],
    ['of a key that is not published', { header: { kid: 'push-2' } }],
    ['signed by nobody', { signedBy: 'nobody' }],
    ['signed with the public key as a secret', { signedBy: 'public key' }],
    ['that names a key of its own', { signedBy: 'another', header: { jku: 'http://127.0.0.1:9/certs', kid: 'mine' } }],
  ])('is rejected: %s', async (_, faults) => {
    expect(await verified(pushBody(noticeOf(bought)), faults)).toMatchObject({
      ok: false,
      failure: { kind: 'rejected' },
    })
  })
  it('is rejected where there is none, whatever the body is', async () => {
    for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a.b.c', 'a.b.c'])
      for (const body of [pushBody(noticeOf(bought)), 'nonsense'])
        expect(await stores.storeB.verifyPush(header, body)).toMatchObject({ failure: { kind: 'rejected' } })
  })
  it('has a scheme in any case', async () => {
    const header = (await double.push.authorization()).replace('Bearer', 'bEaReR')
    expect((await stores.storeB.verifyPush(header, pushBody(noticeOf(bought)))).ok).toBe(true)
  })
  it('tells how long it lives by the clock of the store', () => {
    expect(Math.abs(now_s() - Date.now() / 1000)).toBeLessThan(600)
  })
  it.each([404, 500, 'silence', 'broken', 'nonsense'] as const)(
    'cannot be checked while the keys are answered with %j: that is not its fault, and passes',
    async (fault) => {
      const own = await startStoreB({ clock: double.clock })
      const { storeB } = storesOver({ storeB: own }, { answer_ms: 500 })
      const push = async (faults?: PushFaults) =>
        storeB.verifyPush(await own.push.authorization(faults), pushBody(noticeOf(bought)))
      own.fault = fault
      expect(await push()).toEqual({ ok: false, failure: { kind: 'unavailable', detail: 'push_keys' } })
      expect(await push({ signedBy: 'nobody' })).toMatchObject({ failure: { kind: 'rejected' } })
      own.fault = undefined
      await expect.poll(async () => (await push()).ok).toBe(true)
      await own.close()
    },
  )
})

describe('a push message', () => {
  const purchase = (kind: string, purchaseToken: string) => ({ provider: 'store_b', packageName, kind, purchaseToken })
  const at = timestamp(1_700_000_000_000)

  it('names the subscription to read again', async () => {
    expect(await told(bought)).toEqual({
      ok: true,
      value: {
        id: 'message-1',
        type: 'subscription:4',
        at,
        purchase: purchase('subscription', 'token-1'),
        voided: null,
      },
    })
  })
  it('names the gift to read again', async () => {
    const said = { oneTimeProductNotification: { notificationType: 2, purchaseToken: 'token-2', sku: 'gift_year' } }
    expect(await told(said)).toMatchObject({ value: { type: 'one_time:2', purchase: purchase('gift', 'token-2') } })
  })
  it.each([
    [1, 'subscription'],
    [2, 'gift'],
  ])('names the voided order of product type %i', async (productType, kind) => {
    const said = {
      voidedPurchaseNotification: { purchaseToken: 'token-3', orderId: 'GPA.1', productType, refundType: 1 },
    }
    expect(await told(said)).toMatchObject({
      value: { type: 'voided', purchase: purchase(kind, 'token-3'), voided: { orderId: 'GPA.1', voidedAt: at } },
    })
  })
  it.each([
    [{ testNotification: { version: '1.0' } }, 'test'],
    [{ pendingRefundReviewNotification: { orderId: 'GPA.1' } }, 'other'],
    [{}, 'other'],
  ])('names no purchase in %j', async (said, type) => {
    expect(await told(said)).toMatchObject({ ok: true, value: { type, purchase: null, voided: null } })
  })
  it('names no purchase of another package', async () => {
    const voided = { purchaseToken: 't', orderId: 'o', productType: 2 }
    for (const said of [bought, { voidedPurchaseNotification: voided }])
      expect(await told({ ...said, packageName: 'example.other' })).toMatchObject({
        value: { purchase: null, voided: null },
      })
  })
  it('may have a time as a number, types of later versions, and its id in the older form', async () => {
    const later = { ...bought.subscriptionNotification, notificationType: 99 }
    const body = pushBody(noticeOf({ subscriptionNotification: later, eventTimeMillis: 5 }), 'message-2')
    const { message } = body as { message: Record<string, unknown> }
    delete message['messageId']
    expect(await verified(body)).toMatchObject({
      value: { id: 'message-2', type: 'subscription:other', at: timestamp(5) },
    })
  })
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'x'],
    ['a list', []],
    ['no message', {}],
    ['a message without data', { message: { messageId: '1' } }],
    ['data that is no base64', { message: { messageId: '1', data: '***' } }],
    ['data that is no JSON', { message: { messageId: '1', data: 'AAAA' } }],
    ['data that is no object', { message: { messageId: '1', data: 'bnVsbA==' } }],
    ['no id', { message: { data: Buffer.from(JSON.stringify(noticeOf(bought))).toString('base64') } }],
    ['no package', pushBody({ eventTimeMillis: '1' })],
    ['a time beyond all calendars', pushBody(noticeOf({ eventTimeMillis: '999999999999999' }))],
    ['an empty token', pushBody(noticeOf({ subscriptionNotification: { notificationType: 4, purchaseToken: '' } }))],
  ])('is none: %s', async (_, body) => {
    expect(await verified(body)).toEqual({ ok: true, value: null })
  })
})
