import type { AccountId, ChannelId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

export type PrivateChannelCommand =
  | CreateGroup
  | AddRecipient
  | RemoveRecipient
  | ChangeGroup
  | NoteGroupMessagesRemoved

export interface CreateGroup {
  readonly type: 'CreateGroup'
  readonly channelId: ChannelId
  readonly ownerId: AccountId
  /** The other recipients, without repeats. */
  readonly others: readonly AccountId[]
  /** The maximum number of recipients, including the owner. */
  readonly recipients_max: number
  readonly now: Timestamp
}

export interface AddRecipient {
  readonly type: 'AddRecipient'
  readonly accountId: AccountId
  /** The account itself if it joins by an invite; otherwise a recipient. */
  readonly by: AccountId
  readonly recipients_max: number
  /** Names the use of its invite. */
  readonly redemptionId?: string
}

/** Removes a recipient, or lets one leave. */
export interface RemoveRecipient {
  readonly type: 'RemoveRecipient'
  readonly accountId: AccountId
  /** The account itself if it leaves. */
  readonly by: AccountId
  /** A random whole number from 0 on, which selects the next owner if the owner leaves. */
  readonly lot: number
  /** Whether to post no system message. */
  readonly silent?: boolean
}

/** Changes a group; absent members stay as they are. */
export interface ChangeGroup {
  readonly type: 'ChangeGroup'
  readonly by: AccountId
  readonly name?: string | null
  readonly icon?: string | null
  readonly ownerId?: AccountId
  readonly nicks?: readonly { readonly accountId: AccountId; readonly nick: string | null }[]
  /**
   * Names the request, so that it changes names and nicknames only once: the state does not hold them, since they are personal.
   */
  readonly changeId: string
}

/** Records that the messages of an ended group were permanently deleted. */
export interface NoteGroupMessagesRemoved {
  readonly type: 'NoteGroupMessagesRemoved'
}
