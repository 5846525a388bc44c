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

/** Invites that still admit somebody at the given time: neither expired nor used up. */
export interface InviteQueries {
  find(code: InviteCode, now: Timestamp): Promise<InviteRecord | undefined>
  /** Newest first. */
  ofChannel(channel: ChannelId, now: Timestamp): Promise<readonly InviteRecord[]>
  /** Newest first. */
  ofGuild(guild: GuildId, now: Timestamp): Promise<readonly InviteRecord[]>
  countOf(guild: GuildId, now: Timestamp): Promise<number>
  /** The one that matches creator, channel and terms exactly, for Create channel invite without `unique`. */
  equivalent(
    terms: Pick<InviteRecord, 'channelId' | 'inviterId' | 'maxUses' | 'maxAge' | 'temporary'>,
    now: Timestamp,
  ): Promise<InviteRecord | undefined>
}
