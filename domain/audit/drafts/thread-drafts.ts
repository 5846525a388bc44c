import type { ThreadEvent } from '../../thread/events.ts'
import type { ThreadSettings, ThreadType } from '../../thread/state.ts'
import { auditActions } from '../audit-actions.ts'
import { changed, created, deleted, type AuditValue, type DraftsOf } from '../audit-entry.ts'

/**
 * Threads. Nothing is logged that nobody asked for: automatic archiving, unarchiving by a message, and the end of
 * threads with their channel.
 */
export const threadDrafts: DraftsOf<ThreadEvent> = {
  ThreadStarted: ({ guildId, threadId, threadType, ...settings }) => [
    {
      guildId,
      actionType: auditActions.THREAD_CREATE,
      targetId: threadId,
      options: {},
      changes: created(valuesOf({ ...settings, archived: false, locked: false }, threadType)),
    },
  ],
  ThreadChanged: ({ guildId, threadId, before, after, because }) => {
    if (because !== 'asked') return []
    const changes = changed(valuesOf(before), valuesOf(after))
    return [{ guildId, actionType: auditActions.THREAD_UPDATE, targetId: threadId, options: {}, changes }]
  },
  ThreadDeleted: ({ guildId, threadId, threadType, because, settings }) => {
    if (because !== 'asked') return []
    const changes = deleted(valuesOf(settings, threadType))
    return [{ guildId, actionType: auditActions.THREAD_DELETE, targetId: threadId, options: {}, changes }]
  },
}

/** The given members, by their keys in the log; `invitable` only for a private thread, tags only for a forum post. */
function valuesOf(settings: Partial<ThreadSettings>, type?: ThreadType): Readonly<Record<string, AuditValue>> {
  const { appliedTags } = settings
  const values = {
    name: settings.name,
    type,
    archived: settings.archived,
    locked: settings.locked,
    auto_archive_duration: settings.autoArchiveDuration,
    rate_limit_per_user: settings.rateLimitPerUser,
    flags: settings.flags,
    invitable: settings.invitable ?? undefined,
    applied_tags: type !== undefined && appliedTags?.length === 0 ? undefined : appliedTags,
  }
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}
