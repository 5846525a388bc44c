import { hasPremiumFlag } from '../../../domain/premium/premium-flags.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { endOf } from '../../../domain/premium/premium.ts'
import { isPaidNow, shownPremium } from '../../../domain/premium/premium-now.ts'
import { shownPurchase } from '../../../domain/store-purchase/shown-purchase.ts'
import type { StorePurchase } from '../../../domain/store-purchase/state.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import { premiumMembers } from '../../wire-objects/identity/user-objects.ts'
import type { Ports } from '../../ports.ts'
import { activeSubscription } from './recompute-premium.ts'

export type PremiumStateNeeds = Pick<Ports, 'aggregates' | 'instance' | 'queries' | 'readModels' | 'stores'>

/** What the account of the caller has of premium, and where that comes from. Refuses with UNKNOWN_USER. */
export function getPremiumState(ports: PremiumStateNeeds) {
  return async ({ account, context }: Caller, countryCode: string | null): Promise<PremiumStateObject> => {
    const { hosted } = ports.instance
    const subscription = hosted ? await activeSubscription(ports, account.id) : undefined
    return premiumStateObject(account, { now: context.now, hosted, countryCode, subscription })
  }
}

/** The state after a command of the caller. */
export async function renewedPremiumState(ports: PremiumStateNeeds, caller: Caller): Promise<PremiumStateObject> {
  await ports.readModels.reached(caller.context.written)
  const account = (await ports.queries.accounts.find(caller.account.id)) ?? reject('UNKNOWN_USER')
  return getPremiumState(ports)({ ...caller, account }, null)
}

interface StateFacts {
  readonly now: Timestamp
  readonly hosted: boolean
  readonly countryCode: string | null
  readonly subscription: StorePurchase | undefined
}

export type PremiumStateObject = ReturnType<typeof premiumStateObject>

function premiumStateObject(account: AccountRecord, { now, hosted, countryCode, subscription }: StateFacts) {
  const { premium } = account
  const shown = shownPremium(account, account.everyoneHasPremium, now)
  const store = subscription ? storeSubscriptionObject(subscription) : null
  return {
    actual: {
      ...premiumMembers({ ...premium, isActive: true, until: endOf(premium) }),
      premium_lifetime_sequence: premium.type === 2 ? premium.lifetimeNumber : null,
      has_active_paid_premium: isPaidNow(premium, now),
      is_visionary: premium.type === 2,
      has_ever_purchased: premium.hasEverPurchased,
    },
    effective: {
      is_premium: shown.isActive,
      ...premiumMembers(shown),
      premium_enabled_override: hasPremiumFlag(account, 'ENABLED_OVERRIDE'),
      premium_purchase_disabled: hasPremiumFlag(account, 'PURCHASE_DISABLED'),
      premium_perks_disabled: hasPremiumFlag(account, 'PERKS_DISABLED'),
      self_hosted: !hosted,
      bot: account.bot,
    },
    billing: noBilling,
    pricing: { country_code: countryCode, localized: null },
    store,
    subscription_provider: store?.provider ?? null,
  }
}

/** There is no card provider here. */
const noBilling = {
  customer_id: null,
  current_subscription_price: null,
  pending_subscription_change: null,
  subscription: null,
  invoices: [],
  invoices_has_more: false,
  payment_methods: [],
  refund_eligibility: {
    eligible: false,
    reason: 'feature_unavailable',
    invoice_id: null,
    invoice_amount_paid_cents: null,
    currency: null,
    paid_at: null,
    refund_window_expires_at: null,
    cooldown_expires_at: null,
    cancels_subscription: false,
  },
} as const

/** A subscription that grants premium, as the premium state shows it. */
function storeSubscriptionObject(purchase: StorePurchase) {
  const { reading, provider, purchaseId } = purchase
  if (reading === null) return null
  const { facts } = reading
  // Only subscriptions have one of these slots.
  const slot = facts.slot === 'yearly' ? 'yearly' : 'monthly'
  return {
    provider,
    purchase_id: purchaseId,
    slot,
    billing_cycle: slot,
    state: shownPurchase(purchase).state,
    expires_at: facts.expiresAt,
    grace_ends_at: facts.graceEndsAt,
    will_renew: facts.autoRenew === true,
    manage_url: manageUrl(purchase, facts),
    environment: facts.environment,
  } as const
}

function manageUrl(
  { provider }: Pick<StorePurchase, 'provider'>,
  { productId, appId }: { readonly productId: string; readonly appId: string },
): string {
  if (provider === 'store_a') return 'https://apps.apple.com/account/subscriptions'
  const query = new URLSearchParams({ sku: productId, package: appId })
  return `https://play.google.com/store/account/subscriptions?${query.toString()}`
}
