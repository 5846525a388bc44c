import type { AccountId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { ThreadStarted } from './events.js'
import type { ThreadMember, ThreadSettings } from './state.js'

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

/** Starts a thread; its owner is its first member. */
export interface StartThread {
  readonly type: 'StartThread'
  readonly thread: ThreadStarted
}

export interface ChangeThread {
  readonly type: 'ChangeThread'
  /** Whether whoever asks is a moderator of threads. */
  readonly asModerator: boolean
  /** What is absent stays as it is. */
  readonly changes: Partial<ThreadSettings>
  readonly now: Timestamp
}

/** Somebody is about to write. */
export interface TakeMessage {
  readonly type: 'TakeMessage'
  readonly by: AccountId
  readonly asModerator: boolean
  readonly now: Timestamp
}

/** Puts a thread into the archive where nobody wrote for long enough. */
export interface ArchiveIdleThread {
  readonly type: 'ArchiveIdleThread'
  /** When the last message was written; null where there is none. */
  readonly lastMessageAt: Timestamp | null
  readonly now: Timestamp
}

export interface AddThreadMember {
  readonly type: 'AddThreadMember'
  readonly accountId: AccountId
  /** The account itself where it joins. */
  readonly by: AccountId
  readonly asModerator: boolean
  readonly now: Timestamp
}

export interface RemoveThreadMember {
  readonly type: 'RemoveThreadMember'
  readonly accountId: AccountId
  /** The account itself where it leaves. */
  readonly by: AccountId
}

/** The account is gone from the guild: a membership that began before that ends. */
/** Ends the one membership that began at that instant, if it lasts. */
export interface EndThreadMembership {
  readonly type: 'EndThreadMembership'
  readonly accountId: AccountId
  readonly joinedAt: Timestamp
}

export interface ChangeThreadMemberSettings {
  readonly type: 'ChangeThreadMemberSettings'
  readonly accountId: AccountId
  /** What is absent stays as it is. */
  readonly changes: Partial<Omit<ThreadMember, 'joinedAt'>>
}

export interface DeleteThread {
  readonly type: 'DeleteThread'
  readonly because: 'asked' | 'parent_deleted'
}
