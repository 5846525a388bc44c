import type { AccountId, BackgroundJobId, ChannelId, GuildId, MessageId, WebhookId } from '../../domain/ids/ids.ts'
import type { MessageAudience } from './messages.ts'

/** How many messages an author has, in every kind of channel. */
export interface AuthorTally {
  readonly message_count: number
  readonly channel_count: number
  /** The channels on each page of `authorPage_count` messages, added up: a channel on two pages counts twice. */
  readonly pagedChannel_count: number
  /** The highest id among them; null for none. */
  readonly newest: MessageId | null
}

/** Where a message is. */
export interface PlacedMessage {
  readonly channelId: ChannelId
  readonly messageId: MessageId
  /** Null in a private channel. */
  readonly guildId: GuildId | null
}

/** What a job has deleted. */
export interface ShredProgress {
  readonly deleted_count: number
  /** The last message that the job came to; null if there was none yet. */
  readonly last: Pick<PlacedMessage, 'channelId' | 'messageId'> | null
}

/** Some messages of one author in one channel, which a job deletes. */
export interface ShredBatch {
  readonly jobId: BackgroundJobId
  readonly authorId: AccountId
  readonly channelId: ChannelId
  /** 1-100, in rising order. */
  readonly ids: readonly MessageId[]
  /** Who is notified; null if the channel is gone, and nobody is. */
  readonly audience: MessageAudience | null
}

/** The account that becomes the author of an erased account's messages. */
export interface AnonymousAuthor {
  readonly authorId: AccountId
  /** How long ago all messages were first gone through, by the database's clock; null if they have not been yet. */
  readonly passed_ms: number | null
}

/** The image of a webhook, by its hash. */
export interface WebhookImage {
  readonly webhookId: WebhookId
  readonly hash: string
}

/** The messages of one author, wherever they are. Rejects with a subclass of Unavailable if Postgres can't be reached. */
export interface AuthorMessages {
  /** Counts the author's messages; with `upTo` those with this id or a lower one. */
  count(author: AccountId, upTo?: MessageId): Promise<AuthorTally>
  /**
   * A page of the author's messages with ids up to `upTo`, with `from` those with this id or a higher one, by channel and then by
   * id, after a position if one is given.
   */
  page(
    author: AccountId,
    page: {
      readonly from?: MessageId
      readonly upTo: MessageId
      readonly after: ShredProgress['last']
      readonly limit: number
    },
  ): Promise<readonly PlacedMessage[]>
  /** Those of some images of webhooks that a message still shows as its author's. */
  imagesShown(images: readonly WebhookImage[]): Promise<readonly WebhookImage[]>
  /**
   * Permanently deletes those messages of the batch that exist and that the author wrote, with one notice of them, and gives how
   * many. The job's progress is written with the deletion: both or neither.
   */
  shred(batch: ShredBatch): Promise<number>
  /** Records how far a job has come where it deleted nothing. */
  pass(job: BackgroundJobId, last: NonNullable<ShredProgress['last']>): Promise<void>
  /** What a job has deleted until now. */
  shredded(job: BackgroundJobId): Promise<ShredProgress>
  /** The author that an erased account has drawn, until `forgetAnonymousAuthor`. */
  anonymousAuthorOf(erased: AccountId): Promise<AnonymousAuthor | undefined>
  /** Anonymous accounts that are nobody's author yet. */
  addSpareAuthors(accounts: readonly AccountId[]): Promise<void>
  spareAuthorCount(): Promise<number>
  /** Draws one of the spare accounts at random, unless one is drawn already; undefined if none is left. */
  drawAnonymousAuthor(erased: AccountId): Promise<AnonymousAuthor | undefined>
  /**
   * Makes another account the author of at most `anonymised_count` messages, also where they mention their own author. Nobody is
   * notified.
   */
  anonymise(author: AccountId, anonymous: AccountId): Promise<void>
  /**
   * Takes the author, its files and mentions of itself out of what others forwarded of its messages, at most `anonymised_count` of them
   * at a time. Gives whether there were any. Nobody is notified.
   */
  anonymiseForwards(author: AccountId): Promise<boolean>
  /**
   * Replaces the mention of the author in replies to anonymised messages, for the next few thousand messages of a channel. Call it
   * until it gives false: then all are done. It goes on where an earlier call ended.
   */
  anonymiseReplies(erased: AccountId, anonymous: AccountId): Promise<boolean>
  /**
   * Takes the mention of the author out of replies to messages that are gone, or that are not its any more, at most `anonymised_count`
   * of them at a time. Gives whether there were any. A mention that the text names stays. Nobody is notified.
   */
  forgetAnswered(erased: AccountId): Promise<boolean>
  /**
   * Notes that what others wrote about the messages of an account without any was gone through, and gives how long ago that was; null
   * if it is noted now.
   */
  notePassedWithout(erased: AccountId): Promise<number | null>
  /** Notes that all messages and replies were gone through, now. The next calls begin with the first channel again. */
  notePassed(erased: AccountId): Promise<void>
  /** Forgets what was noted of an erased account, as all is done. */
  forgetAnonymousAuthor(erased: AccountId): Promise<void>
}
