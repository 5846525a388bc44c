import type { Account } from '../../../domain/account/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { contextOfPart } from '../../commands/following-context.ts'
import { purchasesOf } from '../../identity/premium/recompute-premium.ts'
import { newestFirst } from '../../identity/purchases/purchase-object.ts'
import { refreshPurchase } from '../../identity/purchases/read-again.ts'
import type { TellNeeds } from '../../identity/purchases/tell-store.ts'
import type { Ports } from '../../ports.ts'
import { adminStorePurchaseObject, type AdminStorePurchaseObject } from './admin-store-purchase-object.ts'
import { requireAccount } from './require-account.ts'

type Needs = Pick<Ports, 'aggregates' | 'giftBox' | 'queries' | 'stores'>

/** The purchases linked to an account, newest first. Refuses with UNKNOWN_USER. */
export function listUserStorePurchases(ports: Needs) {
  return async (target: AccountId): Promise<readonly AdminStorePurchaseObject[]> => {
    await requireAccount(ports, target)
    return purchasesLinkedTo(ports, target)
  }
}

/**
 * Reads every linked purchase from its store again and applies it. Gives the purchases, newest first. Refuses with
 * UNKNOWN_USER, and with STORE_BILLING_UNAVAILABLE if a store does not answer: those read before stay applied.
 */
export function refreshUserStorePurchases(ports: TellNeeds) {
  return async ({ context }: Caller, target: AccountId): Promise<readonly AdminStorePurchaseObject[]> => {
    await requireAccount(ports, target)
    for (const purchase of await linkedTo(ports, target))
      await refreshPurchase(ports, purchase, contextOfPart(context, `refresh ${purchase}`))
    return purchasesLinkedTo(ports, target)
  }
}

async function linkedTo({ aggregates }: Needs, target: AccountId): Promise<readonly string[]> {
  const { state } = await aggregates.account.load(target)
  return state.status === 'registered' ? purchasesNamedBy(state) : []
}

const purchasesNamedBy = ({ premium }: Account): readonly string[] => premium.purchases.map(({ purchase }) => purchase)

async function purchasesLinkedTo(ports: Needs, target: AccountId): Promise<readonly AdminStorePurchaseObject[]> {
  const { state } = await ports.aggregates.account.load(target)
  if (state.status !== 'registered') return []
  const found = await purchasesOf(ports, purchasesNamedBy(state))
  return newestFirst(found.filter(({ owner }) => owner === target)).map((each) =>
    adminStorePurchaseObject(ports, each, state),
  )
}
