import type { ChannelId } from '../../../domain/ids/ids.ts'
import { nothingLast } from '../../../domain/messages/channel-last.ts'
import type { Caller } from '../../caller.ts'
import {
  emptyTally,
  threadObject,
  type ThreadObject,
  type ThreadTally,
} from '../../wire-objects/conversations/thread-objects.ts'
import type { ThreadRecord } from '../../ports/queries/thread-queries.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'queries' | 'messages'>

/** The HTTP objects of threads, in the given order, each with the caller's membership and the first members. */
export async function threadViews(
  { queries, messages }: Needs,
  caller: Caller,
  threads: readonly ThreadRecord[],
): Promise<readonly ThreadObject[]> {
  const ids = threads.map(({ threadId }) => threadId)
  const [tallies, memberships, previews] = await Promise.all([
    threadTallies({ messages }, ids),
    queries.threads.membershipsOf(caller.account.id, ids),
    queries.threads.memberPreviews(ids),
  ])
  const own = new Map(memberships.map((membership) => [membership.threadId, membership]))
  return threads.map((thread) =>
    threadObject({
      thread,
      tally: tallies.get(thread.threadId) ?? emptyTally,
      member: own.get(thread.threadId),
      viewer: caller.account.id,
      preview: previews.get(thread.threadId) ?? [],
    }),
  )
}

/** The same for one thread, as it is in the read models now. */
export async function threadView(ports: Needs, caller: Caller, thread: ThreadRecord): Promise<ThreadObject> {
  const [view] = await threadViews(ports, caller, [thread])
  if (!view) throw new Error('A thread has no object')
  return view
}

/** The message counts of threads. */
export async function threadTallies(
  { messages }: Pick<Ports, 'messages'>,
  threads: readonly ChannelId[],
): Promise<ReadonlyMap<ChannelId, ThreadTally>> {
  if (threads.length === 0) return new Map()
  const [last, counts] = await Promise.all([messages.lastOf(threads), messages.talliesOf(threads)])
  return new Map(
    threads.map((thread) => [thread, { ...emptyTally, ...counts.get(thread), last: last.get(thread) ?? nothingLast }]),
  )
}
