import type { AccountId, ChannelId, GuildId, MessageId, RoleId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'

/** An account says how far it has read a channel. Nobody checks that there is such a message. */
export interface Acknowledgement {
  readonly channelId: ChannelId
  readonly messageId: MessageId
  /** How many mentions the account leaves unread there. */
  readonly mentionCount: number
  /** Whether the read state may move backwards. */
  readonly isManual: boolean
}

/** A read state after an acknowledgement. */
export interface Acknowledged {
  readonly lastMessageId: MessageId
  /** Without the mentions that came since, if it has not moved. */
  readonly mentionCount: number
  readonly lastPinAt: Timestamp | null
  /** Whether the acknowledgement has moved it. */
  readonly hasMoved: boolean
}

/** The mentions of an account in a channel that came since it was last read. */
export interface LaterMentions {
  readonly count: number
  /** Null in a private channel. */
  readonly guildId: GuildId | null
  /** The channel of a thread. */
  readonly parentId: ChannelId | null
  /** Whether it is a private thread. */
  readonly isPrivate: boolean
}

/** What an account has read of a channel. */
export interface ReadState {
  readonly channelId: ChannelId
  /** Null if it has acknowledged no message there. */
  readonly lastMessageId: MessageId | null
  /** How many mentions it left unread with its last acknowledgement. */
  readonly mentionCount: number
  /** The last pin that it has seen. */
  readonly lastPinAt: Timestamp | null
  /** Whether it has not moved for 30 days: then it goes if the account no longer sees the channel. */
  readonly isOld: boolean
  /** Undefined for none. They count for those who may view the channel. */
  readonly later: LaterMentions | undefined
}

/** A membership of an account, as mentions know it: everyone and its roles are mentioned from the join on. */
export interface Stay {
  readonly guildId: GuildId
  readonly joinedAt: Timestamp
  readonly roles: readonly RoleId[]
}

/** Which read states may begin. */
export interface Beginnings {
  /** Those of the channels that the account may view now. */
  readonly inSight: readonly ChannelId[]
  /** How many read states the account may have: with more, those go that were moved longest ago. */
  readonly states_max: number
}

/**
 * What accounts have read of channels. Rejects with a subclass of Unavailable if Postgres can't be reached.
 */
export interface ReadStates {
  /**
   * Carries out acknowledgements of an account, at most 100, in their order; each that moves its read state notifies the sessions
   * of the account, in the same transaction. `together`: each is judged by what was there before all of them, and none moves a
   * read state backwards. In a channel without a read state one begins if `begins` names the channel; else the sessions are notified
   * and nothing is kept. Without `begins` it does nothing and gives undefined if any of the channels has none.
   */
  acknowledge(
    account: AccountId,
    acknowledgements: readonly Acknowledgement[],
    options: { readonly together: boolean; readonly begins?: Beginnings },
  ): Promise<readonly Acknowledged[] | undefined>
  /** Notifies the sessions of an account of read states that stayed. */
  tell(account: AccountId, stayed: readonly (Acknowledgement & { readonly together: boolean })[]): Promise<void>
  /** Notes the last pin of a channel as seen, and notifies the sessions of the account. Does nothing if none ever was there. */
  acknowledgePins(account: AccountId, channel: ChannelId, states_max: number): Promise<void>
  /**
   * Forgets what an account has read of a channel. Mentions that came before no longer count. Nobody is notified. Gives false where
   * the account has no read state.
   */
  clear(account: AccountId, channel: ChannelId): Promise<boolean>
  /** Begins a read state in which nothing is read, and mentions from now on count. */
  beginCleared(account: AccountId, channel: ChannelId, states_max: number): Promise<void>
  /** Removes those of an account's read states of channels that it no longer sees that are old. */
  forgetLeft(account: AccountId, channels: readonly ChannelId[]): Promise<void>
  /**
   * All read states of an account, also of channels where nothing but later mentions is known, by their channels. Of the mentions
   * of one target in one channel at most 10,000 count.
   */
  of(account: AccountId, stays: readonly Stay[]): Promise<readonly ReadState[]>
  /** Removes all read states of an account, and the mentions of it. Safe to repeat. */
  removeAllOf(account: AccountId): Promise<void>
}
