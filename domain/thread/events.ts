import type { AccountId, MessageId } from '../ids/ids.js'
import { event, type EventOf } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { ThreadMember, ThreadPlace, ThreadSettings } from './state.js'

const place = { threadId: 'text', guildId: 'text', parentId: 'text', threadType: 'number' } as const

/**
 * What can happen to a thread. Kept forever: members are added, never renamed or reused. Each says where the thread stands, so
 * that it can be told to those who can view it by whoever knows no more of the thread.
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
