import type { ThreadEvent } from '../../../domain/thread/events.js'
import type { MembersOf } from './member-kinds.js'

const place = { threadId: 'text', guildId: 'text', parentId: 'text', threadType: 'number' } as const

export const thread: MembersOf<ThreadEvent> = {
  ThreadStarted: {
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
  },
  ThreadChanged: {
    ...place,
    before: 'object',
    after: 'object',
    because: 'text',
    changedAt: 'text',
  },
  ThreadMemberAdded: { ...place, accountId: 'text', addedBy: 'text', member: 'object', memberCount: 'number' },
  ThreadMemberRemoved: { ...place, accountId: 'text', removedBy: 'text or null', memberCount: 'number' },
  ThreadMemberSettingsChanged: { ...place, accountId: 'text', changes: 'object' },
  ThreadDeleted: { ...place, because: 'text', settings: 'object', memberIds: 'list' },
}
