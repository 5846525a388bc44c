import type { AccountId, GuildId } from '../../../domain/ids/ids.js'
import type { Membership } from '../../../domain/membership/state.js'

/** Members of guilds that exist. */
export interface MemberQueries {
  find(guild: GuildId, account: AccountId): Promise<Membership | undefined>
  /** How many members a guild has. */
  countOf(guild: GuildId): Promise<number>
  /** How many guilds an account is in. */
  guildCountOf(account: AccountId): Promise<number>
  /** The account's guilds, the one joined last first: the order of its folder layout (reference gateway 3.11). */
  guildIdsOf(account: AccountId): Promise<readonly GuildId[]>
}
