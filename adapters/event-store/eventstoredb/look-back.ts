import { type Revision, noStream } from '../../../domain/kernel/position.ts'
import type { StreamName } from '../../../domain/streams.ts'
import type { Deadline } from './deadlines.ts'
import type { ReadEvent } from './read-messages.ts'
import type { Reader } from './reader.ts'
import { stretchEvents_max, type RecentEvents, type Stretch } from './recent-events.ts'

/**
 * The largest difference between the clocks of this process, of the processes that made the ids, and of the server. An event
 * can't have been recorded more than this before the time in its id.
 */
export const clocks_ms = 2 * 3_600_000
const pageEvents = { first: 32, next: 500 }

/** Whether a stretch holds every event, up to a revision, that an earlier append with these ids could have written. */
export function reachesBack(stretch: Stretch | undefined, upTo: Revision, since_ms: number): stretch is Stretch {
  return stretch !== undefined && stretch.last.revision >= upTo && isLongEnough(stretch, since_ms)
}

function isLongEnough({ first, events }: Stretch, since_ms: number): boolean {
  return first.revision === 0 || first.recorded_ms < since_ms || events.size >= stretchEvents_max
}

export interface LookBack {
  readonly stream: StreamName
  /** Where to begin. */
  readonly from: Revision | 'end'
  /** How many events are likely to be enough. Default: 32. */
  readonly first_events?: number
  /** Older events do not matter, in milliseconds since the Unix epoch. */
  readonly since_ms: number
  readonly deadline: Deadline
}

/**
 * Reads a stream backwards into `recent`, until the events no longer matter or are known, and at most `stretchEvents_max`.
 * Gives the revision of the newest event read. That is the stream's revision if reading begins at the end.
 */
export async function lookBack(
  reader: Reader,
  recent: RecentEvents,
  { stream, from, first_events = pageEvents.first, since_ms, deadline }: LookBack,
): Promise<Revision> {
  const read: ReadEvent[] = []
  let next = from
  while (next !== noStream && read.length < stretchEvents_max) {
    const limit = read.length === 0 ? first_events : pageEvents.next
    const page = await reader.backwards(stream, next, limit, deadline)
    read.push(...page)
    const oldest = page.at(-1)
    if (!oldest || oldest.recorded_ms < since_ms) break
    if (reachesBack(recent.of(stream), oldest.revision - 1, since_ms)) break
    next = oldest.revision - 1
  }
  recent.note(stream, read.toReversed())
  return read[0]?.revision ?? noStream
}

const versionAt = 14

/** The earliest time in a list of UUIDv7s; the beginning of time if one of them holds no time. */
export function timeOfIds(eventIds: readonly string[]): number {
  return Math.min(
    ...eventIds.map((id) => (id[versionAt] === '7' ? Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) : 0)),
  )
}
