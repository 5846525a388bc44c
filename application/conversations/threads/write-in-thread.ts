import { threadMemberFlags } from '../../../domain/thread/state.ts'
import type { ThreadAccess } from '../../access/thread-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { withinActiveThreads } from './within-active-threads.ts'
import { requireChannelStill } from './require-channel-still.ts'

type Needs = Pick<Ports, 'aggregates' | 'messages' | 'queries' | 'readModels' | 'reservations'>

/**
 * Refuses callers who may not write in a thread: THREAD_LOCKED for callers who are not moderators, THREAD_ARCHIVED for a locked
 * thread in the archive.
 */
export function requireMayWriteIn({ thread, isModerator }: ThreadAccess): void {
  if (thread.locked && !isModerator) reject('THREAD_LOCKED')
  if (thread.locked && thread.archived) reject('THREAD_ARCHIVED')
}

/**
 * Prepares a thread for a message of the caller: unarchives it (400 MAX_ACTIVE_THREADS if the guild may have no more active
 * ones), and makes the caller a member. For most messages nothing is to do. 404 UNKNOWN_CHANNEL if its channel was deleted
 * meanwhile.
 */
export async function prepareToWrite(ports: Needs, caller: Caller, access: ThreadAccess): Promise<void> {
  const { thread, membership, isModerator } = access
  const hasWritten = membership !== undefined && (membership.flags & threadMemberFlags.HAS_INTERACTED) !== 0
  if (!thread.archived && hasWritten) return
  const { account, context } = caller
  const command = { type: 'TakeMessage', by: account.id, asModerator: isModerator, now: context.now } as const
  const act = () => ports.aggregates.thread.execute(thread.threadId, command, context)
  const { changed } = thread.archived ? await withinActiveThreads(ports, thread.guildId, context, act) : await act()
  if (changed) await requireChannelStill(ports, caller, thread)
}
