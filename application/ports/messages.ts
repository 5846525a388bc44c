import type { AccountId, ChannelId, EntryId, GuildId, MessageId, RoleId } from '../../domain/ids/ids.js'
import { snowflakeMs, type Snowflake } from '../../domain/ids/snowflake.js'
import { timestamp, type Timestamp } from '../../domain/kernel/timestamp.js'
import type { Position } from './event-store.js'

/** The types of messages that are built (reference gateway 3.7). */
export const messageTypes = {
  default: 0,
  recipientAdd: 1,
  recipientRemove: 2,
  channelNameChange: 4,
  channelIconChange: 5,
  userJoin: 7,
  threadCreated: 18,
  reply: 19,
  threadStarter: 21,
} as const

export type MessageType = (typeof messageTypes)[keyof typeof messageTypes]

/** A message as it is kept: in Postgres alone, never in the event store, so that one that is deleted is gone for good. */
export interface Message {
  /** It orders messages, and says when the message was made. */
  readonly id: MessageId
  /** The channel, thread or private channel that it stands in. */
  readonly channelId: ChannelId
  /** Null in a private channel. */
  readonly guildId: GuildId | null
  readonly authorId: AccountId
  readonly type: MessageType
  /** 4 SUPPRESS_EMBEDS, 32 HAS_THREAD, 256, 4096 SUPPRESS_NOTIFICATIONS, 8192 (reference gateway 3.7). */
  readonly flags: number
  /** `''` where there is none. */
  readonly content: string
  readonly editedAt: Timestamp | null
  readonly tts: boolean
  readonly mentionsEveryone: boolean
  /** Whether `@here` was said by somebody who may. */
  readonly mentionsHere: boolean
  readonly mentions: readonly AccountId[]
  readonly mentionRoles: readonly RoleId[]
  readonly reference: MessageReference | null
}

/** The flag HAS_THREAD: a thread was started from the message. */
export const hasThread = 1 << 5

/** When a message was made: its id says so. */
export const sentAt = ({ id }: Pick<Message, 'id'>): Timestamp => timestamp(snowflakeMs(id))

export interface MessageReference {
  readonly channelId: ChannelId
  readonly messageId: MessageId
  readonly guildId: GuildId | null
}

/** At most one of the three cursors is given. */
export interface MessagePage {
  readonly before?: MessageId
  readonly after?: MessageId
  /** Half of the page is newer, the rest is the message itself and what is older; what one side lacks, the other fills. */
  readonly around?: MessageId
  /** Only messages from here on: what a member without READ_MESSAGE_HISTORY may see. */
  readonly from?: Timestamp
  /** Types that are left out, as if they were not there: a page is as long without them. */
  readonly without?: readonly MessageType[]
  /** 1-100. */
  readonly limit: number
}

/** Who hears of what happens to messages, and what is told of the place besides. */
export interface Telling {
  readonly channelId: ChannelId
  /** As reference gateway 3.4 numbers them; 10, 11 and 12 are threads, 1, 3 and 999 private. */
  readonly channelType: number
  /** Null in a private channel. */
  readonly guildId: GuildId | null
  /** The channel that a thread hangs below, whose viewers hear of it; null for what is no thread. */
  readonly parentId: ChannelId | null
  /**
   * Whom it reaches by their names: the recipients of a private channel; in a private thread its members, besides those who
   * moderate threads. Null where all viewers of the channel, or of the parent, hear of it.
   */
  readonly recipients: readonly AccountId[] | null
  /** What the read models held when it was allowed: nobody hears of it before the events up to there. */
  readonly after: Position
}

/** A message on its way. Its place is the telling's. */
export interface Posting {
  readonly message: Message
  /** 1-32 characters: the same of one author in one channel within 5 minutes gives the first message again. */
  readonly nonce?: string
  /** Seconds that must lie between two messages of the author in the channel; absent for one whom it does not bind. */
  readonly slowMode_s?: number
  /**
   * A step that may be taken again: for so many milliseconds it is known what it posted, or found posted, which is not posted
   * anew where it was deleted meanwhile.
   */
  readonly once_ms?: number
  readonly telling: Telling
}

export type Posted =
  /** `repeated`: the nonce was used before; the message is the first one's, and nothing was written or told. */
  | { readonly outcome: 'posted' | 'repeated'; readonly message: Message }
  /** The same step posted it before, and it is deleted: nothing was written or told. */
  | { readonly outcome: 'gone' }
  /** Another message of the author is not old enough: seconds until it is, not whole ones. */
  | { readonly outcome: 'slowed'; readonly retryAfter_s: number }

/** An author starts a thread in a channel with slow mode, which counts threads apart from messages. */
export interface ThreadTurn {
  /** Drawn as the thread is started. */
  readonly id: Snowflake
  readonly channelId: ChannelId
  readonly authorId: AccountId
  /** Seconds that must lie between two threads of the author in the channel. */
  readonly slowMode_s: number
}

/** What is counted of the messages in a thread. */
export interface MessageTally {
  /** Those that are there. */
  readonly message_count: number
  /** Those that were ever written. */
  readonly sent_count: number
}

export const nonceLife_ms = 5 * 60_000
/** How long it is known what a step posted that follows from an event. */
export const systemOnce_ms = 7 * 24 * 3_600_000
/** How long it is known what a request with an Idempotency-Key posted: longer than the key is. */
export const keyedOnce_ms = 25 * 3_600_000

