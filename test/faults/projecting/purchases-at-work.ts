import { expect, vi } from 'vitest'
import type { PostgresConnection } from '../../../adapters/postgres/database.ts'
import { streamName } from '../../../domain/streams.ts'
import { listOf } from '../../operations/support/answers.ts'
import { startStoreA } from '../../support/store-a/double.ts'
import { startStoreB } from '../../support/store-b/double.ts'
import { pushBody } from '../../support/store-b/push.ts'
import { packageName } from '../../support/store-b/sales.ts'
import { runningClock } from '../../support/stores/test-clock.ts'
import { startTestGuildhall, type RequestOptions, type TestAccount } from '../../support/test-guildhall.ts'
import { patience_ms } from '../../support/pace.ts'

/** Claims and notifications of both stores, while something is out. */
export interface PurchasesAtWork {
  /** A newcomer buys and claims a subscription and a gift in each store, then both stores tell of refunds and cancellations. */
  act(): Promise<void>
  /**
   * Waits until the notifications that were accepted are applied. Counts the buyers who see other purchases than they have, and the
   * links and codes that an account got more than once.
   */
  findings(): Promise<{ readonly lost: number; readonly repeated: number }>
  close(): Promise<void>
}

export interface PurchasesPlace {
  readonly connection: PostgresConnection
  readonly personalDataKey: Uint8Array
  readonly natsServers: readonly string[]
}

/** What an account sees of its purchases at the end. */
const gifts_count = 2
const bought = ['gift_1_month refunded', 'gift_1_year fulfilled', 'monthly canceled', 'monthly revoked']

/** Starts a server that sells, without a projector of its own. */
export async function purchasesAtWork(place: PurchasesPlace): Promise<PurchasesAtWork> {
  const clock = runningClock()
  const [storeA, storeB] = await Promise.all([startStoreA({ clock }), startStoreB({ clock })])
  const guildhall = await startTestGuildhall({ ...place, stores: { storeA, storeB }, roles: ['api', 'worker'] })
  const buyers: TestAccount[] = []

  /** Repeats a request while it is answered with 503, as apps and stores do. */
  async function deliver(path: string, options: RequestOptions): Promise<void> {
    const answer = async () => (await guildhall.request('POST', path, options)).status
    await expect.poll(answer).toBeLessThan(300)
  }
  const tellA = async (type: string, sale: Parameters<typeof storeA.notify>[1]) =>
    deliver('/webhooks/store-a', { body: { signedPayload: await storeA.notify(type, sale) } })
  const tellB = async (about: object) => {
    const body = pushBody({ version: '1.0', packageName, eventTimeMillis: String(clock.now()), ...about })
    await deliver('/webhooks/store-b', { body, headers: { authorization: await storeB.push.authorization() } })
  }
  const seenBy = async ({ token }: TestAccount) =>
    listOf(await guildhall.request('GET', '/v1/premium/store/purchases', { token }))
      .map(({ slot, state }) => `${String(slot)} ${String(state)}`)
      .toSorted()
  const gotBy = async ({ id }: TestAccount): Promise<number> => {
    let count = 0
    for await (const page of guildhall.store.events.readStream(streamName('account', id), -1))
      count += page.filter(({ type }) => type === 'PurchaseLinked' || type === 'GiftCodeObtained').length
    return count
  }

  return {
    async act() {
      const buyer = await guildhall.register()
      const { token } = buyer
      const [subscriptionA, giftA] = [
        storeA.sell({ productId: 'premium.monthly' }),
        storeA.sell({ productId: 'gift.year' }),
      ]
      const [subscriptionB, giftB] = [storeB.sell({ productId: 'premium' }), storeB.sell({ productId: 'gift_month' })]
      const claims = [subscriptionA, giftA].map(async (sale) =>
        deliver('/v1/premium/store/store-a/transactions', {
          token,
          body: { signed_transaction: await storeA.signedTransaction(sale) },
        }),
      )
      const others = [subscriptionB, giftB].map(({ token: purchase_token, productId: product_id }) =>
        deliver('/v1/premium/store/google-play/purchases', { token, body: { purchase_token, product_id } }),
      )
      await Promise.all([...claims, ...others])
      buyers.push(buyer)
      subscriptionA.status = 5
      subscriptionA.transaction = { ...subscriptionA.transaction, revocationDate: clock.now() }
      subscriptionB.canceled = true
      const { token: purchaseToken, orderId } = giftB
      await Promise.all([
        tellA('REFUND', subscriptionA),
        tellB({ subscriptionNotification: { notificationType: 3, purchaseToken: subscriptionB.token } }),
        tellB({ voidedPurchaseNotification: { purchaseToken, orderId, productType: 2, refundType: 1 } }),
      ])
    },
    async findings() {
      const left = async () => (await Promise.all(buyers.map(seenBy))).filter((seen) => seen.join() !== bought.join())
      await vi.waitUntil(async () => (await left()).length === 0, { timeout: patience_ms }).catch(() => undefined)
      const counts = await Promise.all(buyers.map(gotBy))
      return {
        lost: (await left()).length,
        repeated: counts.filter((got) => got !== bought.length + gifts_count).length,
      }
    },
    async close() {
      await guildhall.close()
      await Promise.all([storeA.close(), storeB.close()])
    },
  }
}
