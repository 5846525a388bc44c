import type { AccountId, ChannelId, GuildId, InviteCode } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'

/** An invite as the read model holds it. */
export interface InviteRecord {
  readonly code: InviteCode
  readonly guildId: GuildId
  readonly channelId: ChannelId
  readonly inviterId: AccountId
  readonly uses: number
  readonly maxUses: number
  /** Seconds; 0 for no end. */
  readonly maxAge: number
  readonly temporary: boolean
  readonly createdAt: Timestamp
  readonly expiresAt: Timestamp | null
}

/** The same of an invite to a private channel (type 1). */
export type GroupInviteRecord = Omit<InviteRecord, 'guildId'> & { readonly guildId: null }

/** The custom invite URL of a guild. */
export interface CustomUrlRecord {
  /** In lower case. */
  readonly code: InviteCode
  readonly guildId: GuildId
  /** How many were admitted by it since the guild took it. */
  readonly uses: number
}

export type EquivalentTerms = Pick<InviteRecord, 'channelId' | 'inviterId' | 'maxUses' | 'maxAge' | 'temporary'>

/** Invites that still admit somebody at the given time: neither expired nor used up. */
export interface InviteQueries {
  find(code: InviteCode, now: Timestamp): Promise<InviteRecord | GroupInviteRecord | undefined>
  /** The custom invite URL with a code in lower case. */
  custom(code: InviteCode): Promise<CustomUrlRecord | undefined>
  customOf(guild: GuildId): Promise<CustomUrlRecord | undefined>
  /** Whether an invite that was not removed has a code that differs from this one, in lower case, by case alone or not at all. */
  isGivenInAnyCase(code: InviteCode): Promise<boolean>
  /** Those to a guild channel, newest first. */
  ofChannel(channel: ChannelId, now: Timestamp): Promise<readonly InviteRecord[]>
  /** Those to a private channel, newest first. */
  ofPrivateChannel(channel: ChannelId, now: Timestamp): Promise<readonly GroupInviteRecord[]>
  /** Newest first. */
  ofGuild(guild: GuildId, now: Timestamp): Promise<readonly InviteRecord[]>
  /** Counts the custom invite URL too. */
  countOf(guild: GuildId, now: Timestamp): Promise<number>
  /** The one that matches creator, channel and terms exactly, for Create channel invite without `unique`. */
  equivalent(terms: EquivalentTerms, now: Timestamp): Promise<InviteRecord | undefined>
  /** Likewise among those to a private channel. */
  equivalentInPrivate(terms: EquivalentTerms, now: Timestamp): Promise<GroupInviteRecord | undefined>
}
