import type { AccountId, MessageId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { ThreadMember, ThreadPlace, ThreadSettings } from './state.js'

/**
 * What can happen to a thread. Kept forever: members are added, never renamed or reused. Each says where the thread stands, so
 * that it can be told to those who can view it by whoever knows no more of the thread.
 */
export type ThreadEvent =
  | { readonly type: 'ThreadStarted'; readonly data: ThreadStarted }
  | { readonly type: 'ThreadChanged'; readonly data: ThreadChanged }
  | { readonly type: 'ThreadMemberAdded'; readonly data: ThreadMemberAdded }
  | { readonly type: 'ThreadMemberRemoved'; readonly data: ThreadMemberRemoved }
  | { readonly type: 'ThreadMemberSettingsChanged'; readonly data: ThreadMemberSettingsChanged }
  | { readonly type: 'ThreadDeleted'; readonly data: ThreadDeleted }

export interface ThreadStarted extends ThreadPlace, Omit<ThreadSettings, 'archived' | 'locked'> {
  readonly ownerId: AccountId
  /** The message that it was started from; null for a thread of its own. */
  readonly starterId: MessageId | null
  readonly createdAt: Timestamp
}

export interface ThreadChanged extends ThreadPlace {
  /** Only what differs. */
  readonly before: Partial<ThreadSettings>
  readonly after: Partial<ThreadSettings>
  /** Somebody asked for it, somebody wrote into an archived thread, or nobody wrote for long enough. */
  readonly because: 'asked' | 'message' | 'inactivity'
  readonly changedAt: Timestamp
}

export interface ThreadMemberAdded extends ThreadPlace {
  readonly accountId: AccountId
  /** The account itself, or the one that added it. */
  readonly addedBy: AccountId
  readonly member: ThreadMember
  /** With this one. */
  readonly memberCount: number
}

export interface ThreadMemberRemoved extends ThreadPlace {
  readonly accountId: AccountId
  /** The account itself, the one that removed it, or null where it is the guild that the account is gone from. */
  readonly removedBy: AccountId | null
  /** Without this one. */
  readonly memberCount: number
}

/** It happened to the account: nobody else hears of it. */
export interface ThreadMemberSettingsChanged extends ThreadPlace {
  readonly accountId: AccountId
  /** What is absent stays as it was. */
  readonly changes: Partial<Omit<ThreadMember, 'joinedAt'>>
}

export interface ThreadDeleted extends ThreadPlace {
  /** Somebody asked for it, or its channel or guild is gone. */
  readonly because: 'asked' | 'parent_deleted'
  /** As it was. */
  readonly settings: ThreadSettings
  /** Who had joined it, where it was private: nobody else can be told. Else empty. */
  readonly memberIds: readonly AccountId[]
}

export const threadEvents: EventCatalog<ThreadEvent> = {
  category: 'thread',
  events: {
    ThreadStarted: { version: 1 },
    ThreadChanged: { version: 1 },
    ThreadMemberAdded: { version: 1 },
    ThreadMemberRemoved: { version: 1 },
    ThreadMemberSettingsChanged: { version: 1 },
    ThreadDeleted: { version: 1 },
  },
}
