import type { AccountId, ChannelId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

export type DirectChannelCommand = OpenDirectChannel | ShowDirectChannel | HideDirectChannel

/** Creates the channel of two accounts if there is none yet, and opens it for one of them. */
export interface OpenDirectChannel {
  readonly type: 'OpenDirectChannel'
  /** The new channel's id, if it is created now. */
  readonly channelId: ChannelId
  readonly accountId: AccountId
  /** The other account. */
  readonly otherId: AccountId
  readonly now: Timestamp
}

/** Opens it for one or both accounts that have it closed, as a message does for its recipients. */
export interface ShowDirectChannel {
  readonly type: 'ShowDirectChannel'
  readonly accounts: readonly AccountId[]
}

/** Closes it for one of the two; its messages stay. */
export interface HideDirectChannel {
  readonly type: 'HideDirectChannel'
  readonly accountId: AccountId
}
