import type { AccountId, ChannelId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'

export type DirectChannelCommand = OpenDirectChannel | ShowDirectChannel | HideDirectChannel

/** Makes the channel of two accounts, where there is none yet, and opens it for one of them. */
export interface OpenDirectChannel {
  readonly type: 'OpenDirectChannel'
  /** What it is called if it is made now; a new id. */
  readonly channelId: ChannelId
  readonly accountId: AccountId
  /** Another account. */
  readonly otherId: AccountId
  readonly now: Timestamp
}

/** Opens it for one of the two or both, where it is not open: what a message does for whom it is sent to. */
export interface ShowDirectChannel {
  readonly type: 'ShowDirectChannel'
  readonly accounts: readonly AccountId[]
}

/** Closes it for one of the two; what is written in it stays. */
export interface HideDirectChannel {
  readonly type: 'HideDirectChannel'
  readonly accountId: AccountId
}
