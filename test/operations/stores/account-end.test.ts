import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { finishUnfinished } from '../../../application/processes/finish-unfinished.ts'
import { whatErasureTakes } from '../../../application/identity/erasure/what-erasure-takes.ts'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { isPaidNow } from '../../../domain/premium/premium-now.ts'
import { administrator } from '../../support/administrators.ts'
import { startStoreA } from '../../support/store-a/double.ts'
import { startStoreB } from '../../support/store-b/double.ts'
import type { StoreBSale } from '../../support/store-b/sales.ts'
import { testClock } from '../../support/stores/test-clock.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf } from '../support/answers.ts'
import { deletionsBy } from '../administration/users/support.ts'
import { deletionIsDue, erase } from '../support/erasure.ts'
import { openServer } from '../support/scene.ts'

const clock = testClock()
const [storeA, storeB] = [await startStoreA({ clock }), await startStoreB({ clock })]
const guildhall = await openServer({ hosted: true, stores: { storeA, storeB, answer_ms: 500 } })
const { ports } = guildhall
const root = await administrator(guildhall, '*')
afterEach(() => {
  storeB.fault = undefined
})
afterAll(() => Promise.all([storeA.close(), storeB.close()]))

const idOf = ({ id }: TestAccount) => accountId(snowflake(id))
const asked = (sale: StoreBSale, what: string) =>
  storeB.seen.filter(({ path }) => path.includes(sale.token) && path.endsWith(`:${what}`)).length
const { schedule, cancelAt } = deletionsBy(guildhall, root)
/** Gives when it is due. */
const scheduled = async (account: TestAccount): Promise<unknown> => {
  const user = bodyOf(await schedule(account, { reason_code: 3, days: 90, notify_user: false }))['user']
  return (user as Record<string, unknown>)['pending_deletion_at']
}
const isPremium = async (account: TestAccount): Promise<boolean> => {
  const { state } = await ports.aggregates.account.load(idOf(account))
  return state.status === 'registered' && isPaidNow(state.premium, timestamp(Date.now() + 60_000))
}
const statesOf = async ({ id }: TestAccount): Promise<readonly unknown[]> => {
  const answer = await guildhall.request('GET', `/v1/admin/users/${id}/store-purchases`, { token: root.token })
  return (bodyOf(answer)['purchases'] as readonly { readonly state: unknown }[]).map(({ state }) => state)
}
const plan = (account: TestAccount) => whatErasureTakes(ports)(idOf(account))

/** An account with a subscription of store B, which the clock leaves behind: the next reading is a newer one. */
async function subscriber(): Promise<{ readonly ada: TestAccount; readonly sale: StoreBSale }> {
  const ada = await guildhall.register()
  const sale = storeB.sell({ productId: 'premium' })
  const body = { purchase_token: sale.token, product_id: sale.productId }
  bodyOf(await guildhall.request('POST', '/v1/premium/store/google-play/purchases', { token: ada.token, body }))
  clock.pass(1000)
  return { ada, sale }
}

/** What the worker does later with everything that was begun. */
async function finish(): Promise<number> {
  const now = timestamp(Date.now() + 1000)
  await ports.readModels.reached(await guildhall.store.events.end())
  return (await finishUnfinished(ports)(now, now)).failures.filter(({ step }) => /erasure|billing/.test(step.process))
    .length
}

