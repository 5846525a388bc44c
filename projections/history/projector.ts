import type { RecordedEvent } from '../../application/ports/event-store.ts'
import { actorName } from '../../domain/audit/actors.ts'
import type { EntryId } from '../../domain/ids/ids.ts'
import { projection, put, type RowChange } from '../runner/projection.ts'
import { subjectsOf } from './subjects.ts'

/**
 * The index of all events: by type, actor, time, request and stream, and which streams concern what. It holds ids and names of types
 * alone, so an erasure leaves it as it is. It is the same over either event store, so nothing is asked of EventStoreDB's own
 * projections, which an operator may have turned off.
 */
export const historyProjection = projection<never>({
  name: 'history',
  answers: 'Every event by type, actor, time and request, and the streams of a subject, for those who read history.',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { events: ['position'], subjects: ['subject', 'position'] },
  onEvery: (event) => [
    put('events', {
      position: event.position.toString(),
      event_id: event.metadata.eventId,
      stream: event.stream,
      revision: event.revision,
      type: event.type,
      at: event.metadata.at,
      actor: actorName(event.metadata.actor),
      correlation_id: event.metadata.correlationId,
      causation_id: event.metadata.causationId,
      entry_id: entryOf(event),
    }),
    ...subjectsOf(event).map((subject): RowChange => noted(subject, event)),
  ],
  on: {},
})

function noted(subject: string, { stream, position }: RecordedEvent): RowChange {
  return put('subjects', { subject, stream, position: position.toString() })
}

/** The entry that an event belongs to, or that it is. */
function entryOf({ type, data, metadata }: RecordedEvent): EntryId | null {
  if (metadata.adminAction) return metadata.adminAction.entryId
  return type === 'AdminActionRecorded' ? (data as { readonly entryId: EntryId }).entryId : null
}
