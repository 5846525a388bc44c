import { LRUCache } from 'lru-cache'
import type { EventStore, RecordedEvent } from '../../application/ports/event-store.ts'
import type { Position, Revision } from '../../domain/kernel/position.ts'
import type { StreamName } from '../../domain/streams.ts'

/** The number of streams for which a follower's last seen revision is remembered. */
export const rememberedStreams_max = 10_000

/** A store did not deliver some of its events to a follower. They were read again, and nothing is missing. */
export class EventsSkipped extends Error {
  override readonly name = 'EventsSkipped'

  constructor(count: number, after: Position, before: Position) {
    super(`The event store left out ${count} events between positions ${after} and ${before}: they were read again`)
  }
}

export interface GapSettings {
  /** Called once for each gap, with the number of missing events. */
  readonly onSkipped: (error: EventsSkipped, count: number) => void
  readonly streams_max?: number
}

/** The part of a stream that was delivered without a gap. */
interface Seen {
  readonly first: Revision
  readonly last: Revision
  /** The position of its last event. */
  readonly position: Position
}

type Streams = LRUCache<StreamName, Seen>

/**
 * The same store, with followers that notice skipped events: an event whose stream was last seen before the previous revision.
 * Then all events missed since are read again and delivered first. A stream that was seen before stays in order, but such an
 * event has a lower position than events delivered before it. Events missed at the end of a stream show with its next event.
 * Events missed in a stream that was not seen before show with the gap of another stream. A follower that begins in the midst
 * of history knows the streams that those before it have seen. Source: decision 63.
 */
export function withoutGaps<Store extends Pick<EventStore, 'follow' | 'readAll'>>(
  store: Store,
  settings: GapSettings,
): Store {
  const max = settings.streams_max ?? rememberedStreams_max
  const known: Streams = new LRUCache({ max })
  return {
    ...store,
    async *follow(after: Position, options: Parameters<EventStore['follow']>[1]) {
      const seen: Streams = new LRUCache({ max })
      takeOver(known, seen, after)
      try {
        yield* followed(store, { after, pages: store.follow(after, options), seen }, settings)
      } finally {
        takeOver(seen, known)
      }
    },
  }
}

interface Following {
  readonly after: Position
  readonly pages: AsyncIterable<readonly RecordedEvent[]>
  readonly seen: Streams
}

async function* followed(
  store: Pick<EventStore, 'readAll'>,
  { after, pages, seen }: Following,
  { onSkipped }: GapSettings,
): AsyncGenerator<readonly RecordedEvent[]> {
  for await (const page of pages) {
    const given: RecordedEvent[] = []
    let missed = 0
    for (const event of page) {
      const last = seen.peek(event.stream)
      if (last && event.revision > last.last + 1) {
        // A reader that begins at a position has all events up to it.
        const from = last.position > after ? last.position : after
        const missing = await missedBetween(store, from, event.position, seen)
        for (const one of missing) note(seen, one, seen.peek(one.stream))
        given.push(...missing)
        missed += missing.length
        if (missing.length > 0) onSkipped(new EventsSkipped(missing.length, from, event.position), missing.length)
        note(seen, event, seen.peek(event.stream))
      } else note(seen, event, last)
      given.push(event)
    }
    yield missed === 0 ? page : given
  }
}

/** Notes in `to` what `from` has seen up to a position, unless it knows more. The streams that were seen last come last. */
function takeOver(from: Streams, to: Streams, upTo?: Position): void {
  for (const [stream, seen] of [...from].toReversed()) {
    const other = to.peek(stream)
    if ((upTo === undefined || seen.position <= upTo) && (!other || other.position < seen.position))
      to.set(stream, seen)
  }
}

function note(seen: Streams, { stream, revision, position }: RecordedEvent, known: Seen | undefined): void {
  if (known && revision < known.first) seen.set(stream, { ...known, first: revision })
  else seen.set(stream, { first: known?.first ?? revision, last: revision, position })
}

/**
 * The events between two positions that were not delivered. All streams delivered after the first position are still
 * remembered: they were used later than the stream of the first, which is still remembered itself.
 */
async function missedBetween(
  { readAll }: Pick<EventStore, 'readAll'>,
  after: Position,
  before: Position,
  seen: Streams,
): Promise<readonly RecordedEvent[]> {
  const missed: RecordedEvent[] = []
  for await (const page of readAll(after)) {
    for (const event of page) {
      if (event.position >= before) return missed
      const known = seen.peek(event.stream)
      if (!known || event.revision < known.first || event.revision > known.last) missed.push(event)
    }
  }
  return missed
}
