import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../application/sql/sql.ts'
import { startStoreA } from '../../support/store-a/double.ts'
import { startStoreB } from '../../support/store-b/double.ts'
import { pushBody } from '../../support/store-b/push.ts'
import { packageName, type StoreBSale } from '../../support/store-b/sales.ts'
import { bodyOf, listOf } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

const storeA = await startStoreA()
const storeB = await startStoreB({ clock: storeA.clock })
const guildhall = await openServer({ hosted: true, stores: { storeA, storeB } })
afterAll(() => Promise.all([storeA.close(), storeB.close()]))

const waiting = sql.type(z.object({ count: z.int() }))`
  select count(*)::int from job_queue.jobs where task_identifier = 'store_notification'`

function ordersOf<Step>(steps: readonly Step[]): readonly (readonly Step[])[] {
  if (steps.length <= 1) return [steps]
  return steps.flatMap((first) =>
    ordersOf(steps.filter((step) => step !== first)).map((rest): readonly Step[] => [first, ...rest]),
  )
}

/** A sale that was renewed, refunded, and given back, and what the store has signed meanwhile. */
async function historyOf(productId: string, appAccountToken: unknown) {
  const sale = storeA.sell({ productId, transaction: { appAccountToken } })
  const claimed = await storeA.signedTransaction(sale)
  if (productId.startsWith('premium.'))
    sale.transaction = { ...sale.transaction, expiresDate: storeA.clock.now() + 60 * 86_400_000 }
  const renewed = await storeA.notify('DID_RENEW', sale)
  const paid = sale.transaction
  sale.transaction = { ...paid, revocationDate: storeA.clock.now() }
  const refunded = await storeA.notify('REFUND', sale)
  sale.transaction = paid
  const reversed = await storeA.notify('REFUND_REVERSED', sale)
  return { claimed, renewed, refunded, reversed }
}

type Step = 'claimed' | 'renewed' | 'refunded' | 'reversed'

/** Whose purchase it was. */
async function played(productId: string, order: readonly Step[]): Promise<string> {
  const { token } = await guildhall.register()
  const { app_account_token } = bodyOf(await guildhall.request('GET', '/v1/premium/store', { token }))
  const signed = await historyOf(productId, app_account_token)
  for (const step of [...order, 'renewed', 'refunded'] as const) {
    const answer =
      step === 'claimed'
        ? await guildhall.request('POST', '/v1/premium/store/store-a/transactions', {
            token,
            body: { signed_transaction: signed.claimed },
          })
        : await guildhall.request('POST', '/webhooks/store-a', { body: { signedPayload: signed[step] } })
    expect(answer.status).toBe(200)
  }
  return token
}

/** What everybody sees once every notification is applied, without ids and times of this server. */
async function shownTo(token: string) {
  await expect.poll(() => guildhall.store.database.any(waiting)).toEqual([{ count: 0 }])
  const purchases = listOf(await guildhall.request('GET', '/v1/premium/store/purchases', { token }))
  const { premium_type, premium_until, unread_gift_inventory_count } = bodyOf(
    await guildhall.request('GET', '/v1/users/@me', { token }),
  )
  const shown = purchases.map(({ id: _id, created_at: _at, gift_code: code, ...rest }) => ({
    ...rest,
    hasCode: code !== null,
  }))
  return { shown, premium_type, premium_until, unread_gift_inventory_count }
}

describe('claim, renewal, refund and reversal, with old notifications sent again,', () => {
  it.each([
    ['premium.monthly', 'active'],
    ['gift.month', 'fulfilled'],
  ])('of %s end in one state in every order', { timeout: 240_000 }, async (productId, state) => {
    const all = ordersOf<Step>(['claimed', 'renewed', 'refunded', 'reversed']).map((order) => played(productId, order))
    const ends = new Set<string>()
    for (const token of await Promise.all(all)) ends.add(JSON.stringify(await shownTo(token)))
    expect([...ends]).toHaveLength(1)
    expect(JSON.parse([...ends].join(''))).toMatchObject({ shown: [{ state, entitled: true }] })
  })
})

/** A sale of store B that is over with its first order, was renewed if it may be, and what the store pushes meanwhile. */
function historyInB(productId: string) {
  const sale = storeB.sell({ productId })
  const { orderId: firstOrder, token: purchaseToken } = sale
  const isGift = productId.startsWith('gift')
  if (!isGift) {
    sale.orderId = `${firstOrder}..0`
    sale.expires_ms += 30 * 86_400_000
  }
  const notice = (about: object): object =>
    pushBody({ version: '1.0', packageName, eventTimeMillis: String(storeB.clock.now()), ...about })
  const told = (notificationType: number): object =>
    notice({
      [isGift ? 'oneTimeProductNotification' : 'subscriptionNotification']: { notificationType, purchaseToken },
    })
  const voided = { purchaseToken, orderId: firstOrder, productType: isGift ? 2 : 1, refundType: 1 }
  return { sale, renewed: told(2), refunded: notice({ voidedPurchaseNotification: voided }), reversed: told(1) }
}

const pushed = async (body: object): Promise<void> => {
  const authorization = await storeB.push.authorization()
  expect(await guildhall.request('POST', '/webhooks/store-b', { body, headers: { authorization } })).toMatchObject({
    status: 204,
  })
}

const claimedOfB = async (
  token: string,
  { token: purchase_token, productId: product_id }: StoreBSale,
): Promise<void> => {
  const body = { purchase_token, product_id }
  const answer = await guildhall.request('POST', '/v1/premium/store/google-play/purchases', { token, body })
  expect(answer.status).toBe(200)
}

describe('the same of store B, where a voided order is not given back but followed by a later one,', () => {
  it.each([
    ['premium', 'active', true],
    ['gift_month', 'refunded', false],
  ])('ends in one state in every order: %s', { timeout: 240_000 }, async (productId, state, entitled) => {
    const all = ordersOf<Step>(['claimed', 'renewed', 'refunded', 'reversed']).map(async (order) => {
      const { token } = await guildhall.register()
      const { sale, ...notices } = historyInB(productId)
      for (const step of [...order, 'renewed', 'refunded'] as const)
        await (step === 'claimed' ? claimedOfB(token, sale) : pushed(notices[step]))
      return token
    })
    const ends = new Set<string>()
    for (const token of await Promise.all(all)) {
      const { shown, premium_type } = await shownTo(token)
      // A gift whose refund came before its claim has no code; one that came later has a code that nobody can redeem.
      const seen = shown.map(({ hasCode: _, ...rest }) => rest)
      ends.add(JSON.stringify({ seen, premium_type }))
    }
    expect([...ends]).toHaveLength(1)
    expect(JSON.parse([...ends].join(''))).toMatchObject({ seen: [{ state, entitled }] })
  })
})
