import type { AccountId, ChannelId, GuildId, InviteCode, MessageId, ReportId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { ReportCategory, ReportKind } from './categories.ts'
import type { Attachment } from '../messages/attachments.ts'
import type { Embed } from '../messages/embeds.ts'
import type { StickerItem } from '../messages/parts.ts'

/** The events of a report. Kept forever: members are added, never renamed or reused. */
export const reportEvents = {
  ReportFiled: event<ReportFiled>(
    {
      reportId: 'text',
      reporterId: 'text',
      category: 'text',
      reported: 'object',
      additionalInfo: 'text or null',
      reportedAt: 'text',
    },
    { personal: ['additionalInfo'] },
  ),
  ReportEvidenceKept: event<ReportEvidenceKept>(
    { reportId: 'text', evidenceOf: 'text', profile: 'object or null', messages: 'list or null' },
    { personal: ['profile', 'messages'] },
  ),
  ReportClaimed: event<ReportClaimed>({ reportId: 'text', adminId: 'text', claimedAt: 'text' }),
  ReportReleased: event<ReportReleased>({ reportId: 'text', adminId: 'text', releasedAt: 'text' }),
  ReportResolved: event<ReportResolved>(
    {
      reportId: 'text',
      reporterId: 'text',
      adminId: 'text',
      cause: 'text',
      publicComment: 'text or null',
      resolvedAt: 'text',
    },
    { personal: ['publicComment'] },
  ),
}

export type ReportEvent = EventOf<typeof reportEvents>

export interface ReportFiled {
  readonly reportId: ReportId
  readonly reporterId: AccountId
  readonly category: ReportCategory
  readonly reported: Reported
  /** Personal to the reporter: 1-1000 characters; null for none, and once the reporter is erased. */
  readonly additionalInfo: string | null
  readonly reportedAt: Timestamp
}

/** What was reported, without anything that is personal to somebody. */
export interface Reported {
  readonly kind: ReportKind
  /** The author of a message, or the account itself; null for a guild. */
  readonly accountId: AccountId | null
  /** The guild itself, or the one that a message is in. */
  readonly guild: ReportedGuild | null
  readonly channel: ReportedChannel | null
  readonly messageId: MessageId | null
  /** The guild in which the reporter met the message or the account. */
  readonly guildContextId: GuildId | null
  /** The invite by which the reporter saw the guild. */
  readonly inviteCode: InviteCode | null
}

/** A guild as it was when it was reported. */
export interface ReportedGuild {
  readonly id: GuildId
  readonly name: string
  /** The hash of the icon. */
  readonly icon: string | null
  readonly nsfw: boolean
}

/** The channel of a message as it was. A private channel has neither name nor age limit here: its name is personal. */
export interface ReportedChannel {
  readonly id: ChannelId
  readonly name: string | null
  readonly nsfw: boolean | null
}

/**
 * What the reported account showed and wrote when it was reported. It is an event of its own, because it goes with that account:
 * the words of the reporter go with the reporter.
 */
export interface ReportEvidenceKept {
  readonly reportId: ReportId
  readonly evidenceOf: AccountId
  /** Null once the account is erased. */
  readonly profile: ReportedProfile | null
  /** Oldest first: the reported message, and others of the same author around it. Null once the account is erased. */
  readonly messages: readonly ReportedMessage[] | null
}

export interface ReportedProfile {
  readonly username: string
  readonly discriminator: number
  readonly globalName: string | null
  /** The hashes of the images. */
  readonly avatar: string | null
  readonly banner: string | null
  readonly bio: string | null
  readonly pronouns: string | null
}

export interface ReportedMessage {
  readonly id: MessageId
  readonly type: number
  readonly flags: number
  readonly content: string
  readonly editedAt: Timestamp | null
  /** The message that it answers. */
  readonly repliesTo: MessageId | null
  /** Absent for none. */
  readonly embeds?: readonly Embed[]
  /** What its files were; the files themselves go with the message. Absent for none. */
  readonly attachments?: readonly Attachment[]
  /** Absent for none. */
  readonly stickers?: readonly StickerItem[]
}

/** An administrator works on the report. */
export interface ReportClaimed {
  readonly reportId: ReportId
  readonly adminId: AccountId
  readonly claimedAt: Timestamp
}

/** Nobody works on it any more. */
export interface ReportReleased {
  readonly reportId: ReportId
  /** Who ended the claim: any administrator may. */
  readonly adminId: AccountId
  readonly releasedAt: Timestamp
}

export const resolutionCauses = ['decided', 'deletion'] as const

export interface ReportResolved {
  readonly reportId: ReportId
  readonly reporterId: AccountId
  readonly adminId: AccountId
  /** `deletion`: the administrator scheduled the deletion of the reported account. */
  readonly cause: (typeof resolutionCauses)[number]
  /** What the reporter is told. Personal to the reporter: null for nothing, and once the reporter is erased. */
  readonly publicComment: string | null
  readonly resolvedAt: Timestamp
}
