import type { AccountId, ChannelId, GuildId, InviteCode } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Position } from '../../../domain/kernel/position.ts'

/** An invite as the read model holds it. */
export interface InviteRecord {
  readonly code: InviteCode
  readonly guildId: GuildId
  readonly channelId: ChannelId
  readonly inviterId: AccountId
  readonly uses: number
  readonly maxUses: number
  /** Seconds; 0 for an invite that never expires. */
  readonly maxAge: number
  readonly temporary: boolean
  readonly createdAt: Timestamp
  readonly expiresAt: Timestamp | null
}

/** The same for an invite to a private channel (type 1). */
export type GroupInviteRecord = Omit<InviteRecord, 'guildId'> & { readonly guildId: null }

/** The custom invite URL of a guild. */
export interface CustomUrlRecord {
  /** In lower case. */
  readonly code: InviteCode
  readonly guildId: GuildId
  /** How many accounts it has admitted since the guild took it. */
  readonly uses: number
}

/** Custom codes that guilds hold or have claimed, in lower case, as of one position. */
export interface CustomCodesRecord {
  readonly position: Position
  readonly codes: readonly InviteCode[]
}

export type EquivalentTerms = Pick<InviteRecord, 'channelId' | 'inviterId' | 'maxUses' | 'maxAge' | 'temporary'>

/** Invites that can still admit somebody at the given time: neither expired nor used up. */
export interface InviteQueries {
  find(code: InviteCode, now: Timestamp): Promise<InviteRecord | GroupInviteRecord | undefined>
  /** The custom invite URL with a code in lower case. */
  custom(code: InviteCode): Promise<CustomUrlRecord | undefined>
  customOf(guild: GuildId): Promise<CustomUrlRecord | undefined>
  /** At most `limit` custom codes of one length. Undefined while the read models that know of them are at different positions. */
  customCodes(length: number, limit: number): Promise<CustomCodesRecord | undefined>
  /**
   * Whether a guild may have this random code, in lower case, as its custom code, by all events up to a position that the read
   * models hold. False only where it is known that none has, without a statement: on true, the code's stream must be read.
   */
  mayBeCustom(code: InviteCode, asOf: Position): Promise<boolean>
  /** Whether an invite that was not removed has this code in any case. The given code is in lower case. */
  isGivenInAnyCase(code: InviteCode): Promise<boolean>
  /** Those to a guild channel, newest first. */
  ofChannel(channel: ChannelId, now: Timestamp): Promise<readonly InviteRecord[]>
  /** Those to a private channel, newest first. */
  ofPrivateChannel(channel: ChannelId, now: Timestamp): Promise<readonly GroupInviteRecord[]>
  /** Newest first. */
  ofGuild(guild: GuildId, now: Timestamp): Promise<readonly InviteRecord[]>
  /** Includes the custom invite URL. */
  countOf(guild: GuildId, now: Timestamp): Promise<number>
  /** The invite with exactly this creator, channel and terms, for Create channel invite without `unique`. */
  equivalent(terms: EquivalentTerms, now: Timestamp): Promise<InviteRecord | undefined>
  /** The same among invites to private channels. */
  equivalentInPrivate(terms: EquivalentTerms, now: Timestamp): Promise<GroupInviteRecord | undefined>
}
