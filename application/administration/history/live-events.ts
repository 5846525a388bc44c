import { actorName } from '../../../domain/audit/actors.ts'
import type { EventStore, RecordedEvent } from '../../ports/event-store.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import type { EventFilter } from '../../ports/queries/history-queries.ts'
import { isUnreadable } from '../../failures/unreadable-event.ts'

/** How many events are taken from the store at once. */
const batchEvents_max = 100

/** Every event after a position that matches, as it is written, until `signal` aborts. One that cannot be read is passed over. */
export async function* liveEvents(
  events: Pick<EventStore, 'follow'>,
  { after, filter, signal }: { readonly after: Position; readonly filter: EventFilter; readonly signal: AbortSignal },
): AsyncGenerator<RecordedEvent, void, undefined> {
  for await (const batch of events.follow(after, { signal, maxEvents: batchEvents_max })) {
    for (const event of batch) if (!isUnreadable(event) && matches(event, filter)) yield event
  }
}

/**
 * Whether an event matches all that is asked, as the index of events would say. By the id that a client chose, only what its request
 * wrote itself.
 */
export function matches(
  { type, metadata: { actor, correlationId, clientRequestId, at } }: RecordedEvent,
  { types, actor: wanted, request, since, until }: EventFilter,
): boolean {
  return (
    (types === undefined || types.includes(type)) &&
    (wanted === undefined || actorName(actor) === wanted) &&
    (request === undefined || correlationId === request || clientRequestId === request) &&
    (since === undefined || at >= since) &&
    (until === undefined || at < until)
  )
}
