import type { AccountId, MessageId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { ThreadMember, ThreadPlace, ThreadSettings } from './state.ts'

const place = { threadId: 'text', guildId: 'text', parentId: 'text', threadType: 'number' } as const

/**
 * The events of a thread. Kept forever: members are added, never renamed or reused. Each names the thread's place, so that
 * readers can notify its viewers without further data.
 */
export const threadEvents = {
  ThreadStarted: event<ThreadStarted>({
    ...place,
    ownerId: 'text',
    starterId: 'text or null',
    name: 'text',
    autoArchiveDuration: 'number',
    rateLimitPerUser: 'number',
    invitable: 'flag or null',
    flags: 'number',
    appliedTags: 'list',
    createdAt: 'text',
  }),
  ThreadChanged: event<ThreadChanged>({
    ...place,
    before: 'object',
    after: 'object',
    because: 'text',
    changedAt: 'text',
  }),
  ThreadMemberAdded: event<ThreadMemberAdded>({
    ...place,
    accountId: 'text',
    addedBy: 'text',
    member: 'object',
    memberCount: 'number',
  }),
  ThreadMemberRemoved: event<ThreadMemberRemoved>({
    ...place,
    accountId: 'text',
    removedBy: 'text or null',
    memberCount: 'number',
  }),
  ThreadMemberSettingsChanged: event<ThreadMemberSettingsChanged>({ ...place, accountId: 'text', changes: 'object' }),
  ThreadDeleted: event<ThreadDeleted>({ ...place, because: 'text', settings: 'object', memberIds: 'list' }),
}

export type ThreadEvent = EventOf<typeof threadEvents>

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
