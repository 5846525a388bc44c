import type { GuildId } from '../ids/ids.js'
import { msOf, secondsAfter, type Timestamp } from '../kernel/timestamp.js'
import type { GroupInviteTerms, InviteTerms } from './events.js'

/**
 * The life of an invite: nothing yet, a record, or removed for good. Expiry and exhaustion are read off the record. Of a custom
 * code, who has it.
 */
export type InviteState =
  | { readonly status: 'absent' }
  | ({ readonly status: 'created' } & Invite)
  | { readonly status: 'deleted' }
  | ({ readonly status: 'custom' } & CustomCodeHold)

/** A code that guilds choose: it can be taken again once it was given back. */
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
 * How many redemptions of each kind a state remembers. An older command that comes back is recognised by its event ids in
 * the store instead, so a state stays small however popular its invite is. It is more than the highest max_uses, so a
 * limited invite knows every redemption that stands.
 */
export const rememberedRedemptions = 128

/** Whether an invite is one to a guild; else it is one to a private channel. */
export function isOfGuild(terms: Invite['terms']): terms is InviteTerms {
  return 'guildId' in terms
}

/** When an invite stops working by age; null for one that does not. */
export function expiresAt({ createdAt, maxAge }: Pick<InviteTerms, 'createdAt' | 'maxAge'>): Timestamp | null {
  return maxAge === 0 ? null : secondsAfter(createdAt, maxAge)
}

/** Whether a record still admits anybody: neither past its age nor used up (contract part 1, Accept invite). */
export function admits({ terms, uses }: Pick<Invite, 'terms' | 'uses'>, now: Timestamp): boolean {
  const end = expiresAt(terms)
  const expired = end !== null && msOf(now) >= msOf(end)
  const exhausted = terms.maxUses !== 0 && uses >= terms.maxUses
  return !expired && !exhausted
}

/**
 * Whether a redemption was taken and not returned: whoever joins by it has paid with a use. Of an unlimited invite, one that
 * is too old to be remembered counts as standing while more uses are taken than are remembered.
 */
export function stands(
  { uses, redeemed, returned }: Pick<Invite, 'uses' | 'redeemed' | 'returned'>,
  redemptionId: string,
): boolean {
  if (redeemed.includes(redemptionId)) return true
  return uses > redeemed.length && !returned.includes(redemptionId)
}
