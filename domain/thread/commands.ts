import type { AccountId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { ThreadStarted } from './events.ts'
import type { ThreadMember, ThreadSettings } from './state.ts'

export type ThreadCommand =
  | StartThread
  | ChangeThread
  | TakeMessage
  | ArchiveIdleThread
  | AddThreadMember
  | RemoveThreadMember
  | EndThreadMembership
  | ChangeThreadMemberSettings
  | DeleteThread

/** Starts a thread; its owner is its first member, unless that is a webhook. */
export interface StartThread {
  readonly type: 'StartThread'
  readonly thread: ThreadStarted
  /** Absent: its owner is an account. */
  readonly byWebhook?: boolean
}

export interface ChangeThread {
  readonly type: 'ChangeThread'
  /** Whether the caller moderates threads. */
  readonly asModerator: boolean
  /** Absent members stay as they are. */
  readonly changes: Partial<ThreadSettings>
  readonly now: Timestamp
}

/** Prepares the thread for a message. */
export interface TakeMessage {
  readonly type: 'TakeMessage'
  readonly by: AccountId
  readonly asModerator: boolean
  readonly now: Timestamp
}

/** Archives a thread that has been idle for long enough. */
export interface ArchiveIdleThread {
  readonly type: 'ArchiveIdleThread'
  /** When the last message was written; null for none. */
  readonly lastMessageAt: Timestamp | null
  readonly now: Timestamp
}

export interface AddThreadMember {
  readonly type: 'AddThreadMember'
  readonly accountId: AccountId
  /** The account itself if it joins. */
  readonly by: AccountId
  readonly asModerator: boolean
  readonly now: Timestamp
}

export interface RemoveThreadMember {
  readonly type: 'RemoveThreadMember'
  readonly accountId: AccountId
  /** The account itself if it leaves. */
  readonly by: AccountId
}

/** After the account has left the guild, its earlier memberships end. */
/** Ends the one membership that began at that instant, if it still lasts. */
export interface EndThreadMembership {
  readonly type: 'EndThreadMembership'
  readonly accountId: AccountId
  readonly joinedAt: Timestamp
}

export interface ChangeThreadMemberSettings {
  readonly type: 'ChangeThreadMemberSettings'
  readonly accountId: AccountId
  /** Absent members stay as they are. */
  readonly changes: Partial<Omit<ThreadMember, 'joinedAt'>>
}

export interface DeleteThread {
  readonly type: 'DeleteThread'
  readonly because: 'asked' | 'parent_deleted'
}
