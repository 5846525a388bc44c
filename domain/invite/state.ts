import type { GuildId } from '../ids/ids.ts'
import { hasEnded, secondsAfter, type Timestamp } from '../kernel/timestamp.ts'
import type { GroupInviteTerms, InviteTerms } from './events.ts'

/**
 * The life of an invite: absent, created, or deleted, from where only a rewind of its guild brings it back. Expiry and exhaustion follow from the record. For a custom code,
 * its holder.
 */
export type InviteState =
  | { readonly status: 'absent' }
  | ({ readonly status: 'created' } & Invite)
  | { readonly status: 'deleted' }
  | ({ readonly status: 'custom' } & CustomCodeHold)

/** A code that guilds choose. It can be claimed again after it was returned. */
export interface CustomCodeHold {
  /** Null while no guild has it. */
  readonly guildId: GuildId | null
  /** The number of the last claim. */
  readonly claim: number
}

export interface Invite {
  readonly terms: InviteTerms | GroupInviteTerms
  readonly uses: number
  /** The latest redemptions that stand, newest last; at most `rememberedRedemptions`. */
  readonly redeemed: readonly string[]
  /** The latest redemptions that were returned, newest last; at most `rememberedRedemptions`. */
  readonly returned: readonly string[]
}

/**
 * How many redemptions of each kind a state remembers. The store recognises older repeated commands by their event ids, so a
 * state stays small however popular its invite is. This is more than the highest max_uses, so a limited invite remembers every
 * redemption that stands.
 */
export const rememberedRedemptions = 128

/** Whether an invite is to a guild; otherwise it is to a private channel. */
export function isOfGuild(terms: Invite['terms']): terms is InviteTerms {
  return 'guildId' in terms
}

/** When an invite expires; null if it never does. */
export function expiresAt({ createdAt, maxAge }: Pick<InviteTerms, 'createdAt' | 'maxAge'>): Timestamp | null {
  return maxAge === 0 ? null : secondsAfter(createdAt, maxAge)
}

/** Whether an invite still admits: neither expired nor used up. One that does not is unknown to every operation. */
export function admits({ terms, uses }: Pick<Invite, 'terms' | 'uses'>, now: Timestamp): boolean {
  const end = expiresAt(terms)
  const expired = end !== null && hasEnded(end, now)
  const exhausted = terms.maxUses !== 0 && uses >= terms.maxUses
  return !expired && !exhausted
}

/**
 * Whether a redemption was taken and not returned, so that joining by it has used up a use. For an unlimited invite, a redemption
 * too old to be remembered counts as not returned while more uses are taken than are remembered.
 */
export function stands(
  { uses, redeemed, returned }: Pick<Invite, 'uses' | 'redeemed' | 'returned'>,
  redemptionId: string,
): boolean {
  if (redeemed.includes(redemptionId)) return true
  return uses > redeemed.length && !returned.includes(redemptionId)
}
