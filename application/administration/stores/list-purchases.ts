import type { Ports } from '../../ports.ts'
import type { WantedPurchases } from '../../ports/queries/store-purchase-queries.ts'
import {
  listedPurchaseObject,
  type ListedPurchaseObject,
} from '../../wire-objects/administration/listed-purchase-object.ts'

export interface PurchasesPage {
  readonly purchases: readonly ListedPurchaseObject[]
  readonly has_more: boolean
  readonly next_after: string | null
}

/** A page of the purchases in the stores, those that were seen last first, and what the next page begins after. */
export function listPurchases({ queries }: { readonly queries: Pick<Ports['queries'], 'storePurchases'> }) {
  return async (wanted: WantedPurchases): Promise<PurchasesPage> => {
    const found = await queries.storePurchases.page({ ...wanted, limit: wanted.limit + 1 })
    const purchases = found.slice(0, wanted.limit)
    const last = found.length > wanted.limit ? purchases.at(-1) : undefined
    return {
      purchases: purchases.map(listedPurchaseObject),
      has_more: last !== undefined,
      next_after: last ? `${last.seenAt}_${last.id}` : null,
    }
  }
}
