import type { Timestamp } from '../kernel/timestamp.ts'
import type { AppliedPurchase } from '../premium/premium-commands.ts'
import { kindOf, type PurchaseState } from './purchase-facts.ts'
import type { StorePurchase } from './state.ts'

/** A purchase as everybody sees it: what the store says, changed by what no reading can undo. */
export interface ShownPurchase {
  readonly state: PurchaseState
  readonly revokedAt: Timestamp | null
  readonly revocationReason: string | null
  /** Whether it gives its owner what was bought, as far as state and quantity say. */
  readonly grants: boolean
}

/** What a purchase is now; a purchase that was never read is pending. */
export function shownPurchase(purchase: StorePurchase): ShownPurchase {
  const { reading, supersededBy, sentBack } = purchase
  if (reading === null) return { state: 'pending', revokedAt: null, revocationReason: null, grants: false }
  const { facts } = reading
  const { revokedAt, revocationReason } = facts
  const isGift = kindOf(facts.slot) === 'gift'
  if (supersededBy !== null) return { state: 'superseded', revokedAt, revocationReason, grants: false }
  const voidedAt = voidOf(purchase)
  if (voidedAt !== null) {
    const state = isGift ? 'refunded' : 'revoked'
    return { state, revokedAt: voidedAt, revocationReason: 'google_play_voided', grants: false }
  }
  if (sentBack !== null) {
    const state = isGift ? 'refunded' : 'revoked'
    return { state, revokedAt: sentBack.at, revocationReason: sentBack.reason, grants: false }
  }
  if (isGift && facts.quantity > 1) {
    return { state: facts.state, revokedAt, revocationReason: 'unsupported_quantity', grants: false }
  }
  const isFulfilled = isGift && facts.state === 'purchased' && purchase.gift !== null
  return { state: isFulfilled ? 'fulfilled' : facts.state, revokedAt, revocationReason, grants: facts.grants }
}

/** When the store voided it: a gift for good, a subscription as long as the voided order is its latest one. */
function voidOf({ reading, voided }: StorePurchase): Timestamp | null {
  if (voided === null || reading === null) return null
  const counts = kindOf(reading.facts.slot) === 'gift' || reading.hashes.latestOrder === voided.orderHash
  return counts ? voided.at : null
}

/** What decides about an account which of its purchases give it anything. */
export interface OwnerRights {
  /** Whether its sandbox purchases count. */
  readonly mayUseSandbox: boolean
  /** Whether it holds lifetime premium: then a subscription gives it nothing. */
  readonly hasLifetime: boolean
}

/**
 * Whether a purchase gives its owner what was bought, premium or a gift's code. Claims, objects, premium and the
 * minting of codes all ask this: a sandbox purchase of an account that may not use them gives nothing, and neither does
 * a subscription of a lifetime holder.
 */
export function isEntitled(purchase: StorePurchase, rights: OwnerRights): boolean {
  const { owner, reading } = purchase
  if (owner === null || reading === null || !shownPurchase(purchase).grants) return false
  if (!countsFor(purchase, rights)) return false
  return kindOf(reading.facts.slot) === 'gift' || !rights.hasLifetime
}

/** Whether a store's test purchase counts for an account; one that was paid for always does. */
export function countsFor({ reading }: StorePurchase, { mayUseSandbox }: Pick<OwnerRights, 'mayUseSandbox'>): boolean {
  return reading?.facts.environment !== 'sandbox' || mayUseSandbox
}

/** Whether its gift has to get a code now, for an owner with these rights: once, as soon as it is paid for. */
export function owesCode(purchase: StorePurchase, rights: OwnerRights): boolean {
  const isPaidGift = purchase.gift === null && shownPurchase(purchase).state === 'purchased'
  return isPaidGift && isEntitled(purchase, rights)
}

/** Nothing is to be expected of it: it is not read again by itself. */
export function isOver(purchase: StorePurchase): boolean {
  return ['expired', 'revoked', 'superseded', 'fulfilled', 'refunded'].includes(shownPurchase(purchase).state)
}

/** A subscription as it counts for premium; undefined for a gift, before the first reading, and for a test purchase that its owner may not use. */
export function appliedPurchase(purchase: StorePurchase, rights: OwnerRights): AppliedPurchase | undefined {
  const { reading } = purchase
  if (reading === null || kindOf(reading.facts.slot) === 'gift' || !countsFor(purchase, rights)) return undefined
  const { expiresAt, graceEndsAt, autoRenew, startedAt } = reading.facts
  const { state, revokedAt } = shownPurchase(purchase)
  const entitled = isEntitled(purchase, rights)
  return { purchase: purchase.purchase, entitled, state, expiresAt, graceEndsAt, autoRenew, startedAt, revokedAt }
}
