import { hasPremiumFlag } from './premium-flags.ts'
import { hasEnded, secondsAfter, type Timestamp } from '../kernel/timestamp.ts'
import { endOf, type PremiumFields } from './premium.ts'

/** What decides whether an account's premium counts. */
export interface PremiumHolder {
  readonly bot: boolean
  readonly premiumFlags: number
  readonly premium: PremiumFields
}

/** How long paid premium counts after its end, unless the store says otherwise. */
const grace_s = 3 * 24 * 3600

/**
 * Whether an account has premium now: the one answer for objects, limits, images and the Gateway. `everyone`: the
 * instance is self hosted in premium mode `everyone`. First match wins: `everyone` and bots always, nobody with the
 * flag PERKS_DISABLED, always with ENABLED_OVERRIDE, else while what was paid or given counts.
 */
export function premiumNow(holder: PremiumHolder, everyone: boolean, now: Timestamp): boolean {
  if (everyone || holder.bot) return true
  if (hasPremiumFlag(holder, 'PERKS_DISABLED')) return false
  return hasPremiumFlag(holder, 'ENABLED_OVERRIDE') || isPaidNow(holder.premium, now)
}

/** Whether what was paid or given counts now, whatever the flags. */
export function isPaidNow(premium: PremiumFields, now: Timestamp): boolean {
  if (premium.type === 0) return false
  const over = overAt(premium)
  return over === null || !hasEnded(over, now)
}

/** The first instant at which stored premium does not count any more, grace included; null if it never is, and without any. */
export function overAt(premium: PremiumFields): Timestamp | null {
  const end = premium.type === 1 ? endOf(premium) : null
  if (end === null) return null
  const graceEnd = premium.graceEndsAt ?? secondsAfter(end, grace_s)
  return end > graceEnd ? end : graceEnd
}

/** Whether premium has ended but its grace runs. */
export function isInGrace(premium: PremiumFields, now: Timestamp): boolean {
  const end = premium.type === 1 ? endOf(premium) : null
  return end !== null && hasEnded(end, now) && isPaidNow(premium, now)
}

/** The fields as the client sees them: all empty while premium does not count. */
export function shownPremium(holder: PremiumHolder, everyone: boolean, now: Timestamp) {
  const { premium } = holder
  const shown = premiumNow(holder, everyone, now)
  return {
    isActive: shown,
    type: shown ? premium.type : 0,
    since: shown ? premium.since : null,
    until: shown ? endOf(premium) : null,
    willCancel: shown && premium.willCancel,
    lifetimeNumber: shown && premium.type === 2 ? premium.lifetimeNumber : null,
    graceEndsAt: shown ? premium.graceEndsAt : null,
  }
}
