import type { AccountId, GuildId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import type { Position } from '../event-store.js'

/** A ban as the read model holds it. */
export interface GuildBanRecord {
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly moderatorId: AccountId
  readonly reason: string | null
  readonly bannedAt: Timestamp
  /** Null for a permanent ban. */
  readonly expiresAt: Timestamp | null
}

/** What bans check about an account that asks to join. */
export interface Newcomer {
  readonly accountId: AccountId
  /** In any case of letters; null for an account without one. */
  readonly email: string | null
  /** Null for a bot, which joins from no network. */
  readonly ip: string | null
}

/** `ofGuild` gives this many bans at most. */
export const listedBans_max = 10_000

/** Bans of guilds that are in force at the given time. */
export interface GuildBanQueries {
  /** By account id, ascending; at most `listedBans_max`. */
  ofGuild(guild: GuildId, now: Timestamp): Promise<readonly GuildBanRecord[]>
  /**
   * What a guild bans a newcomer by. Checks the account itself and its e-mail address (`person`) before its network (`network`:
   * an IPv4 address exactly, an IPv6 address by its /64). Undefined if it is not banned. If `before` is given, ignores bans made
   * at or after that position.
   */
  keepingOut(
    guild: GuildId,
    newcomer: Newcomer,
    now: Timestamp,
    before?: Position,
  ): Promise<'person' | 'network' | undefined>
}
