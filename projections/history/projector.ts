import type { RecordedEvent } from '../../application/ports/event-store.ts'
import { actorName } from '../../domain/audit/actors.ts'
import type { EntryId } from '../../domain/ids/ids.ts'
import { personalSubjects } from '../../domain/personal-parts.ts'
import { projection, put, type RowChange } from '../runner/projection.ts'
import { subjectsOf } from './subjects.ts'

/**
 * The index of all events: by type, actor, time, request and stream, which streams concern what, and which events have something
 * personal of whom. It holds ids and names of types alone, so an erasure leaves it as it is. It is the same over either event store,
 * so nothing is asked of EventStoreDB's own projections, which an operator may have turned off.
 */
export const historyProjection = projection<never>({
  name: 'history',
  answers:
    'Every event by type, actor, time and request, the streams of a subject, and the events with something personal of an account, for those who read history.',
  version: 4,
  tables: new URL('./tables.sql', import.meta.url),
  keys: {
    events: ['position'],
    requests: ['client_request_id', 'correlation_id'],
    subjects: ['subject', 'position'],
    personal: ['holder', 'position'],
  },
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
    ...requestOf(event),
    ...subjectsOf(event).map((subject): RowChange => put('subjects', { subject, position: event.position.toString() })),
    ...holdersOf(event).map((holder): RowChange => put('personal', { holder, position: event.position.toString() })),
  ],
  on: {},
})

/** Whose keys seal what is personal in an event of its type. */
function holdersOf(event: RecordedEvent): readonly string[] {
  const { members, reason } = personalSubjects(event)
  return [...new Set([members ?? [], reason ?? []].flat())]
}

/** The request that wrote the event, by the id that its client chose. */
function requestOf({ position, metadata }: RecordedEvent): readonly RowChange[] {
  const { clientRequestId, correlationId } = metadata
  if (clientRequestId === undefined) return []
  const names = { client_request_id: clientRequestId, correlation_id: correlationId }
  return [put('requests', { ...names, position: position.toString() })]
}

/** The entry that an event belongs to, or that it is. */
function entryOf({ type, data, metadata }: RecordedEvent): EntryId | null {
  if (metadata.adminAction) return metadata.adminAction.entryId
  return type === 'AdminActionRecorded' ? (data as { readonly entryId: EntryId }).entryId : null
}
