import { holdingBack } from '../../adapters/event-store/held-back.ts'
import type { HeldBackEvent } from '../../application/dry-runs/dry-run.ts'
import { inProcessLocks } from '../../adapters/locks/in-process-locks.ts'
import { Refused } from '../../application/commands/refused.ts'
import type { ApplyNeeds } from '../../application/identity/purchases/apply-reading.ts'
import { refreshOnce, storeKeyOf } from '../../application/identity/purchases/read-again.ts'
import type { StoreAnswer, Stores } from '../../application/ports/stores.ts'
import { changesOthers } from '../../domain/store-purchase/evolve.ts'
import type { StorePurchaseEvent } from '../../domain/store-purchase/events.ts'
import { openQueries } from '../../projections/read-models.ts'
import { openAggregates } from '../../process/aggregates.ts'
import { operatorContext } from '../commands/operator-context.ts'
import { portsKeyedBy } from '../../process/keyed-ports.ts'
import type { Store } from '../../process/store.ts'

/** What a reading of a purchase would write, or why there is none. */
export type PurchaseComparison =
  | { readonly outcome: 'same' }
  | { readonly outcome: 'differs'; readonly events: readonly HeldBackEvent[] }
  /** The store gave no answer, or the purchase's secrets are destroyed. */
  | { readonly outcome: 'no answer' | 'forgotten' }

/**
 * Compares a purchase with what its store says now. Nothing is written, and the store is told nothing: the reading is applied to a
 * history that holds appends back.
 */
export async function comparePurchase(store: Store, stores: Stores, purchase: string): Promise<PurchaseComparison> {
  const { store: events, heldBack } = holdingBack(store.events)
  // The states after held-back events belong to no history: no snapshot may keep them.
  const snapshots = { ...store.snapshots, save: async () => undefined }
  const aggregates = openAggregates({ store: events, snapshots })
  const { state } = await aggregates.storePurchase.load(purchase)
  if (state.status === 'absent' || storeKeyOf(state) === null) return { outcome: 'forgotten' }
  const ports: ApplyNeeds = {
    aggregates,
    queries: openQueries(store.database),
    stores: readingOnly(stores),
    locks: inProcessLocks(),
    personalDataKeys: { ...store.keys, destroy: async () => undefined },
    ...portsKeyedBy(store.personalDataKey),
  }
  try {
    await refreshOnce(ports, purchase, operatorContext())
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'STORE_BILLING_UNAVAILABLE') return { outcome: 'no answer' }
    throw error
  }
  const changing = heldBack.filter(changesSomething)
  return changing.length === 0 ? { outcome: 'same' } : { outcome: 'differs', events: changing }
}

/**
 * Every newer reading is recorded, also one that says nothing new. That the store knows of a delivery, which this service told it,
 * changes nothing either.
 */
function changesSomething({ stream, type, data }: HeldBackEvent): boolean {
  if (!stream.startsWith('store_purchase-')) return true
  // The stream of a purchase holds its events alone.
  const event = { type, data } as StorePurchaseEvent
  const isReading = event.type === 'StorePurchaseRead'
  const isDelivery = isReading && Object.keys(event.data.facts).every((name) => name === 'acknowledged')
  return changesOthers(event) && (!isDelivery || 'latestOrder' in event.data.hashes)
}

const untold = async (): Promise<StoreAnswer<never>> => ({
  ok: false,
  failure: { kind: 'unavailable', detail: 'not_asked' },
})

/** The same stores, which are read and told nothing. */
function readingOnly(stores: Stores): Stores {
  return {
    ...stores,
    storeA: { ...stores.storeA, setAccountToken: untold },
    storeB: {
      ...stores.storeB,
      acknowledge: untold,
      consume: untold,
      refund: untold,
      cancel: untold,
      revoke: untold,
    },
  }
}
