import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { isEntitled } from '../../../domain/store-purchase/shown-purchase.ts'
import { contextOfPart } from '../../commands/following-context.ts'
import { systemContext } from '../../commands/system-context.ts'
import type { Ports } from '../../ports.ts'
import { ownerRights } from '../purchases/purchase-object.ts'
import { purchasesOf, recomputePremium, type PremiumNeeds } from './recompute-premium.ts'

const page_purchases = 200

/**
 * Has premium follow who may use test purchases, which an operator changes without a store saying anything: it ends at once where they
 * count no more, and begins where they count now. Gives how many accounts were computed again. Safe to repeat.
 */
export function followSandboxRules(
  ports: PremiumNeeds & { readonly queries: Pick<Ports['queries'], 'storePurchases'> },
) {
  return async (now: Timestamp): Promise<number> => {
    const context = systemContext('sandbox rules', now)
    let computed_count = 0
    let after: string | undefined
    for (;;) {
      const page = await ports.queries.storePurchases.sandboxSubscriptions(page_purchases, after)
      for (const purchase of await purchasesOf(ports, page)) {
        const { owner } = purchase
        if (owner === null) continue
        const { state } = await ports.aggregates.account.load(owner)
        if (state.status !== 'registered') continue
        const paysNow = state.premium.type === 1 && state.premium.paidBy === purchase.purchase
        if (paysNow === isEntitled(purchase, ownerRights(ports, state))) continue
        await recomputePremium(ports, owner, contextOfPart(context, purchase.purchase))
        computed_count += 1
      }
      after = page.at(-1)
      if (page.length < page_purchases) return computed_count
    }
  }
}
