import { threadMemberFlags } from '../../../domain/thread/state.js'
import type { ThreadAccess } from '../../access/thread-access.js'
import type { Caller } from '../../caller.js'
import { reject } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'
import { withinActiveThreads } from './within-active-threads.js'
import { requireChannelStill } from './standing-channel.js'

type Needs = Pick<Ports, 'aggregates' | 'messages' | 'queries' | 'readModels' | 'reservations'>

/** Refuses who may not write in a thread: THREAD_LOCKED who moderates none, THREAD_ARCHIVED where it is locked in the archive. */
export function requireMayWriteIn({ thread, isModerator }: ThreadAccess): void {
  if (thread.locked && !isModerator) reject('THREAD_LOCKED')
  if (thread.locked && thread.archived) reject('THREAD_ARCHIVED')
}

/**
 * Makes a thread ready for a message of the caller: it comes out of the archive (400 MAX_ACTIVE_THREADS where the guild may have no
 * more active ones), and the caller joins it. Most messages find it so. 404 UNKNOWN_CHANNEL where its channel went meanwhile.
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
