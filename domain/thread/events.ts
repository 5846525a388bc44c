import type { AccountId, MessageId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { ThreadMember, ThreadPlace, ThreadSettings } from './state.js'

/**
 * The events of a thread. Kept forever: members are added, never renamed or reused. Each names the thread's place, so that
 * readers can notify its viewers without further data.
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
  /** The message that it was started from; null if there is none. */
  readonly starterId: MessageId | null
  readonly createdAt: Timestamp
}

export interface ThreadChanged extends ThreadPlace {
  /** Only what differs. */
  readonly before: Partial<ThreadSettings>
  readonly after: Partial<ThreadSettings>
  /** On request, by a message in an archived thread, or by automatic archiving. */
  readonly because: 'asked' | 'message' | 'inactivity'
  readonly changedAt: Timestamp
}

export interface ThreadMemberAdded extends ThreadPlace {
  readonly accountId: AccountId
  /** The account itself, or the one that added it. */
  readonly addedBy: AccountId
  readonly member: ThreadMember
  /** Including this one. */
  readonly memberCount: number
}

export interface ThreadMemberRemoved extends ThreadPlace {
  readonly accountId: AccountId
  /** The account itself, the one that removed it, or null if the account left the guild. */
  readonly removedBy: AccountId | null
  /** Without this one. */
  readonly memberCount: number
}

/** Concerns only the account: nobody else is notified. */
export interface ThreadMemberSettingsChanged extends ThreadPlace {
  readonly accountId: AccountId
  /** Absent members stay as they were. */
  readonly changes: Partial<Omit<ThreadMember, 'joinedAt'>>
}

export interface ThreadDeleted extends ThreadPlace {
  /** On request, or because its channel or guild was deleted. */
  readonly because: 'asked' | 'parent_deleted'
  /** As they were before. */
  readonly settings: ThreadSettings
  /** The members of a private thread, the only accounts to notify. Otherwise empty. */
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
