import type { AccountId, ChannelId, MessageId } from '../../domain/ids/ids.ts'
import type { MessageType } from '../../domain/messages/message-types.ts'
import type { ReactionEmoji } from '../../domain/messages/reactions.ts'
import type { MessageAudience, MessageReference } from './messages.ts'

/** The first reaction with an emoji, or one more. */
export interface AddedReaction {
  readonly kind: 'add'
  readonly emoji: ReactionEmoji
  readonly accountId: AccountId
  /** The Gateway session that the request named. */
  readonly sessionId: string | null
  /** Whether it may be the first one with its emoji. */
  readonly mayBeFirst: boolean
  /** How many accounts may react with one emoji. */
  readonly users_max: number
  /** How many emojis a message may have. */
  readonly emojis_max: number
}

/** The removal of one reaction, of all with an emoji, or of all. */
export type RemovedReactions =
  | {
      readonly kind: 'remove'
      readonly emoji: ReactionEmoji
      readonly accountId: AccountId
      readonly sessionId: string | null
    }
  | { readonly kind: 'remove_emoji'; readonly emoji: ReactionEmoji }
  | { readonly kind: 'remove_all' }

/** A change of the reactions to a message in the audience's channel. */
export type ReactionChange = (AddedReaction | RemovedReactions) & {
  readonly messageId: MessageId
  readonly audience: MessageAudience
  /** A message of these types counts as unknown: the caller can't see it. */
  readonly without: readonly MessageType[]
}

/**
 * `unknown`: there is no such message. `present`: the account reacted with the emoji before. `new`: it would be the first one with
 * its emoji, and may not be. `full`: a bound is reached. `removed`: what is removed is gone, or was not there.
 */
export type ReactionOutcome = 'unknown' | 'added' | 'present' | 'new' | 'full' | 'removed'

/** An account's reaction to a message. */
export interface HeldReaction {
  readonly channelId: ChannelId
  readonly messageId: MessageId
  readonly accountId: AccountId
  /** As `emojiKey` gives it. */
  readonly emoji: string
}

/** One emoji on one message. */
export interface ReactedEmoji {
  readonly channelId: ChannelId
  readonly messageId: MessageId
  /** As `emojiKey` gives it. */
  readonly emoji: string
}

/**
 * The reactions to messages. How many there are with each emoji is in the message itself. They go with their message. Rejects with a
 * subclass of Unavailable if Postgres can't be reached. Every adapter passes test/contract/reactions-contract.ts.
 */
export interface Reactions {
  /**
   * Carries out one change and notifies the Gateways: both or neither. Additions that are `added` and removals of messages that are
   * there notify, also a removal of what was not there. Changes to one message that arrive together share a statement. The bounds
   * hold whatever happens at once.
   */
  change(change: ReactionChange): Promise<ReactionOutcome>
  /** Which of the messages these accounts reacted to, and how, in no order. */
  of(
    accounts: readonly AccountId[],
    messages: readonly Pick<MessageReference, 'channelId' | 'messageId'>[],
  ): Promise<readonly HeldReaction[]>
  /** The accounts that reacted with an emoji, by their ids, after one if it is given. */
  accountsOf(reacted: ReactedEmoji, after: AccountId | undefined, limit: number): Promise<readonly AccountId[]>
  /** The reactions of an account, by channel, message and emoji, after one if it is given. */
  ofAccount(account: AccountId, after: ReactedEmoji | undefined, limit: number): Promise<readonly HeldReaction[]>
  /** Removes all reactions of an account, however long that takes. Nobody is notified. Safe to repeat. */
  removeAllOf(account: AccountId): Promise<void>
}
