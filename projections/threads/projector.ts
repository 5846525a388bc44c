import type { ThreadEvent } from '../../domain/thread/events.ts'
import { threadAtFirst } from '../../domain/thread/evolve.ts'
import type { ThreadMember, ThreadSettings } from '../../domain/thread/state.ts'
import { patch, projection, put, remove, removeWhere, type Row } from '../runner/projection.ts'

/**
 * Threads and their members. When a channel, guild or membership ends, its threads and thread memberships end by separate events.
 */
export const threadsProjection = projection<ThreadEvent>({
  name: 'threads',
  answers: 'Threads, and who joined them.',
  version: 2,
  tables: new URL('./tables.sql', import.meta.url),
  keys: {
    threads: ['id'],
    members: ['thread_id', 'account_id'],
  },
  on: {
    ThreadStarted: ({ data }) => {
      const thread = threadAtFirst(data)
      return [
        put('threads', {
          id: data.threadId,
          guild_id: data.guildId,
          parent_id: data.parentId,
          owner_id: data.ownerId,
          type: data.threadType,
          starter_id: data.starterId,
          created_at: data.createdAt,
          archived_at: thread.archivedAt,
          ...settingsColumns(thread),
        }),
      ]
    },
    ThreadChanged: ({ data }) => [
      patch(
        'threads',
        { id: data.threadId },
        {
          ...settingsColumns(data.after),
          ...(data.after.archived === undefined ? {} : { archived_at: data.changedAt }),
        },
      ),
    ],
    ThreadMemberAdded: ({ data, position }) => [
      put('members', {
        thread_id: data.threadId,
        account_id: data.accountId,
        guild_id: data.guildId,
        joined_at: data.member.joinedAt,
        added_position: position.toString(),
        ...memberColumns(data.member),
      }),
    ],
    ThreadMemberRemoved: ({ data }) => [remove('members', { thread_id: data.threadId, account_id: data.accountId })],
    ThreadMemberSettingsChanged: ({ data }) => [
      patch('members', { thread_id: data.threadId, account_id: data.accountId }, memberColumns(data.changes)),
    ],
    ThreadDeleted: ({ data }) => [
      remove('threads', { id: data.threadId }),
      removeWhere('members', { thread_id: data.threadId }),
    ],
  },
})

/** The given settings as columns. */
function settingsColumns(settings: Partial<ThreadSettings>): Row {
  return given({
    name: settings.name,
    archived: settings.archived,
    locked: settings.locked,
    auto_archive_duration: settings.autoArchiveDuration,
    rate_limit_per_user: settings.rateLimitPerUser,
    invitable: settings.invitable,
    flags: settings.flags,
    applied_tags: settings.appliedTags,
  })
}

function memberColumns(member: Partial<ThreadMember>): Row {
  const muteConfig = member.muteConfig && { ...member.muteConfig }
  return given({ flags: member.flags, muted: member.muted, mute_config: muteConfig })
}

function given(columns: Readonly<Record<string, Row[string] | undefined>>): Row {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
