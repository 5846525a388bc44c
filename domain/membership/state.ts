import type { AccountId, GuildId, RoleId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** Where one account stands in one guild. A ban ends the membership and outlives it. */
export type MembershipState =
  | { readonly status: 'absent' }
  | ({ readonly status: 'member' } & Membership)
  | { readonly status: 'banned'; readonly bannedAt: Timestamp; readonly expiresAt: Timestamp | null }

export interface Membership {
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly joinedAt: Timestamp
  readonly temporary: boolean
  /** The roles held besides everyone's; at most 250. */
  readonly roles: readonly RoleId[]
}
