import type { StoreAKey, StoreBKey } from '../../ports/stores.ts'
import type { StoreEnvironment } from '../../../domain/store-purchase/purchase-facts.ts'

/** How the purchase's stream is named: provider and the store's own key, before they are hashed. */
export function keyText(key: (StoreAKey & { readonly environment: StoreEnvironment }) | StoreBKey): string {
  return key.provider === 'store_a'
    ? `store_a\n${key.environment}\n${key.originalTransactionId}`
    : `store_b\n${key.purchaseToken}`
}

/** The key of a purchase of store B known by its token alone, such as the one that another replaces. */
export function keyTextOfToken(purchaseToken: string): string {
  return `store_b\n${purchaseToken}`
}
