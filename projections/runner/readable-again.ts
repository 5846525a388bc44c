import type { ClientBase } from 'pg'
import type { EventStore } from '../../application/ports/event-store.ts'
import { UnreadableEvent } from '../../application/failures/unreadable-event.ts'
import { categoryOf, type StreamName } from '../../domain/streams.ts'
import { parkedStreams, type Parked } from './parked.ts'

/**
 * Of these schemas, those with a stream parked because of an event that this program can read now, as after an update. Rejects
 * if the store does.
 */
export async function schemasReadableAgain(
  client: Pick<ClientBase, 'query'>,
  store: Pick<EventStore, 'findEvent'>,
  schemas: readonly string[],
): Promise<readonly string[]> {
  const known = new Map<string, boolean>()
  const found: string[] = []
  for (const [schema, streams] of await parkedStreams(client, schemas)) {
    for (const parked of streams.values()) {
      const isReadable = known.get(parked.eventId) ?? (await canBeRead(store, parked))
      known.set(parked.eventId, isReadable)
      if (isReadable && !found.includes(schema)) found.push(schema)
    }
  }
  return found
}

async function canBeRead(store: Pick<EventStore, 'findEvent'>, { stream, eventId, cause }: Parked): Promise<boolean> {
  if (cause !== 'unreadable' || !isNamed(stream)) return false
  try {
    return (await store.findEvent(stream, eventId)) !== undefined
  } catch (error) {
    if (error instanceof UnreadableEvent) return false
    throw error
  }
}

const isNamed = (stream: string): stream is StreamName => categoryOf(stream) !== undefined
