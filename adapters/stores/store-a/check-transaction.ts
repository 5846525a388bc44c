import type { StoreAKey } from '../../../application/ports/stores.ts'
import {
  kindOf,
  type PurchaseKind,
  type PurchaseSlot,
  type StoreEnvironment,
} from '../../../domain/store-purchase/purchase-facts.ts'
import { StoreFailed } from '../store-failed.ts'
import type { StoreASetup } from '../store-settings.ts'
import type { TransactionPayload } from './payloads.ts'

const renewing = 'Auto-Renewable Subscription'

/** A key of store A with its environment. */
export type KnownStoreAKey = StoreAKey & { readonly environment: StoreEnvironment }

/** Undefined for transactions of local testing, which no store has signed. */
export function environmentOf(text: string): StoreEnvironment | undefined {
  if (text === 'Production') return 'production'
  return text === 'Sandbox' ? 'sandbox' : undefined
}

/** The environment that signed data names. Throws StoreFailed, `rejected`, for local testing. */
export function requireEnvironment(text: string): StoreEnvironment {
  const environment = environmentOf(text)
  if (!environment) throw new StoreFailed('rejected', 'invalid_environment')
  return environment
}

/** The slot of a transaction's product; undefined if it is not configured, or is sold there as something else. */
export function slotOf({ products }: StoreASetup, { productId, type }: TransactionPayload): PurchaseSlot | undefined {
  const slot = products.get(productId)
  return slot !== undefined && (kindOf(slot) === 'subscription') === (type === renewing) ? slot : undefined
}

/** The same for the kind of purchase that is asked for. Throws StoreFailed, `rejected`. */
export function requireSlot(setup: StoreASetup, transaction: TransactionPayload, kind?: PurchaseKind): PurchaseSlot {
  const slot = slotOf(setup, transaction)
  if (slot === undefined || (kind !== undefined && kindOf(slot) !== kind))
    throw new StoreFailed('rejected', 'unknown_product')
  return slot
}

export function keyOf(
  { bundleId, originalTransactionId }: TransactionPayload,
  slot: PurchaseSlot,
  environment: StoreEnvironment,
): KnownStoreAKey {
  return { provider: 'store_a', environment, bundleId, kind: kindOf(slot), originalTransactionId }
}
