import type { ChannelId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { streamName } from '../../../domain/streams.ts'
import { isIdle } from '../../../domain/thread/thread.ts'
import { sentAt } from '../../../domain/messages/sent-at.ts'
import { dueContext } from '../../commands/due-context.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'aggregates' | 'events' | 'messages' | 'queries'>

/** The number of threads read by one query. */
const page_max = 200

/**
 * Archives threads in which nobody wrote for as long as their settings say. Gives the number archived. Any number of processes
 * may run it at once.
 */
export function archiveIdleThreads(ports: Needs) {
  const { aggregates, messages, queries } = ports
  return async (now: Timestamp): Promise<number> => {
    let archived_count = 0
    let after: ChannelId | undefined
    for (;;) {
      const page = { limit: page_max, ...(after === undefined ? {} : { after }) }
      const threads = await queries.threads.perhapsIdle(now, page)
      const last = await messages.lastOf(threads.map(({ threadId }) => threadId))
      for (const thread of threads) {
        const { threadId } = thread
        const message = last.get(threadId)?.messageId ?? null
        const lastMessageAt = message === null ? null : sentAt({ id: message })
        if (!isIdle(thread, lastMessageAt, now)) continue
        const command = { type: 'ArchiveIdleThread', lastMessageAt, now } as const
        const context = await dueContext(ports, 'threads', streamName('thread', threadId), now)
        const { changed } = await aggregates.thread.execute(threadId, command, context)
        if (changed) archived_count += 1
      }
      after = threads.at(-1)?.threadId
      if (threads.length < page_max) return archived_count
    }
  }
}
