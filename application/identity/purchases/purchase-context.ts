import { hasPremiumFlag } from '../../../domain/premium/premium-flags.ts'
import type { Account } from '../../../domain/account/state.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import { ownAccountState } from '../accounts/own-account-state.ts'
import { activeSubscription } from '../premium/recompute-premium.ts'
import { storeTokenOf } from './store-token.ts'

/**
 * What an app needs to sell premium to the caller. The first read makes the account's token. Refuses with UNAUTHORIZED
 * if the account is gone. See rules/stores#context.
 */
export function getPurchaseContext(ports: Pick<Ports, 'aggregates' | 'storeHash' | 'stores'>) {
  return async (caller: Caller) => {
    const { storeA, storeB } = ports.stores
    const token = await storeTokenOf(ports, caller.account.id, caller.context)
    const account = await ownAccountState(ports, caller)
    return {
      app_account_token: token,
      app_store: {
        enabled: storeA.settings.enabled,
        bundle_ids: storeA.settings.bundleIds,
        products: storeA.settings.products.map(({ productId, slot }) => ({ product_id: productId, slot })),
      },
      google_play: {
        enabled: storeB.settings.enabled,
        package_names: storeB.settings.packageNames,
        products: storeB.settings.products.map(({ productId, basePlanId, slot }) => ({
          product_id: productId,
          base_plan_id: basePlanId,
          slot,
        })),
      },
      ...(await blockOf(ports, account)),
    }
  }
}

/** Why the account cannot buy a subscription; the first reason that applies. No card provider is connected. */
async function blockOf(ports: Pick<Ports, 'aggregates' | 'stores'>, account: Account) {
  const because = (reason: 'lifetime' | 'purchase_disabled' | null) => ({
    purchase_blocked_reason: reason,
    blocking_provider: null,
  })
  if (account.premium.type === 2) return because('lifetime')
  if (hasPremiumFlag(account, 'PURCHASE_DISABLED')) return because('purchase_disabled')
  const subscription = await activeSubscription(ports, account.id)
  if (!subscription) return because(null)
  return { purchase_blocked_reason: 'existing_subscription', blocking_provider: subscription.provider } as const
}
