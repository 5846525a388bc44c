import type { ThreadPlace } from '../../../domain/thread/state.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { endThread } from './delete-thread.ts'

type Needs = Pick<Ports, 'aggregates' | 'messages' | 'queries' | 'readModels'>

/**
 * Call this after a write to a thread's stream: demands that the thread's channel still exists. Otherwise the thread ends at
 * once, and the caller gets 404 UNKNOWN_CHANNEL. The channel is in another stream, so it can be deleted between the permission
 * check and the write; `tendThreads`, which ends the threads of deleted channels, may have run before the write.
 */
export async function requireChannelStill(
  ports: Needs,
  { account, context }: Caller,
  { threadId, parentId }: Pick<ThreadPlace, 'threadId' | 'parentId'>,
): Promise<void> {
  await ports.readModels.reached(context.written)
  if (await ports.queries.guilds.findByChannel(parentId, account.id)) return
  await endThread(ports, threadId, 'parent_deleted', context)
  reject('UNKNOWN_CHANNEL')
}
