import type { ThreadPlace } from '../../../domain/thread/state.js'
import type { Caller } from '../../caller.js'
import { reject } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'
import { endThread } from './delete-thread.js'

type Needs = Pick<Ports, 'aggregates' | 'messages' | 'queries' | 'readModels'>

/**
 * Demands, of a caller who has just written in a thread's stream, that the thread's channel is still there: else the thread ends at
 * once, and the caller is told 404 UNKNOWN_CHANNEL. The channel is of another stream, so it can go between what the caller was allowed
 * by and what it wrote; whoever ends the threads of channels (`tendThreads`) may have looked before that.
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
