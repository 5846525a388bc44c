import type { StorePurchaseId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { ownAccountState } from '../accounts/own-account-state.ts'
import { purchasesOf } from '../premium/recompute-premium.ts'
import { newestFirst, storePurchaseObject, type StorePurchaseObject } from './purchase-object.ts'
import { settlePurchase, type SettlingNeeds } from './settle-purchase.ts'

/** The purchases linked to the caller, newest first. Refuses with UNAUTHORIZED if the account is gone. */
export function listOwnPurchases(ports: Pick<Ports, 'aggregates' | 'giftBox' | 'stores'>) {
  return async (caller: Caller): Promise<readonly StorePurchaseObject[]> => {
    const owner = await ownAccountState(ports, caller)
    const named = await purchasesOf(
      ports,
      owner.premium.purchases.map(({ purchase }) => purchase),
    )
    return newestFirst(named.filter((purchase) => purchase.owner === owner.id)).map((purchase) =>
      storePurchaseObject(ports, purchase, owner),
    )
  }
}

/**
 * Unlinks a subscription from the caller: another account may claim it. The store is not asked, so it goes on there. Refuses with
 * UNKNOWN_STORE_PURCHASE, for an unknown one as for another account's, and with STORE_PURCHASE_INVALID for a gift.
 */
export function releasePurchase(ports: SettlingNeeds) {
  return async (caller: Caller, purchaseId: StorePurchaseId): Promise<void> => {
    const { id: accountId, premium } = await ownAccountState(ports, caller)
    const { context } = caller
    const link = premium.purchases.find((named) => named.purchaseId === purchaseId)
    if (!link) return reject('UNKNOWN_STORE_PURCHASE')
    const { purchase } = link
    const ownTokenHash = premium.storeToken?.tokenHash ?? null
    const release = { type: 'ReleasePurchase', accountId, ownTokenHash, now: context.now } as const
    const { state } = await ports.aggregates.storePurchase.execute(purchase, release, context)
    await settlePurchase(ports, purchase, context, state)
  }
}
