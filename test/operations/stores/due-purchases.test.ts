import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../application/sql/sql.ts'
import { applyNotification } from '../../../application/processes/apply-notification.ts'
import {
  queueDuePurchases,
  readDuePurchase,
  turn_purchases_max,
} from '../../../application/processes/read-due-purchases.ts'
import { readNotificationHistory } from '../../../application/processes/reconcile-stores.ts'
import { secondsAfter, timestamp } from '../../../domain/kernel/timestamp.ts'
import { startStoreA } from '../../support/store-a/double.ts'
import { startStoreB } from '../../support/store-b/double.ts'
import type { StoreBSale } from '../../support/store-b/sales.ts'
import { testClock } from '../../support/stores/test-clock.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, listOf } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

const clock = testClock()
const [storeA, storeB] = [await startStoreA({ clock }), await startStoreB({ clock })]
const guildhall = await openServer({ hosted: true, stores: { storeA, storeB, answer_ms: 500 } })
const { ports } = guildhall
afterEach(() => {
  storeA.fault = undefined
  storeB.fault = undefined
})
afterAll(() => Promise.all([storeA.close(), storeB.close()]))

const claimB = async ({ token }: TestAccount, sale: StoreBSale) =>
  bodyOf(
    await guildhall.request('POST', '/v1/premium/store/google-play/purchases', {
      token,
      body: { purchase_token: sale.token, product_id: sale.productId },
    }),
  )
const purchaseOf = async ({ token }: TestAccount) =>
  listOf(await guildhall.request('GET', '/v1/premium/store/purchases', { token }))[0]
/** The stream of the only purchase of an account. */
const streamOf = async ({ id }: TestAccount): Promise<string> => {
  const { state } = await ports.aggregates.account.load(id as never)
  if (state.status !== 'registered') throw new Error('no account')
  return String(state.premium.purchases[0]?.purchase)
}
const jobRow = z.object({ attempts: z.int(), last_error: z.string().nullable(), payload: z.unknown() })
const jobOf = (key: string) =>
  guildhall.store.database.maybeOne(sql.type(jobRow)`
    select attempts, last_error, payload from job_queue._private_jobs where key = ${key}`)
/** Ends the wait of a job before its next try, and tells the workers, which otherwise look every 5 s. */
const hurry = (key: string) =>
  guildhall.store.database.any(sql.type(z.object({}))`
    with hurried as (
      update job_queue._private_jobs set run_at = now() where key = ${key} and locked_at is null returning 1
    )
    select pg_notify('jobs:insert', '{"r":"test","count":1}') from hurried`)

describe('a purchase whose time has come', () => {
  it('is read again by a job, and is not due any more', async () => {
    const ada = await guildhall.register()
    const sale = storeB.sell({ productId: 'premium' })
    await claimB(ada, sale)
    const stream = await streamOf(ada)
    const isDue = async (seconds: number) => {
      const due = await ports.queries.storePurchases.due(secondsAfter(timestamp(Date.now()), seconds), 1000)
      return due.some(({ purchase }) => purchase === stream)
    }
    expect([await isDue(6 * 86_400), await isDue(8 * 86_400)]).toEqual([false, true])
    clock.pass(1000)
    sale.canceled = true
    expect(await queueDuePurchases(ports)(secondsAfter(timestamp(Date.now()), 8 * 86_400))).toBeGreaterThan(0)
    await expect.poll(() => purchaseOf(ada)).toMatchObject({ state: 'canceled' })
  })

  it('waits longer after each try while its store does not answer, and has one job', async () => {
    const ada = await guildhall.register()
    const sale = storeB.sell({ productId: 'premium' })
    await claimB(ada, sale)
    const key = `purchase ${await streamOf(ada)}`
    storeB.fault = 500
    const queue = queueDuePurchases(ports)
    for (let turn = 0; turn < 2; turn += 1) await queue(secondsAfter(timestamp(Date.now()), 8 * 86_400))
    await expect.poll(() => jobOf(key)).toMatchObject({ attempts: 1, last_error: 'The store did not answer' })
    expect(JSON.stringify(await jobOf(key))).not.toContain(sale.token)
    storeB.fault = undefined
    clock.pass(1000)
    sale.canceled = true
    await hurry(key)
    await expect.poll(() => purchaseOf(ada)).toMatchObject({ state: 'canceled' })
    await expect.poll(() => jobOf(key)).toBeUndefined()
  })

  it('is given up by its job after ten tries, so that the next turn makes a new one', async () => {
    const ada = await guildhall.register()
    await claimB(ada, storeB.sell({ productId: 'premium' }))
    const stream = await streamOf(ada)
    storeB.fault = 500
    const read = readDuePurchase(ports)
    await expect(read(stream, 9, timestamp(Date.now()))).rejects.toThrow('The store did not answer')
    await read(stream, 10, timestamp(Date.now()))
  })

  it('does not wait for others that cannot be read: the next turn goes on after them', async () => {
    const added: string[] = []
    const all = Array.from({ length: turn_purchases_max + 1 }, (_, index) => ({
      purchase: String(index).padStart(4, '0'),
      dueAt: timestamp(index),
    }))
    const queue = queueDuePurchases({
      jobs: { add: async (_, payload) => void added.push((payload as { purchase: string }).purchase) },
      queries: {
        storePurchases: {
          page: async () => [],
          sandboxSubscriptions: async () => [],
          due: async (_, limit, after) => all.filter((due) => !after || due.dueAt > after.dueAt).slice(0, limit),
        },
      },
    })
    const now = timestamp(Date.now())
    expect([await queue(now), await queue(now), await queue(now)]).toEqual([200, 1, 200])
    expect(new Set(added).size).toBe(201)
  })
})

