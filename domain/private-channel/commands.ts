import type { AccountId, ChannelId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'

export type PrivateChannelCommand =
  CreateGroup | AddRecipient | RemoveRecipient | ChangeGroup | NoteGroupMessagesRemoved

export interface CreateGroup {
  readonly type: 'CreateGroup'
  readonly channelId: ChannelId
  readonly ownerId: AccountId
  /** The others, each once. */
  readonly others: readonly AccountId[]
  /** How many may take part, the owner included. */
  readonly recipients_max: number
  readonly now: Timestamp
}

export interface AddRecipient {
  readonly type: 'AddRecipient'
  readonly accountId: AccountId
  /** The account itself where it comes by an invite; else somebody who takes part. */
  readonly by: AccountId
  readonly recipients_max: number
  /** Names the use of the invite that it comes by. */
  readonly redemptionId?: string
}

/** Removes somebody, or lets somebody leave. */
export interface RemoveRecipient {
  readonly type: 'RemoveRecipient'
  readonly accountId: AccountId
  /** The account itself where it leaves. */
  readonly by: AccountId
  /** Drawn at random, a whole number from 0 on: who becomes the owner where the owner leaves. */
  readonly lot: number
  /** Whether no message is to tell of it. */
  readonly silent?: boolean
}

/** Changes some of what a group is; what is absent stays as it is. */
export interface ChangeGroup {
  readonly type: 'ChangeGroup'
  readonly by: AccountId
  readonly name?: string | null
  readonly icon?: string | null
  readonly ownerId?: AccountId
  readonly nicks?: readonly { readonly accountId: AccountId; readonly nick: string | null }[]
  /** Names the request, so that names and nicks are changed once by it: the state does not hold them, since they are personal. */
  readonly changeId: string
}

/** Notes that what was written in a group that is no more is deleted for good. */
export interface NoteGroupMessagesRemoved {
  readonly type: 'NoteGroupMessagesRemoved'
}
