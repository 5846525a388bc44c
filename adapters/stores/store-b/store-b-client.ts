import type { StoreAnswer, StoreB, StoreBKey, StoreReading, VoidedPurchase } from '../../../application/ports/stores.ts'
import { msOf, timestamp, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { nothingToRead } from '../ask-store.ts'
import { answered, StoreFailed } from '../store-failed.ts'
import type { StoreBSetup } from '../store-settings.ts'
import { productPurchase, subscriptionPurchase, voidedPage } from './answers.ts'
import { giftFacts, subscriptionFacts } from './purchase-facts.ts'
import { pushedNotification } from './push-messages.ts'
import { pushTokenVerifier } from './push-tokens.ts'
import { storeBApi, type AskStoreB, type StoreBTimes } from './store-b-api.ts'

/** Store B, without its settings, and how its purchases are read. */
export interface StoreBClient extends Omit<StoreB, 'settings'> {
  read(key: StoreBKey): Promise<StoreAnswer<StoreReading>>
}

/** Talks to store B over HTTPS. */
export function storeBClient(setup: StoreBSetup, times: StoreBTimes): StoreBClient {
  const ask = storeBApi(setup, times)
  const verifyToken = pushTokenVerifier(setup, times)
  const change = (packageName: string, path: () => string, body?: object) =>
    answered(async () => {
      const call = { packageName, method: 'POST', path: path(), ...(body && { body }) } as const
      await ask({ ...call, reply: nothingToRead, badRequest: 'rejected' })
      return null
    })
  return {
    read: (key) => answered(() => read(setup, ask, key, timestamp(times.now()))),
    verifyPush: (authorization, body) =>
      answered(async () => {
        await verifyToken(authorization)
        return pushedNotification(setup, body)
      }),
    acknowledge: ({ packageName, purchaseToken }, productId) =>
      change(packageName, () => `purchases/subscriptions/${part(productId)}/tokens/${part(purchaseToken)}:acknowledge`),
    consume: ({ packageName, purchaseToken }, productId) =>
      change(packageName, () => `purchases/products/${part(productId)}/tokens/${part(purchaseToken)}:consume`),
    refund: (packageName, orderId) => change(packageName, () => `orders/${part(orderId)}:refund?revoke=true`),
    cancel: ({ packageName, purchaseToken }) =>
      change(packageName, () => `purchases/subscriptionsv2/tokens/${part(purchaseToken)}:cancel`, {
        cancellationContext: { cancellationType: 'DEVELOPER_REQUESTED_STOP_PAYMENTS' },
      }),
    revoke: ({ packageName, purchaseToken }) =>
      change(packageName, () => `purchases/subscriptionsv2/tokens/${part(purchaseToken)}:revoke`, {
        revocationContext: { fullRefund: {} },
      }),
    voidedPurchases: (packageName, since, pages_max) =>
      answered(() => voidedPurchases(ask, packageName, since, pages_max)),
  }
}

async function read(setup: StoreBSetup, ask: AskStoreB, key: StoreBKey, asOf: Timestamp): Promise<StoreReading> {
  const { packageName, purchaseToken, kind } = key
  const call = { packageName, method: 'GET', badRequest: 'not found' } as const
  const token = part(purchaseToken)
  if (kind === 'gift') {
    const gift = await ask({ ...call, path: `purchases/productsv2/tokens/${token}`, reply: productPurchase })
    return { key, asOf, ...giftFacts(setup, packageName, gift) }
  }
  const path = `purchases/subscriptionsv2/tokens/${token}`
  const subscription = await ask({ ...call, path, reply: subscriptionPurchase })
  return { key, asOf, ...subscriptionFacts(setup, packageName, subscription, asOf) }
}

/** Orders that were refunded or revoked, those of subscriptions too; at most `pages_max` pages. */
async function voidedPurchases(
  ask: AskStoreB,
  packageName: string,
  since: Timestamp,
  pages_max: number,
): Promise<readonly VoidedPurchase[]> {
  const found: VoidedPurchase[] = []
  let token: string | null = null
  for (let page = 0; page < pages_max; page += 1) {
    const query: URLSearchParams = new URLSearchParams({ type: '1', startTime: String(msOf(since)) })
    if (token !== null) query.set('token', token)
    const answer = await ask({
      packageName,
      method: 'GET',
      path: `purchases/voidedpurchases?${query.toString()}`,
      reply: voidedPage,
      badRequest: 'rejected',
    })
    for (const { purchaseToken, orderId, voidedTimeMillis } of answer.voidedPurchases ?? [])
      found.push({ packageName, purchaseToken, orderId, voidedAt: voidedTimeMillis })
    token = answer.tokenPagination?.nextPageToken ?? null
    if (token === null) break
  }
  return found
}

/** A part of a path, from a token or an id of a client. A name that URLs resolve, or that is no text, belongs to no purchase. */
function part(text: string): string {
  try {
    if (text !== '.' && text !== '..') return encodeURIComponent(text)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
  }
  throw new StoreFailed('not found', 'unusable_token')
}
