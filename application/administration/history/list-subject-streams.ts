import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import { beforeAll, type Position } from '../../../domain/kernel/position.ts'
import type { IndexedEvent } from '../../ports/queries/history-queries.ts'

/** An event of the index, as an answer has it: without what it says. */
export type IndexedEventObject = ReturnType<typeof indexedEventObject>

export function indexedEventObject({ eventId, revision, position, type, at }: IndexedEvent) {
  return { event_id: eventId, revision, position: position.toString(), type, at }
}

/** A stream that concerns a subject, with its first and its newest event. */
export interface SubjectStreamObject {
  readonly stream: string
  readonly first: IndexedEventObject
  readonly newest: IndexedEventObject
  /** What the next page comes after. */
  readonly cursor: string
}

/**
 * The streams that concern what an id or a code names: a guild, an account, a channel, an invite, a purchase. In the order in which
 * they began to; empty for what no stream knows (rules/administration#history).
 */
export function listSubjectStreams({ queries }: Pick<Ports, 'queries'>) {
  return async (
    _caller: Caller,
    subject: string,
    { after, limit }: { readonly after?: Position | undefined; readonly limit: number },
  ): Promise<readonly SubjectStreamObject[]> => {
    const found = await queries.history.streamsOf(subject, after ?? beforeAll, limit)
    return found.map(({ stream, named, first, newest }) => ({
      stream,
      first: indexedEventObject(first),
      newest: indexedEventObject(newest),
      cursor: named.toString(),
    }))
  }
}
