import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../application/ports/database.js'
import { startStoreA } from '../../support/store-a/double.js'
import { bodyOf, listOf } from '../support/answers.js'
import { openServer } from '../support/scene.js'

const storeA = await startStoreA()
const guildhall = await openServer({ hosted: true, stores: { storeA } })
afterAll(() => storeA.close())

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

/** What everybody sees at the end, without ids and times of this server. */
async function endOf(productId: string, order: readonly Step[]): Promise<unknown> {
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
    const ends = new Set<string>()
    for (const order of ordersOf<Step>(['claimed', 'renewed', 'refunded', 'reversed']))
      ends.add(JSON.stringify(await endOf(productId, order)))
    expect([...ends]).toHaveLength(1)
    expect(JSON.parse([...ends].join(''))).toMatchObject({ shown: [{ state, entitled: true }] })
  })
})
