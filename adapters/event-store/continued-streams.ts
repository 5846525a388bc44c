import { noStream, type Position, type Revision } from '../../application/ports/event-store.js'
import { HistoryNotContinued, type StoredEvent } from '../../application/ports/stored-events.js'

/** What appended events say of one stream. */
interface Continuation {
  readonly first: Revision
  readonly last: Revision
}

/**
 * The streams that events go on, with the revisions that they bring to each. Throws HistoryNotContinued where positions don't
 * grow from `newest` on, where a stream's revisions leave one out, or where two events have one id.
 */
export function continuedStreams(newest: Position, events: readonly StoredEvent[]): ReadonlyMap<string, Continuation> {
  const streams = new Map<string, Continuation>()
  const ids = new Set<string>()
  let position = newest
  for (const event of events) {
    if (event.position <= position)
      throw new HistoryNotContinued(`Position ${event.position} does not come after ${position}`)
    position = event.position
    if (ids.has(event.eventId))
      throw new HistoryNotContinued(`Events can't be stored: the id ${event.eventId} is taken`)
    ids.add(event.eventId)
    const known = streams.get(event.stream)
    if (known && event.revision !== known.last + 1) throw wrongRevision(event.stream, event.revision, known.last)
    streams.set(event.stream, { first: known?.first ?? event.revision, last: event.revision })
  }
  return streams
}

/** Throws HistoryNotContinued where a stream does not stand right before what goes it on. */
export function refuseGaps(
  streams: ReadonlyMap<string, Continuation>,
  revisionOf: (stream: string) => Revision | undefined,
): void {
  for (const [stream, { first }] of streams) {
    const held = revisionOf(stream) ?? noStream
    if (first !== held + 1) throw wrongRevision(stream, first, held)
  }
}

/** Throws HistoryNotContinued where a store does not end where those who append believe. */
export function refuseOtherEnd(newest: Position, end: Position): void {
  if (newest !== end)
    throw new HistoryNotContinued(`The store ends at position ${end} and not at ${newest}: somebody else appends to it`)
}

function wrongRevision(stream: string, revision: Revision, held: Revision): Error {
  return new HistoryNotContinued(
    `Revision ${revision} of ${stream} does not come next: ${held === noStream ? 'the stream does not exist' : `it stands at ${held}`}`,
  )
}
