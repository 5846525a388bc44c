import type { StoredEvent, StoredEvents } from '../../../../application/ports/stored-events.ts'
import { pagesAfter, readPageEvents } from '../../pages.ts'
import { appendStored, endOf, isOurs, type StoredEventsParts } from './append-stored.ts'
import { deadlineIn } from '../deadlines.ts'
import type { ReadEvent } from '../read-messages.ts'

/**
 * The stored events of our streams in EventStoreDB. EventStoreDB assigns positions of its own; imported events keep their
 * order. It appends to one stream at a time, so an interrupted append leaves the first of its events, in order, and repeating
 * it continues after them. Every method rejects with EventStoreUnavailable if the server does not answer.
 */
export function eventStoreDbStoredEvents(parts: StoredEventsParts): StoredEvents {
  const { reader, catalogs, read_ms } = parts
  return {
    kind: 'eventstoredb',
    keepsPositions: false,
    end: () => endOf(parts),
    readAll: (after) =>
      pagesAfter(after, readPageEvents, async (position, limit) =>
        (await reader.all(position, limit, deadlineIn(read_ms))).map(storedOf),
      ),
    async at(position) {
      const event = await reader.at(position, deadlineIn(read_ms))
      return event && storedOf(event)
    },
    async find(stream, revision) {
      if (!isOurs(catalogs, stream)) return undefined
      const [event] = await reader.forwards(stream, revision - 1, 1, deadlineIn(read_ms))
      return event?.revision === revision ? storedOf(event) : undefined
    },
    append: (newest, events) => appendStored(parts, newest, events),
  }
}

const storedOf = ({ stream, revision, position, eventId, type, data, metadata }: ReadEvent): StoredEvent => {
  return { stream, revision, position, eventId, type, data, metadata }
}
