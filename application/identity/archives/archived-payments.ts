import type { Account } from '../../../domain/account/state.ts'
import { shownPurchase } from '../../../domain/store-purchase/shown-purchase.ts'
import type { Ports } from '../../ports.ts'
import { purchasesOf } from '../premium/recompute-premium.ts'
import { newestFirst, purchaseFactsObject, type ReadPurchase } from '../purchases/purchase-object.ts'

/** What archiving payments needs. */
export type PaymentNeeds = Pick<Ports, 'stores'> & {
  readonly aggregates: Pick<Ports['aggregates'], 'storePurchase'>
}

/** The account whose archive is built. */
interface Buyer {
  readonly state: Account
}

const purchasesAtOnce_max = 100

/**
 * What the account has bought in the stores, newest first, as its purchases' streams say now. Without the codes of
 * gifts: whoever reads one may redeem it.
 */
export async function* paymentPages(ports: PaymentNeeds, { state }: Buyer): AsyncGenerator<readonly unknown[]> {
  const links = state.premium.purchases.toSorted((one, other) =>
    BigInt(one.purchaseId) < BigInt(other.purchaseId) ? 1 : -1,
  )
  for (let start = 0; start < links.length; start += purchasesAtOnce_max) {
    const page = links.slice(start, start + purchasesAtOnce_max).map(({ purchase }) => purchase)
    const own = (await purchasesOf(ports, page)).filter(({ owner }) => owner === state.id)
    yield newestFirst(own).map((purchase) => paymentOf(ports, purchase, state))
  }
}

function paymentOf(ports: PaymentNeeds, purchase: ReadPurchase, buyer: Buyer['state']) {
  const { revokedAt, revocationReason } = shownPurchase(purchase)
  const { purchasedAt, startedAt, quantity, region } = purchase.reading.facts
  return {
    ...purchaseFactsObject(ports, purchase, buyer),
    purchased_at: purchasedAt,
    started_at: startedAt,
    quantity,
    region,
    linked_at: purchase.linkedAt,
    revoked_at: revokedAt,
    revocation_reason: revocationReason,
  }
}
