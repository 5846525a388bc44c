import type { AccountId } from '../ids/ids.js'
import { msOf, type Timestamp } from '../kernel/timestamp.js'
import type { RegistrationUrlTerms } from './events.js'

/** The life of a registration URL. Expiry and exhaustion are read off the record. */
export type RegistrationUrlState = { readonly status: 'absent' } | ({ readonly status: 'created' } & RegistrationUrl)

export interface RegistrationUrl {
  readonly terms: RegistrationUrlTerms
  readonly isRevoked: boolean
  readonly useCount: number
  /** For whom the latest uses that stand were taken, newest last; at most `rememberedUses`. */
  readonly used: readonly AccountId[]
  /** For whom the latest uses that came back were taken, newest last; at most `rememberedUses`. */
  readonly returned: readonly AccountId[]
}

/**
 * How many uses of each kind a state remembers, so that it stays small however popular its URL is. A use comes back within
 * minutes or not at all. An older command that comes again is recognised by its event ids in the store instead.
 */
export const rememberedUses = 256

/** Whether a registration URL still lets anybody in: neither revoked, nor past its end, nor used up. */
export function admits({ terms, useCount, isRevoked }: RegistrationUrl, now: Timestamp): boolean {
  const { expiresAt, maxUses } = terms
  const isExpired = expiresAt !== null && msOf(now) >= msOf(expiresAt)
  const isUsedUp = maxUses !== null && useCount >= maxUses
  return !isRevoked && !isExpired && !isUsedUp
}

/** Whether a use was taken for an account and did not come back; one that is too old to be remembered counts as standing. */
export function stands({ useCount, used, returned }: RegistrationUrl, account: AccountId): boolean {
  return used.includes(account) || (useCount > used.length && !returned.includes(account))
}

/** What a registration URL may be (reference identity 8.6). */
export const registrationUrlLimits = { label: { min: 1, max: 120 }, maxUses: { min: 1, max: 1_000_000 } } as const