describe('what a store was to be told and did not take', () => {
  it.each([
    ['an acknowledgement', 'premium', ':acknowledge', 'acknowledged'],
    ['a consumption', 'gift_month', ':consume', 'consumed'],
  ] as const)('is told by a job until it is done: %s', async (_, productId, end, member) => {
    const ada = await guildhall.register()
    const sale = storeB.sell({ productId })
    storeB.fault = ({ path }) => (path.endsWith(end) ? 500 : undefined)
    await claimB(ada, sale)
    const key = `purchase ${await streamOf(ada)}`
    expect(sale[member]).toBe(false)
    expect(await jobOf(key)).toMatchObject({ attempts: 0 })
    clock.pass(1000)
    await hurry(key)
    await expect.poll(() => jobOf(key)).toMatchObject({ attempts: 1, last_error: 'The store was not told yet' })
    storeB.fault = undefined
    clock.pass(1000)
    await hurry(key)
    await expect.poll(() => sale[member]).toBe(true)
    await expect.poll(() => jobOf(key)).toBeUndefined()
  })

  it("is told by a job until it is done: an account's token", async () => {
    const ada = await guildhall.register()
    const sale = storeA.sell({ productId: 'premium.monthly' })
    const tokensSet = () =>
      storeA.seen.filter(({ method, path }) => method === 'PUT' && path.includes(sale.originalTransactionId))
    storeA.fault = ({ method }) => (method === 'PUT' ? 500 : undefined)
    bodyOf(
      await guildhall.request('POST', '/v1/premium/store/store-a/transactions', {
        token: ada.token,
        body: { signed_transaction: await storeA.signedTransaction(sale) },
      }),
    )
    const key = `purchase ${await streamOf(ada)}`
    expect(tokensSet()).toHaveLength(1)
    storeA.fault = undefined
    clock.pass(1000)
    await hurry(key)
    await expect.poll(() => jobOf(key)).toBeUndefined()
    expect(tokensSet()).toHaveLength(2)
  })
})

describe('a notification', () => {
  it('that was tried twelve times stays in the queue, with its last error', async () => {
    const sale = storeB.sell({ productId: 'premium' })
    const key = {
      provider: 'store_b',
      packageName: 'example.chat.android',
      kind: 'subscription',
      purchaseToken: sale.token,
    }
    const sealed = ports.storeBox.seal(['notification'], JSON.stringify({ key, voided: null })).toString('base64')
    storeB.fault = 500
    await ports.jobs.add(
      'store_notification',
      { sealed, id: 'lost', failures: 11 },
      { key: 'store notification lost 11' },
    )
    await expect
      .poll(() => jobOf('store notification lost 11'))
      .toMatchObject({ attempts: 20, last_error: 'The store did not answer in 12 tries', payload: { id: 'lost' } })
    const again = { sealed, id: 'early', failures: 10 }
    expect(await applyNotification(ports)(again, timestamp(Date.now()))).toBe(false)
    expect(await jobOf('store notification early 11')).toMatchObject({ attempts: 0 })
  })

  it("of store A's history that does not verify is counted and skipped", async () => {
    const { token } = await guildhall.register()
    const { app_account_token: appAccountToken } = bodyOf(
      await guildhall.request('GET', '/v1/premium/store', { token }),
    )
    const sale = storeA.sell({ productId: 'premium.monthly', transaction: { appAccountToken } })
    await storeA.notify('SUBSCRIBED', sale, { delivered: false })
    const { stores } = ports
    const storeAWithForgery = {
      ...stores.storeA,
      notificationHistory: async (...asked: Parameters<typeof stores.storeA.notificationHistory>) => {
        const answer = await stores.storeA.notificationHistory(...asked)
        return answer.ok && asked[0].of === 'failures'
          ? { ok: true as const, value: ['forged', ...answer.value] }
          : answer
      },
    }
    const forged = { ...ports, stores: { ...stores, storeA: storeAWithForgery } }
    expect(await readNotificationHistory(forged)(timestamp(clock.now() + 1000))).toBe(1)
    expect(await purchaseOf({ token } as TestAccount)).toMatchObject({ state: 'active' })
  })
})
