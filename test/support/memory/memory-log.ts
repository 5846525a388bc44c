import type { AppendResult } from '../../../application/ports/event-store.ts'
import { noStream, type Position, type Revision } from '../../../domain/kernel/position.ts'
import { takenEventIds, UnstorableEvents } from '../../../adapters/event-store/errors.ts'
import type { EncodedEvent } from '../../../adapters/event-store/stored-event.ts'

/** An event as the log keeps it: its place, and JSON text. */
export interface Row extends EncodedEvent {
  readonly stream: string
  readonly revision: Revision
  readonly position: Position
}

/** The events of a memory store. A position is an index of `rows`. */
export interface MemoryLog {
  readonly rows: readonly Row[]
  /** A stream's events, by revision. */
  of(stream: string): readonly Row[]
  find(eventId: string): Row | undefined
  append(stream: string, expected: Revision, events: readonly EncodedEvent[]): AppendResult
}

export function memoryLog(): MemoryLog {
  const rows: Row[] = []
  const streams = new Map<string, Row[]>()
  const byEventId = new Map<string, Row>()

  function write(stream: string, held: readonly Row[], events: readonly EncodedEvent[]): AppendResult {
    const written = events.map((event, index): Row => ({
      ...event,
      stream,
      revision: held.length + index,
      position: BigInt(rows.length + index),
    }))
    const grown = streams.get(stream) ?? []
    grown.push(...written)
    streams.set(stream, grown)
    rows.push(...written)
    for (const row of written) byEventId.set(row.eventId, row)
    return { outcome: 'appended', ...endOf(written) }
  }

  return {
    rows,
    of: (stream) => streams.get(stream) ?? [],
    find: (eventId) => byEventId.get(eventId),
    append(stream, expected, events) {
      const repeated = earlier(stream, events, byEventId)
      if (repeated) return repeated
      const held = streams.get(stream) ?? []
      const revision = held.at(-1)?.revision ?? noStream
      return revision === expected ? write(stream, held, events) : { outcome: 'conflict', revision }
    },
  }
}

/** Whether these same events are there already. Throws if only some of their ids are, or if they are elsewhere. */
function earlier(
  stream: string,
  events: readonly EncodedEvent[],
  byEventId: ReadonlyMap<string, Row>,
): AppendResult | undefined {
  const ids = new Set(events.map(({ eventId }) => eventId))
  const found = [...ids].flatMap((id) => byEventId.get(id) ?? [])
  const here = found.filter((row) => row.stream === stream)
  if (found.length === 0 && ids.size === events.length) return undefined
  if (here.length < events.length) throw new UnstorableEvents(stream, takenEventIds)
  return { outcome: 'repeated', ...endOf(here) }
}

function endOf(rows: readonly Row[]): { readonly revision: Revision; readonly position: Position } {
  const last = rows.reduce((newest, row) => (row.position > newest.position ? row : newest))
  return { revision: last.revision, position: last.position }
}
