import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { HistoryQueries } from '../../../application/ports/queries/history-queries.ts'
import { actorName } from '../../../domain/audit/actors.ts'

/** What asks for the cause of what is due. Reading history is tested with Postgres. */
export function memoryHistory(events: readonly RecordedEvent[]): Pick<HistoryQueries, 'newestOf'> {
  return {
    async newestOf(wanted, types) {
      const event = events.findLast(({ stream, type }) => stream === wanted && types.includes(type))
      if (!event) return undefined
      const { position, stream, revision, type, metadata } = event
      const { eventId, at, actor, correlationId, causationId, adminAction } = metadata
      const ids = { eventId, correlationId, causationId, entryId: adminAction?.entryId ?? null }
      return { position, stream, revision, type, at, actor: actorName(actor), ...ids }
    },
  }
}
