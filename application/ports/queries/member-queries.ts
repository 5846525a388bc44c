import type { AccountId, GuildId } from '../../../domain/ids/ids.js'
import type { Membership } from '../../../domain/membership/state.js'

/** A guild that two accounts are both in. */
export interface SharedGuild {
  readonly guildId: GuildId
  readonly memberCount: number
}

/** Members of guilds that exist. */
export interface MemberQueries {
  find(guild: GuildId, account: AccountId): Promise<Membership | undefined>
  /** How many members a guild has. */
  countOf(guild: GuildId): Promise<number>
  /** How many guilds an account is in. */
  guildCountOf(account: AccountId): Promise<number>
  /** The account's memberships, the one that began last first: the order of its folder layout (reference gateway 3.11). */
  ofAccount(account: AccountId): Promise<readonly Membership[]>
  /** The guilds that two accounts are both in, by their ids; for one account twice, all of its guilds. */
  sharedGuilds(one: AccountId, other: AccountId): Promise<readonly SharedGuild[]>
}
