import type { AccountId, ChannelId, EntryId, GuildId, MessageId, RoleId } from '../../domain/ids/ids.ts'
import type { Snowflake } from '../../domain/ids/snowflake.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { ChannelLast } from '../../domain/messages/channel-last.ts'
import type { ReactionGroup } from '../../domain/messages/reactions.ts'
import type { MessageType } from '../../domain/messages/message-types.ts'
import type { MessageParts } from '../../domain/messages/parts.ts'
import type { AccountNotice, ReactionNotice } from './notices.ts'

/** A stored message. It is in Postgres only, never in the event store, so that a deleted message is gone for good. */
export interface Message extends MessageParts {
  /** Orders messages, and holds the time at which the message was made. */
  readonly id: MessageId
  /** The message's channel, thread or private channel. */
  readonly channelId: ChannelId
  /** Null in a private channel. */
  readonly guildId: GuildId | null
  /** The account; the webhook, where `webhook` is there. */
  readonly authorId: AccountId
  readonly type: MessageType
  /**
   * The bits: 4 SUPPRESS_EMBEDS, 32 HAS_THREAD, 256 FAILED_TO_MENTION_SOME_ROLES_IN_THREAD, 4096
   * SUPPRESS_NOTIFICATIONS, 8192 VOICE_MESSAGE.
   */
  readonly flags: number
  /** `''` for none. */
  readonly content: string
  readonly editedAt: Timestamp | null
  readonly tts: boolean
  readonly mentionsEveryone: boolean
  /** Whether the content mentions `@here` and the author has the permission for it. */
  readonly mentionsHere: boolean
  readonly mentions: readonly AccountId[]
  readonly mentionRoles: readonly RoleId[]
  readonly reference: MessageReference | null
  /** In the order in which the first reaction with each emoji came; absent if there are none. A new message has none. */
  readonly reactions?: readonly ReactionGroup[]
}

export interface MessageReference {
  readonly channelId: ChannelId
  readonly messageId: MessageId
  readonly guildId: GuildId | null
}

/** At most one of the three cursors may be given. */
export interface MessagePage {
  readonly before?: MessageId
  readonly after?: MessageId
  /**
   * Half of the page is newer messages; the rest is the message itself and older ones. If one side has too few, the other fills
   * up.
   */
  readonly around?: MessageId
  /** Only messages from this time on: for members without READ_MESSAGE_HISTORY. */
  readonly from?: Timestamp
  /** Types to skip. They do not count towards the page's length. */
  readonly without?: readonly MessageType[]
  /** 1-100. */
  readonly limit: number
}

/** Who is notified of a change to messages, and what they are told about the place. */
export interface MessageAudience {
  readonly channelId: ChannelId
  /** The channel's type, by number: 10, 11 and 12 are threads; 1, 3 and 999 are private. */
  readonly channelType: number
  /** Null in a private channel. */
  readonly guildId: GuildId | null
  /** The parent channel of a thread, whose viewers are notified; null for anything but a thread. */
  readonly parentId: ChannelId | null
  /**
   * The accounts to notify: the recipients of a private channel, or the members of a private thread, whose moderators are
   * notified too. Null if all viewers of the channel, or of the parent, are notified.
   */
  readonly recipients: readonly AccountId[] | null
  /**
   * Nobody is notified before the events up to this position. Absent: what the read models hold as the notice is written, which is
   * no less than what the change was allowed by. A position is given by who wrote an event that they need not hold yet.
   */
  readonly after?: Position
}

/** A message to post. Its place is that of the audience. */
export interface Posting {
  readonly message: Message
  /** 1-32 characters. The same nonce of one author in one channel within 5 minutes gives the first message again. */
  readonly nonce?: string
  /**
   * Seconds that must pass between two messages of the author in the channel; absent if slow mode does not apply to the author.
   */
  readonly slowMode_s?: number
  /**
   * For a step that may be repeated. For this many milliseconds, the store remembers what the step posted, or found already
   * posted. It does not post the message again even if the message was deleted meanwhile.
   */
  readonly once_ms?: number
  /** Whether the author has read the channel up to the message: people have, bots and the server have no read states. */
  readonly isReadByAuthor?: boolean
  /** Whether the author is a bot: a search can ask for that. */
  readonly isByBot?: boolean
  readonly audience: MessageAudience
}