/** A deletion that a guild's audit log is to tell of, and has not yet: what its event follows from. */
export interface UnrecordedDeletion {
  /** The entry that tells of it. */
  readonly entryId: EntryId
  readonly guildId: GuildId
  readonly channelId: ChannelId
  /** Null where several were to go at once. */
  readonly messageId: MessageId | null
  /** How many were asked to go. */
  readonly count: number
  readonly deletedBy: AccountId
  readonly at: Timestamp
  /** The command that deleted. */
  readonly commandId: string
  readonly correlationId: string
  readonly causationId: string
  /** X-Audit-Log-Reason; null for none. */
  readonly reason: string | null
}

/**
 * Keeps the messages of all channels, and tells the Gateways of every change, both or neither. Rejects with a kind of
 * Unavailable where Postgres can't be had. Ids come from the caller: they order messages. Every adapter passes
 * test/contract/messages-contract.ts.
 */
export interface Messages {
  /** A message whose very id is there already counts as repeated: so a step that is done again posts once. */
  post(posting: Posting): Promise<Posted>
  /**
   * What a step of this id posted with `once_ms`, or found posted by its nonce: the message as it is now, `gone` where it is
   * deleted, undefined where the step posted nothing.
   */
  postedBefore(channel: ChannelId, id: MessageId): Promise<Message | 'gone' | undefined>
  /** Takes an author's turn to start a thread: 0, or the seconds until it comes, not whole ones. The same id is the same turn. */
  takeThreadTurn(turn: ThreadTurn): Promise<number>
  find(channel: ChannelId, message: MessageId): Promise<Message | undefined>
  /** Those that are there, of any channels, in no order, with what their authors named them by; at most 1000. */
  findMany(
    places: readonly Pick<MessageReference, 'channelId' | 'messageId'>[],
  ): Promise<readonly (Message & { readonly nonce: string | null })[]>
  /** Newest first. */
  page(channel: ChannelId, page: MessagePage): Promise<readonly Message[]>
  /**
   * Gives the message as it then is, undefined where it is gone. What changes nothing is not told. Of the flags those of
   * `flagsMask` change, where it is given: whoever changes others at the same moment keeps them.
   */
  edit(
    message: MessageId,
    changes: Partial<
      Pick<Message, 'content' | 'flags' | 'editedAt' | 'mentions' | 'mentionRoles' | 'mentionsEveryone'>
    > & { readonly flagsMask?: number },
    telling: Telling,
  ): Promise<Message | undefined>
  /**
   * Deletes messages of the telling's channel for good, at most 100; gives those that were there. `bulk` tells of all ids at
   * once, those too that were not there; else each that was there is told by itself. `unrecorded` is kept with the deletion, where
   * anything was there.
   */
  remove(
    ids: readonly MessageId[],
    telling: Telling & { readonly bulk: boolean; readonly unrecorded?: UnrecordedDeletion | undefined },
  ): Promise<readonly Message[]>
  /** Deletions before an instant that were not recorded yet, oldest first, at most `count_max`. */
  unrecordedDeletions(before: Timestamp, count_max: number): Promise<readonly UnrecordedDeletion[]>
  /** Lets go of a deletion whose entry stands. Safe to repeat. */
  noteRecorded(entry: EntryId): Promise<void>
  /**
   * Deletes for good what an author wrote in channels from an instant on, and before another, in batches of at most 100, each told
   * at once.
   */
  removeOfAuthor(
    author: AccountId,
    channels: readonly Omit<Telling, 'after'>[],
    options: { readonly from?: Timestamp; readonly until?: Timestamp; readonly after: Position },
  ): Promise<{ readonly deleted_count: number }>
  /** Deletes whole channels for good, however long that takes; nobody is told. Safe to repeat. */
  removeChannels(channels: readonly ChannelId[]): Promise<void>
  /** The newest message of each channel that has any. */
  lastOf(channels: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, MessageId>>
  /** How many messages there are, and ever were, in threads; those without any, and other channels, are left out. */
  talliesOf(channels: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, MessageTally>>
}

/** Where a notice stands: grows with every notice. */
export type NoticeNumber = bigint

/** What Gateways are told of a change to messages. It has no content: whoever dispatches it reads the message. */
export type MessageNotice = Telling & { readonly number: NoticeNumber } & (
    | { readonly kind: 'created' | 'updated'; readonly messageId: MessageId }
    | { readonly kind: 'deleted'; readonly messageId: MessageId; readonly authorId: AccountId }
    | { readonly kind: 'deleted_bulk'; readonly messageIds: readonly MessageId[] }
  )

/** The notices of all processes, in one order, for a few minutes. */
export interface MessageNotices {
  /**
   * A number that every notice of now and later is after. Some older ones may be too, of the last seconds: whoever begins to
   * follow does so before anybody listens.
   */
  beginning(): Promise<NoticeNumber>
  /**
   * Notices after a number, in order, each once and without gaps, as they come, until `signal` aborts. Goes on by itself when
   * Postgres comes back. Rejects with NoticesLost where the next ones are trimmed away.
   */
  follow(after: NoticeNumber, signal: AbortSignal): AsyncIterable<readonly MessageNotice[]>
}

/** Who follows came too late: some notices are no longer kept. */
export class NoticesLost extends Error {
  override readonly name = 'NoticesLost'
}
