import type { Timestamp } from '../kernel/timestamp.js'
import type { AppliedPurchase } from '../premium/premium-commands.js'
import { kindOf, type PurchaseState } from './purchase-facts.js'
import type { StorePurchase } from './state.js'

/** A purchase as everybody sees it: what the store says, with what stays whatever it says (reference stores 1.13, 1.19). */
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

/** Whether it grants premium to its owner: sandbox purchases only where the owner may use them (reference stores 1.19). */
export function isEntitled(purchase: StorePurchase, mayUseSandbox: boolean): boolean {
  const environment = purchase.reading?.facts.environment
  return purchase.owner !== null && (environment === 'production' || mayUseSandbox) && shownPurchase(purchase).grants
}

/** Nothing is to be expected of it: it is not read again by itself (reference stores 1.22). */
export function isOver(purchase: StorePurchase): boolean {
  return ['expired', 'revoked', 'superseded', 'fulfilled', 'refunded'].includes(shownPurchase(purchase).state)
}

/** A subscription as it counts for premium; undefined for a gift, before the first reading, and for a test purchase that its owner may not use. */
export function appliedPurchase(purchase: StorePurchase, mayUseSandbox: boolean): AppliedPurchase | undefined {
  const { reading } = purchase
  if (reading === null || kindOf(reading.facts.slot) === 'gift') return undefined
  if (reading.facts.environment !== 'production' && !mayUseSandbox) return undefined
  const { expiresAt, graceEndsAt, autoRenew, startedAt } = reading.facts
  const { state, revokedAt } = shownPurchase(purchase)
  const entitled = isEntitled(purchase, mayUseSandbox)
  return { purchase: purchase.purchase, entitled, state, expiresAt, graceEndsAt, autoRenew, startedAt, revokedAt }
}
