import type { AccountId, GuildId } from '../../domain/ids/ids.js'

/** Who is there now. Not history: it lives in the Gateway's memory and is forgotten with it. */
export interface Presence {
  /** Whether the account has a Gateway session that is not offline. */
  isPresent(account: AccountId): Promise<boolean>
  /** How many members of each guild are online; 0 where nobody is. */
  onlineCounts(guilds: readonly GuildId[]): Promise<ReadonlyMap<GuildId, number>>
}
