import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { MemberPage } from './member-queries.ts'
import type { Position } from '../../../domain/kernel/position.ts'

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

/** What an account has chosen for every guild that it joins. */
export interface JoinDefaults {
  readonly hidesMutedChannels: boolean
  /** It takes no direct messages by way of the guild, or none of bots. */
  readonly restrictsGuild: boolean
}

/**
 * What a ban of the guild matches: the account itself or its e-mail address (`person`), else the network that the account
 * comes from (`network`: an IPv4 address exactly, an IPv6 address by its /64). Undefined if no ban does
 * (rules/members#what-a-ban-matches).
 */
export type KeptOutBy = 'person' | 'network' | undefined

/** What matters of an account that has just joined: whether a ban matches it, and what it wishes for all its guilds. */
export interface JoinedRecord {
  readonly keptOutBy: KeptOutBy
  readonly chosen: JoinDefaults
  /** How many members the guild has. */
  readonly memberCount: number
}

/** Bans of guilds that are in force at the given time. */
export interface GuildBanQueries {
  /** By account id, ascending; at most `listedBans_max`, or a page of them. */
  ofGuild(guild: GuildId, now: Timestamp, page?: MemberPage): Promise<readonly GuildBanRecord[]>
  /** The ban of one account; undefined if it is not banned. */
  find(guild: GuildId, account: AccountId, now: Timestamp): Promise<GuildBanRecord | undefined>
  countOf(guild: GuildId, now: Timestamp): Promise<number>
  keepingOut(guild: GuildId, newcomer: Newcomer, now: Timestamp): Promise<KeptOutBy>
  /** For somebody who has just joined. Bans that were made at or after the position `before` do not count. */
  ofJoined(guild: GuildId, newcomer: Newcomer, now: Timestamp, before?: Position): Promise<JoinedRecord>
}
