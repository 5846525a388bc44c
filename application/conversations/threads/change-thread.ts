import { threadTypes, type AutoArchiveDuration, type ThreadSettings } from '../../../domain/thread/state.ts'
import { renamed } from '../messages/system/said.ts'
import { requirePermission } from '../../access/guild-access.ts'
import { requireNotTimedOut, type ThreadAccess } from '../../access/thread-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { ThreadObject } from '../../wire-objects/conversations/thread-objects.ts'
import type { Ports } from '../../ports.ts'
import { withinActiveThreads } from './within-active-threads.ts'
import { requireTags } from './forum-tags.ts'
import { tellInThread } from './thread-messages.ts'
import { threadView } from './thread-views.ts'

/** The parsed body of Modify channel for a thread; undefined for members that stay as they are. */
export interface ThreadChanges {
  readonly name: string | undefined
  readonly archived: boolean | undefined
  readonly locked: boolean | undefined
  readonly autoArchiveDuration: AutoArchiveDuration | undefined
  readonly rateLimitPerUser: number | undefined
  readonly invitable: boolean | undefined
  /** For a forum post: whether it is pinned. */
  readonly flags: number | undefined
  readonly appliedTags: readonly string[] | undefined
}

/** Settings that only moderators can change, not the thread's owner. Who may change what is inferred. */
const moderated = ['locked', 'rateLimitPerUser', 'flags'] as const

type Needs = Pick<Ports, 'aggregates' | 'messages' | 'queries' | 'readModels' | 'reservations'>

/**
 * Changes a thread. Its owner may, and holders of MANAGE_THREADS. A message of type 4 in the thread announces a new
 * name. Refuses in this order: COMMUNICATION_DISABLED, MISSING_PERMISSIONS, TWO_FACTOR_REQUIRED, INVALID_CHANNEL_TYPE
 * for settings that this kind of thread does not have, as `requireTags` does, THREAD_LOCKED, THREAD_ARCHIVED,
 * MAX_ACTIVE_THREADS. See rules/channels#change-a-thread.
 */
export function changeThread(ports: Needs) {
  return async (caller: Caller, access: ThreadAccess, wishes: ThreadChanges): Promise<ThreadObject> => {
    const { thread } = access
    const changes = given(wishes)
    const asModerator = requireMayChange(caller, access, changes)
    requireFitting(access, changes)
    const command = { type: 'ChangeThread', asModerator, changes, now: caller.context.now } as const
    const act = () => ports.aggregates.thread.execute(thread.threadId, command, caller.context)
    const comesBack = thread.archived && changes.archived === false
    const { state } = comesBack ? await withinActiveThreads(ports, thread.guildId, caller.context, act) : await act()
    await ports.readModels.reached(caller.context.written)
    if (state.status === 'open' && changes.name !== undefined && changes.name !== thread.name)
      await tellInThread(ports, access, caller, renamed(caller.account.id, changes.name))
    const record = (await ports.queries.threads.find(thread.threadId)) ?? reject('UNKNOWN_CHANNEL')
    return threadView(ports, caller, record)
  }
}

/** Whether the caller changes the thread as a moderator. Refuses callers who may not change it. */
function requireMayChange(caller: Caller, access: ThreadAccess, changes: Partial<ThreadSettings>): boolean {
  requireNotTimedOut(access, caller)
  const isOwners = access.thread.ownerId === caller.account.id && moderated.every((name) => changes[name] === undefined)
  if (!isOwners || (access.thread.locked && access.isModerator)) {
    requirePermission(access, 'MANAGE_THREADS')
    return true
  }
  return false
}

/** Only private threads can be invitable; only forum posts can be pinned and have tags. */
function requireFitting(access: ThreadAccess, { invitable, flags, appliedTags }: Partial<ThreadSettings>): void {
  const isPost = access.channel.forum !== null
  if (invitable !== undefined && access.thread.threadType !== threadTypes.private) reject('INVALID_CHANNEL_TYPE')
  if ((flags !== undefined || appliedTags !== undefined) && !isPost) reject('INVALID_CHANNEL_TYPE')
  if (appliedTags !== undefined) requireTags(access, appliedTags)
}

function given(changes: ThreadChanges): Partial<ThreadSettings> {
  return Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as Partial<ThreadSettings>
}
