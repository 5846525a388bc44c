import type { GuildFeature } from '../../../domain/guild/features.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import type { AccountId, ChannelId, GuildId } from '../../../domain/ids/ids.ts'
import type { Membership } from '../../../domain/membership/state.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import type { KeptOutBy, Newcomer } from './guild-ban-queries.ts'

/** A guild as one account sees it. */
export interface GuildWithMember {
  readonly guild: Guild
  /** Undefined for an account that is not a member. */
  readonly member: Membership | undefined
  readonly memberCount: number
}

/** A guild for an account that asks to join it, or may do so. */
export interface GuildWithNewcomer extends GuildWithMember {
  /** The ban that forbids it; undefined for none, and for a member. */
  readonly keptOutBy: KeptOutBy
}

/** A page of guild ids. `after` wins over `before`. A cursor that is not one of the account's guilds is ignored. */
export interface GuildPage {
  readonly before?: GuildId
  readonly after?: GuildId
  /** 1-200. */
  readonly limit: number
}

/** A guild without its roles and channels, with its images as they are stored. */
export interface GuildSummary {
  readonly id: GuildId
  readonly name: string
  readonly ownerId: AccountId
  readonly features: readonly GuildFeature[]
  readonly icon: string | null
  /** The hash of the banner. */
  readonly banner: string | null
  readonly nsfw: boolean
  readonly memberCount: number
}

export interface GuildName {
  readonly id: GuildId
  readonly name: string
}

/** A channel, and the guild that it is in. */
export interface ChannelName {
  readonly id: ChannelId
  readonly name: string
  readonly type: number
  readonly guildId: GuildId
}

/** Existing guilds: no query gives a deleted one. */
export interface GuildQueries {
  find(guild: GuildId): Promise<Guild | undefined>
  /** The guild with the account's membership and the member count, in one read. */
  findFor(guild: GuildId, account: AccountId): Promise<GuildWithMember | undefined>
  /** The same for the guild that a channel belongs to. */
  findByChannel(channel: ChannelId, account: AccountId): Promise<GuildWithMember | undefined>
  /** As `findFor`, and whether a ban of the guild keeps the account out at the given time, in one read. */
  findForNewcomer(guild: GuildId, newcomer: Newcomer, now: Timestamp): Promise<GuildWithNewcomer | undefined>
  /** Guilds without their roles and channels, in no order. */
  summariesOf(guilds: readonly GuildId[]): Promise<readonly GuildSummary[]>
  /** The names of guilds, in no order. */
  namesOf(guilds: readonly GuildId[]): Promise<readonly GuildName[]>
  /** The names of guild channels, in no order. */
  channelNamesOf(channels: readonly ChannelId[]): Promise<readonly ChannelName[]>
  /** The account's guilds in ascending order of their ids. */
  ofMember(account: AccountId, page: GuildPage): Promise<readonly (GuildWithMember & { readonly member: Membership })[]>
  /**
   * The account's guilds after the one cursor and before the other, in ascending order of ids. Unlike `ofMember`, both cursors
   * count. With `before` alone, the guilds next to it.
   */
  betweenCursors(account: AccountId, page: GuildPage): Promise<readonly GuildSummary[]>
}

/** The same reads, each with the position that the read models held. For caches. */
export interface GuildsAtPosition {
  findFor(guild: GuildId, account: AccountId): Promise<AtPosition<GuildWithMember> | undefined>
  findByChannel(channel: ChannelId, account: AccountId): Promise<AtPosition<GuildWithMember> | undefined>
  findForNewcomer(
    guild: GuildId,
    newcomer: Newcomer,
    now: Timestamp,
  ): Promise<AtPosition<GuildWithNewcomer> | undefined>
  /** The membership of an account, which is undefined if the account is not a member, and the count of members. */
  memberOf(guild: GuildId, account: AccountId): Promise<AtPosition<Pick<GuildWithMember, 'member' | 'memberCount'>>>
  /** The same, with whether a ban of the guild keeps the account out, and in how many guilds the account is. */
  newcomerOf(guild: GuildId, newcomer: Newcomer, now: Timestamp): Promise<AtPosition<NewcomerRecord>>
  /** 0 for a guild that does not exist. */
  countOf(guild: GuildId): Promise<AtPosition<Pick<GuildWithMember, 'memberCount'>>>
}

/** What a guild asks of an account that may join, without the guild. */
export type NewcomerRecord = Omit<GuildWithNewcomer, 'guild'> & { readonly guildCount: number }

export type AtPosition<Found> = Found & { readonly position: Position }
