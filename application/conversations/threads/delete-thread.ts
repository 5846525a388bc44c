import { requirePermission } from '../../access/guild-access.ts'
import { requireNotTimedOut, type ThreadAccess } from '../../access/thread-access.ts'
import type { Caller } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import type { ChannelId } from '../../../domain/ids/ids.ts'
import type { Ports } from '../../ports.ts'
import { markStarter } from './thread-messages.ts'

type Needs = Pick<Ports, 'aggregates' | 'messages' | 'queries' | 'readModels'>

/**
 * Permanently deletes a thread and its messages; holders of MANAGE_THREADS may. Refuses in this order:
 * COMMUNICATION_DISABLED, MISSING_PERMISSIONS, TWO_FACTOR_REQUIRED. See rules/channels#end-of-a-thread.
 */
export function deleteThread(ports: Needs) {
  return async (caller: Caller, access: ThreadAccess): Promise<void> => {
    requireNotTimedOut(access, caller)
    requirePermission(access, 'MANAGE_THREADS')
    await endThread(ports, access.thread.threadId, 'asked', caller.context)
    await markStarter(ports, access, access.thread, false)
  }
}

/** Ends a thread, then deletes its messages. If the process dies in between, `tendThreads` continues. */
export async function endThread(
  { aggregates, messages, readModels }: Pick<Needs, 'aggregates' | 'messages' | 'readModels'>,
  threadId: ChannelId,
  because: 'asked' | 'parent_deleted',
  context: CommandContext,
): Promise<void> {
  await aggregates.thread.execute(threadId, { type: 'DeleteThread', because }, context)
  await readModels.reached(context.written)
  await messages.removeChannels([threadId])
}