describe('a deletion that an administrator schedules', () => {
  it('revokes the subscriptions of store B with a refund, once, and premium ends', async () => {
    const { ada, sale } = await subscriber()
    await scheduled(ada)
    expect(await isPremium(ada)).toBe(true)
    expect(await finish()).toBe(0)
    expect(await isPremium(ada)).toBe(false)
    expect(sale.ended).toBe(true)
    expect(await statesOf(ada)).toEqual(['expired'])
    await finish()
    expect(asked(sale, 'revoke')).toBe(1)
    expect(await plan(ada)).toMatchObject({ subscriptions: { storeB_count: 1, storeA_count: 0 } })
  })

  it('tries again while the store does not answer, and after a process that died in between', async () => {
    const { ada, sale } = await subscriber()
    await scheduled(ada)
    storeB.fault = 500
    expect(await finish()).toBe(1)
    expect(sale.ended).toBe(false)
    // It died after the store had revoked, before the reading.
    storeB.fault = ({ method }) => (method === 'GET' ? 500 : undefined)
    expect(await finish()).toBe(1)
    expect([sale.ended, ...(await statesOf(ada))]).toEqual([true, 'active'])
    storeB.fault = ({ path }) => (path.endsWith(':revoke') ? 400 : undefined)
    expect(await finish()).toBe(0)
    expect(await statesOf(ada)).toEqual(['expired'])
  })

  it('revokes nothing if it is cancelled before', async () => {
    const { ada, sale } = await subscriber()
    bodyOf(await cancelAt(ada, await scheduled(ada)))
    expect(await finish()).toBe(0)
    expect([asked(sale, 'revoke'), sale.ended, await isPremium(ada)]).toEqual([0, false, true])
  })

  it('does not give back what it revoked when it is cancelled, and says so', async () => {
    const { ada, sale } = await subscriber()
    const due = await scheduled(ada)
    await finish()
    clock.pass(1000)
    bodyOf(
      await guildhall.request('DELETE', `/v1/admin/users/${ada.id}/deletion`, {
        token: root.token,
        body: { expected_pending_deletion_at: due, notify_user: true },
      }),
    )
    expect((await guildhall.mailTo(ada.email)).text).toContain('do not come back')
    expect(await finish()).toBe(0)
    expect([sale.ended, ...(await statesOf(ada))]).toEqual([true, 'expired'])
  })

  it('leaves subscriptions of store A to their customer', async () => {
    const ada = await guildhall.register()
    const sale = storeA.sell({ productId: 'premium.monthly' })
    const body = { signed_transaction: await storeA.signedTransaction(sale) }
    bodyOf(await guildhall.request('POST', '/v1/premium/store/store-a/transactions', { token: ada.token, body }))
    await scheduled(ada)
    expect(await finish()).toBe(0)
    expect(await statesOf(ada)).toEqual(['active'])
    expect(await plan(ada)).toMatchObject({ subscriptions: { storeB_count: 0, storeA_count: 1 } })
  })
})

describe('an erasure', () => {
  it('cancels the subscriptions of store B, without a refund', async () => {
    const { ada, sale } = await subscriber()
    await deletionIsDue(guildhall, ada)
    expect(await plan(ada)).toMatchObject({ subscriptions: { storeB_count: 1, storeA_count: 0 } })
    expect(await erase(guildhall, ada)).toBe(true)
    expect([sale.canceled, sale.ended, asked(sale, 'cancel')]).toEqual([true, false, 1])
  })

  it('removes all else while the store does not answer, and is finished once it does', async () => {
    const { ada, sale } = await subscriber()
    const { state } = await ports.aggregates.account.load(idOf(ada))
    const purchase = state.status === 'registered' ? String(state.premium.purchases[0]?.purchase) : ''
    await deletionIsDue(guildhall, ada)
    storeB.fault = 500
    await expect(erase(guildhall, ada)).rejects.toThrow('STORE_BILLING_UNAVAILABLE')
    expect(JSON.stringify((await ports.aggregates.account.load(idOf(ada))).state)).not.toContain(ada.email)
    const secretOf = async () => {
      const { state: known } = await ports.aggregates.storePurchase.load(purchase)
      return known.status === 'seen' ? known.storeKey : undefined
    }
    // Without it nobody could cancel it any more.
    expect(await secretOf()).toBe(sale.token)
    storeB.fault = undefined
    expect(await finish()).toBe(0)
    expect(sale.canceled).toBe(true)
    expect((await ports.aggregates.account.load(idOf(ada))).state.status).toBe('erased')
  })
})