export type Posted =
  /** `repeated`: the nonce was used before. The message is the first one; nothing was written and nobody notified. */
  | { readonly outcome: 'posted' | 'repeated'; readonly message: Message }
  /** The same step posted the message before, and it was deleted. Nothing was written and nobody notified. */
  | { readonly outcome: 'gone' }
  /** Slow mode refuses the message: fractional seconds until the author may post. */
  | { readonly outcome: 'slowed'; readonly retryAfter_s: number }

/** A message to pin or to unpin. */
export interface Pinning {
  readonly messageId: MessageId
  /** Null to unpin it. */
  readonly pinnedAt: Timestamp | null
  /** The message of the server that says so in the channel; undefined for none. */
  readonly said?: Message | undefined
  /** Undefined in a private channel. */
  readonly unrecorded?: UnrecordedDeletion | undefined
  readonly audience: MessageAudience
}

/** An author's turn to start a thread in a channel with slow mode. Slow mode counts threads separately from messages. */
export interface ThreadTurn {
  /** A new id for this start of a thread. */
  readonly id: Snowflake
  readonly channelId: ChannelId
  readonly authorId: AccountId
  /** Seconds that must pass between two threads of the author in the channel. */
  readonly slowMode_s: number
}

/** The message counts of a thread. */
export interface MessageTally {
  /** Messages that exist. */
  readonly message_count: number
  /** Messages ever written, including deleted ones. */
  readonly sent_count: number
}

/** A deletion, or a pin or its end, that is not yet in the guild's audit log: the facts for its event. */
export interface UnrecordedDeletion {
  /** Its audit log entry. */
  readonly entryId: EntryId
  readonly guildId: GuildId
  readonly channelId: ChannelId
  /** Null for a bulk deletion. */
  readonly messageId: MessageId | null
  /** How many messages the request named. */
  readonly count: number
  readonly deletedBy: AccountId
  readonly at: Timestamp
  /** The command that deleted them. */
  readonly commandId: string
  readonly correlationId: string
  readonly causationId: string
  /** The operation that the request asked for; undefined for one of a version before. */
  readonly operation?: string | undefined
  /** X-Audit-Log-Reason; null for none. */
  readonly reason: string | null
  /** Of a pin true, of its end false; absent for a deletion. */
  readonly pins?: boolean
}

/**
 * Stores the messages of all channels and notifies the Gateways of every change: both or neither. Rejects with a subclass of
 * Unavailable if Postgres can't be reached. The caller supplies the ids, which order messages. Every adapter passes
 * test/contract/messages-contract.ts.
 */
