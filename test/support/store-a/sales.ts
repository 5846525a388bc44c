/** The app that the double sells for. */
export const bundleId = 'example.chat.app'
export const appId = 1_234_567_890
export const storeAProducts = {
  'premium.monthly': 'monthly',
  'premium.yearly': 'yearly',
  'gift.month': 'gift_1_month',
  'gift.year': 'gift_1_year',
} as const

export type StoreAWorld = 'Production' | 'Sandbox'

/** A purchase as the store has it. Members of `transaction` and `renewal` replace those that the double makes. */
export interface Sale {
  readonly originalTransactionId: string
  readonly world: StoreAWorld
  readonly productId: string
  transaction: Readonly<Record<string, unknown>>
  renewal: Readonly<Record<string, unknown>>
  /** The status number of a subscription; by the clock, 1 and then 2, if it is undefined. */
  status: number | undefined
}

export function isSubscription({ productId }: Pick<Sale, 'productId'>): boolean {
  return productId.startsWith('premium.')
}

/** The payload of a sale's transaction. */
export function transactionOf(sale: Sale, now_ms: number, accountTokens: ReadonlyMap<string, string>): object {
  const { originalTransactionId, productId, world } = sale
  const appAccountToken = accountTokens.get(originalTransactionId)
  return {
    transactionId: originalTransactionId,
    originalTransactionId,
    bundleId,
    productId,
    type: isSubscription(sale) ? 'Auto-Renewable Subscription' : 'Consumable',
    quantity: 1,
    inAppOwnershipType: 'PURCHASED',
    storefront: 'USA',
    environment: world,
    signedDate: now_ms,
    ...sale.transaction,
    ...(appAccountToken && { appAccountToken }),
  }
}

/** The payload of its renewal info. */
export function renewalOf({ originalTransactionId, productId, world, renewal }: Sale, now_ms: number): object {
  const ids = { originalTransactionId, productId, environment: world }
  return { ...ids, autoRenewProductId: productId, autoRenewStatus: 1, signedDate: now_ms, ...renewal }
}

/** The number of a subscription's status. */
export function statusOf({ status, transaction }: Sale, now_ms: number): number {
  return status ?? (now_ms < Number(transaction['expiresDate']) ? 1 : 2)
}
