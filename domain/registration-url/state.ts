import type { AccountId } from '../ids/ids.ts'
import { hasEnded, type Timestamp } from '../kernel/timestamp.ts'
import type { RegistrationUrlTerms } from './events.ts'

/** The life of a registration URL. Expiry and exhaustion follow from the record. */
export type RegistrationUrlState = { readonly status: 'absent' } | ({ readonly status: 'created' } & RegistrationUrl)

export interface RegistrationUrl {
  readonly terms: RegistrationUrlTerms
  readonly isRevoked: boolean
  readonly useCount: number
  /** The accounts of the latest uses that were not returned, newest last; at most `rememberedUses`. */
  readonly used: readonly AccountId[]
  /** The accounts of the latest returned uses, newest last; at most `rememberedUses`. */
  readonly returned: readonly AccountId[]
}

/**
 * How many uses of each kind a state remembers, so that it stays small however popular its URL is. A use is returned within
 * minutes or never. The store recognises older repeated commands by their event ids.
 */
export const rememberedUses = 256

/** Whether a registration URL is valid: neither revoked, expired, nor used up. */
export function admits({ terms, useCount, isRevoked }: RegistrationUrl, now: Timestamp): boolean {
  const { expiresAt, maxUses } = terms
  const isExpired = expiresAt !== null && hasEnded(expiresAt, now)
  const isUsedUp = maxUses !== null && useCount >= maxUses
  return !isRevoked && !isExpired && !isUsedUp
}

/** Whether a use was taken for an account and not returned. A use too old to be remembered counts as not returned. */
export function stands({ useCount, used, returned }: RegistrationUrl, account: AccountId): boolean {
  return used.includes(account) || (useCount > used.length && !returned.includes(account))
}

/** The bounds of a registration URL's terms. */
export const registrationUrlLimits = { label: { min: 1, max: 120 }, maxUses: { min: 1, max: 1_000_000 } } as const