export interface Messages {
  /** A message whose id already exists counts as repeated, so a repeated step posts once. */
  post(posting: Posting): Promise<Posted>
  /**
   * What the step with this id posted with `once_ms`, or found posted under its nonce: the message as it is now, `gone` if it was
   * deleted, undefined if the step posted nothing.
   */
  postedBefore(channel: ChannelId, id: MessageId): Promise<Message | 'gone' | undefined>
  /** What an author sent in a channel with a nonce that still lives. */
  sentWith(nonce: string, by: Pick<Message, 'channelId' | 'authorId'>, now: Timestamp): Promise<Message | undefined>
  /** Takes an author's turn to start a thread: 0, or the fractional seconds until the turn. The same id is the same turn. */
  takeThreadTurn(turn: ThreadTurn): Promise<number>
  find(channel: ChannelId, message: MessageId): Promise<Message | undefined>
  /** The messages that exist, from any channels, in no order, with the nonces of their authors; at most 1000. */
  findMany(
    references: readonly Pick<MessageReference, 'channelId' | 'messageId'>[],
  ): Promise<readonly (Message & { readonly nonce: string | null })[]>
  /** Newest first. */
  page(channel: ChannelId, page: MessagePage): Promise<readonly Message[]>
  /**
   * Gives the changed message; undefined if it was deleted. Nobody is notified if nothing changes. With `flagsMask`, only its
   * flags change, so concurrent changes to other flags are kept. With `onlyOver`, nothing changes unless the message still has this
   * text and no embeds. With `insteadOf`, `overtaken` and nothing changes if the message has other embeds or attachments than these by
   * now: who computed the new ones from the old has to begin anew.
   */
  edit(
    message: MessageId,
    changes: Partial<
      Pick<Message, 'content' | 'flags' | 'editedAt' | 'embeds' | 'attachments' | 'stickers'> &
        Pick<Message, 'mentions' | 'mentionRoles' | 'mentionsEveryone'>
    > & {
      readonly flagsMask?: number
      readonly onlyOver?: string
      readonly insteadOf?: Pick<Message, 'embeds' | 'attachments'>
    },
    audience: MessageAudience,
  ): Promise<Message | 'overtaken' | undefined>
  /**
   * Pins or unpins a message. True if it was not so before: then the channel's time of the last pin follows, `said` is posted, and
   * `unrecorded` is stored. False if it was so already, or the message is gone.
   */
  pin(pinned: Pinning): Promise<boolean>
  /** The pinned messages of a channel, the last pinned first; with `from`, only those sent from then on. */
  pins(
    channel: ChannelId,
    page: { readonly before?: Timestamp; readonly from?: Timestamp; readonly limit: number },
  ): Promise<readonly Message[]>
  /**
   * Deletes messages of the audience's channel for good, at most 100, and gives those that existed. With `bulk`, one notice names
   * all ids, even of those that did not exist; otherwise each deleted message has its own notice, and a pinned one tells of pins too. `unrecorded` is stored with the
   * deletion if any message existed.
   */
  remove(
    ids: readonly MessageId[],
    audience: MessageAudience & { readonly bulk: boolean; readonly unrecorded?: UnrecordedDeletion | undefined },
  ): Promise<readonly Message[]>
  /** Deletions before an instant that are not in the audit log yet, oldest first, at most `count_max`. */
  unrecordedDeletions(before: Timestamp, count_max: number): Promise<readonly UnrecordedDeletion[]>
  /** Drops a deletion whose entry is written. Safe to repeat. */
  noteRecorded(entry: EntryId): Promise<void>
  /**
   * Permanently deletes an author's messages in channels, from one instant until before another, in batches of at most 100. Each
   * batch notifies at once.
   */
  removeOfAuthor(
    author: AccountId,
    channels: readonly MessageAudience[],
    options?: { readonly from?: Timestamp; readonly until?: Timestamp },
  ): Promise<{ readonly deleted_count: number }>
  /** Permanently deletes all messages of channels, however long that takes. Nobody is notified. Safe to repeat. */
  removeChannels(channels: readonly ChannelId[]): Promise<void>
  /** Says that removed channels come back: what is written into them from now on stays. Safe to repeat. */
  keepChannels(channels: readonly ChannelId[]): Promise<void>
  /** The newest message and the last pin of each channel that has either. */
  lastOf(channels: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, ChannelLast>>
  /** The message counts of threads. Threads without messages, and other channels, are left out. */
  talliesOf(channels: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, MessageTally>>
}

/** The number of a notice in the order of notices. It grows with every notice. */
export type NoticeNumber = bigint

/** The notice to Gateways of a change to messages. It has no content: the Gateway that dispatches it reads the message. */
export type MessageNotice = Required<MessageAudience> & { readonly number: NoticeNumber } &
  /** `pins`: the pins of the channel changed by this message. */
  (
    | { readonly kind: 'created' | 'updated'; readonly messageId: MessageId }
    | { readonly kind: 'pins'; readonly messageId: MessageId }
    | { readonly kind: 'deleted'; readonly messageId: MessageId; readonly authorId: AccountId }
    | { readonly kind: 'deleted_bulk'; readonly messageIds: readonly MessageId[] }
    | ReactionNotice
    | AccountNotice
  )

/** The notices of all processes in one order, kept for a few minutes. */
export interface MessageNotices {
  /**
   * A number below all current and future notices. Some notices of the last seconds may be above it too, so a Gateway starts to
   * follow before it has listeners.
   */
  beginning(): Promise<NoticeNumber>
  /**
   * Notices after a number as they come, in order, each once and without gaps, until `signal` aborts. Continues by itself when
   * Postgres comes back. Rejects with NoticesLost if the next notices were already trimmed.
   */
  follow(after: NoticeNumber, signal: AbortSignal): AsyncIterable<readonly MessageNotice[]>
  /**
   * The notices in some ranges that are committed by now, in order, at most `count_max`. They hold every change that was
   * finished before the call. A number in between may be missing and still come by `follow`: that change was not finished.
   */
  committed(ranges: readonly NoticeRange[], count_max: number): Promise<readonly MessageNotice[]>
  /** How many notices `follow` has left out since the start, because a later version wrote them and this one does not know their kind. */
  unknown(): number
}

/** The numbers after one, and before another if one is named. */
export interface NoticeRange {
  readonly after: NoticeNumber
  readonly before?: NoticeNumber
}
