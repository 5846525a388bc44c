import { noStream, type Position, type Revision } from '../../domain/kernel/position.ts'
import type { StoredEvent } from '../../application/ports/stored-events.ts'
import { HistoryNotContinued } from '../../application/failures/history-not-continued.ts'

/** What a list of appended events says about one stream. */
interface Continuation {
  readonly first: Revision
  readonly last: Revision
}

/**
 * The streams that the events continue, with the revisions they add to each. Throws HistoryNotContinued if positions do not
 * grow from `newest` on, if a stream skips a revision, or if two events have the same id.
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

/** Throws HistoryNotContinued if a stream does not end right before the events that continue it. */
export function refuseGaps(
  streams: ReadonlyMap<string, Continuation>,
  revisionOf: (stream: string) => Revision | undefined,
): void {
  for (const [stream, { first }] of streams) {
    const held = revisionOf(stream) ?? noStream
    if (first !== held + 1) throw wrongRevision(stream, first, held)
  }
}

/** Throws HistoryNotContinued if the store does not end where the caller believes. */
export function refuseOtherEnd(newest: Position, end: Position): void {
  if (newest !== end)
    throw new HistoryNotContinued(`The store ends at position ${end} and not at ${newest}: somebody else appends to it`)
}

function wrongRevision(stream: string, revision: Revision, held: Revision): Error {
  return new HistoryNotContinued(
    `Revision ${revision} of ${stream} does not come next: ${held === noStream ? 'the stream does not exist' : `it stands at ${held}`}`,
  )
}
