import { isDeepStrictEqual } from 'node:util'
import { beforeAll, noStream, type Position, type Revision } from '../../../../domain/kernel/position.ts'
import { AppendTooLarge } from '../../../../application/failures/append-too-large.ts'
import type { StoredEvent } from '../../../../application/ports/stored-events.ts'
import { HistoryNotContinued } from '../../../../application/failures/history-not-continued.ts'
import type { EventCatalogs } from '../../../../domain/aggregates.ts'
import { categoryOf, type StreamName } from '../../../../domain/streams.ts'
import { appendEvents_max } from '../../codec.ts'
import { continuedStreams, refuseGaps, refuseOtherEnd } from '../../continued-streams.ts'
import { UnstorableEvents } from '../../errors.ts'
import type { EncodedEvent } from '../../stored-event.ts'
import type { Appender } from '../appender.ts'
import { deadlineIn } from '../deadlines.ts'
import { clocks_ms, lookBack, timeOfIds } from '../look-back.ts'
import type { Reader } from '../reader.ts'
import type { RecentEvents } from '../recent-events.ts'

export interface StoredEventsParts {
  readonly reader: Reader
  readonly recent: RecentEvents
  readonly appender: Pick<Appender, 'appendEncoded'>
  readonly catalogs: EventCatalogs
  /** How long one page may take. */
  readonly read_ms: number
}

/**
 * The size limit of one append, unless a single event is larger. It is well below the server's limit and leaves space for the
 * server's own data.
 */
const run_bytes_max = 512 * 1024
const streamsAtOnce_max = 32

/**
 * Writes events of another store after the newest one, which is at `newest`, and gives the position of the last. Skips those
 * that an interrupted append has already written. Rejects with HistoryNotContinued if the events do not come next.
 */
export async function appendStored(
  parts: StoredEventsParts,
  newest: Position,
  events: readonly StoredEvent[],
): Promise<Position> {
  // Their positions come from another store, so they are only compared with each other.
  continuedStreams(beforeAll, events)
  const foreign = events.find(({ stream }) => !isOurs(parts.catalogs, stream))
  if (foreign) throw unstorable(`no event catalog has the category of ${foreign.stream}`)
  const there = await alreadyThere(parts, newest, events)
  const missing = events.slice(there.count)
  await refuseStreamsElsewhere(parts, missing)
  let position = there.end
  // One after another: the server could reorder appends that are under way together.
  for (const run of runsOf(missing)) position = await appendRun(parts, run)
  return position
}

/** The position of the newest event in our streams. */
export async function endOf({ reader, read_ms }: Pick<StoredEventsParts, 'reader' | 'read_ms'>): Promise<Position> {
  return (await reader.newest(deadlineIn(read_ms)))?.position ?? beforeAll
}

/** Whether a stream has a catalog. Nothing here reads other streams. */
export function isOurs(catalogs: EventCatalogs, stream: string): stream is StreamName {
  const category = categoryOf(stream)
  return category !== undefined && catalogs[category] !== undefined
}

const unstorable = (reason: string, options?: ErrorOptions): Error =>
  new HistoryNotContinued(`Events can't be stored: ${reason}`, options)

/**
 * How many of the events stand after `newest` already, because an earlier append of them was interrupted or arrived late, and
 * the position of the last of those. Throws HistoryNotContinued if anything else stands there.
 */
async function alreadyThere(
  parts: StoredEventsParts,
  newest: Position,
  events: readonly StoredEvent[],
): Promise<{ readonly count: number; readonly end: Position }> {
  const end = await endOf(parts)
  if (end <= newest) refuseOtherEnd(newest, end)
  if (end === newest) return { count: 0, end }
  const behind = await parts.reader.all(newest, events.length + 1, deadlineIn(parts.read_ms))
  const areSame = behind.every((event, index) => isDeepStrictEqual(contentOf(event), contentOf(events[index])))
  if (!areSame) refuseOtherEnd(newest, end)
  for (const event of behind) parts.recent.note(event.stream, [event])
  return { count: behind.length, end: behind.at(-1)?.position ?? newest }
}

const contentOf = (event: StoredEvent | undefined): readonly unknown[] | undefined =>
  event && [event.stream, event.revision, event.eventId, event.type, event.data, event.metadata]

/**
 * Throws HistoryNotContinued if a stream does not end right before the events that continue it. Streams that begin here, or
 * whose end was seen here, are not read: their append reveals it.
 */
async function refuseStreamsElsewhere(parts: StoredEventsParts, events: readonly StoredEvent[]): Promise<void> {
  const streams = continuedStreams(beforeAll, events)
  const revisions = new Map<string, Revision>()
  const unknown = new Map<StreamName, string[]>()
  for (const { stream, eventId } of events) {
    const before = (streams.get(stream)?.first ?? 0) - 1
    if (before === noStream || parts.recent.of(stream)?.last.revision === before) revisions.set(stream, before)
    else if (isOurs(parts.catalogs, stream)) unknown.set(stream, [...(unknown.get(stream) ?? []), eventId])
  }
  const asked = [...unknown]
  for (let start = 0; start < asked.length; start += streamsAtOnce_max) {
    const deadline = deadlineIn(parts.read_ms)
    const asking = asked.slice(start, start + streamsAtOnce_max).map(async ([stream, ids]) => {
      const since_ms = timeOfIds(ids) - clocks_ms
      revisions.set(stream, await lookBack(parts.reader, parts.recent, { stream, from: 'end', since_ms, deadline }))
    })
    await Promise.all(asking)
  }
  refuseGaps(streams, (stream) => revisions.get(stream))
}

/** Consecutive events of one stream in global order, which fit in one append. */
interface Run {
  readonly stream: string
  readonly events: readonly StoredEvent[]
  readonly encoded: readonly EncodedEvent[]
}

function* runsOf(events: readonly StoredEvent[]): Generator<Run> {
  let run: { stream: string; events: StoredEvent[]; encoded: EncodedEvent[] } | undefined
  let bytes = 0
  for (const event of events) {
    const encoded = encodedOf(event)
    const size = Buffer.byteLength(encoded.data) + Buffer.byteLength(encoded.metadata)
    const isFull = run?.events.length === appendEvents_max || bytes + size > run_bytes_max
    if (run && (isFull || run.stream !== event.stream)) {
      yield run
      run = undefined
    }
    if (!run) bytes = 0
    run ??= { stream: event.stream, events: [], encoded: [] }
    run.events.push(event)
    run.encoded.push(encoded)
    bytes += size
  }
  if (run) yield run
}

const encodedOf = ({ eventId, type, data, metadata }: StoredEvent): EncodedEvent => {
  return { eventId, type, data: JSON.stringify(data), metadata: JSON.stringify(metadata) }
}

async function appendRun(parts: StoredEventsParts, { stream, events, encoded }: Run): Promise<Position> {
  const first = events[0]?.revision ?? 0
  if (!isOurs(parts.catalogs, stream)) throw unstorable(`no event catalog has the category of ${stream}`)
  const result = await parts.appender.appendEncoded(stream, first - 1, encoded).catch((error: unknown) => {
    throw error instanceof UnstorableEvents || error instanceof AppendTooLarge
      ? unstorable(error.message, { cause: error })
      : error
  })
  if (result.outcome === 'conflict') {
    const where = `${stream} stands at ${result.revision}, since somebody else appends to it`
    throw new HistoryNotContinued(`Revision ${first} of ${stream} does not come next: ${where}`)
  }
  if (result.revision !== first + events.length - 1) throw unstorable(`the id of an event of ${stream} is taken`)
  return result.position
}
