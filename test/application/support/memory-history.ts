import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { HistoryQueries } from '../../../application/ports/queries/history-queries.ts'
import { actorName } from '../../../domain/audit/actors.ts'
import { categoryOf, type StreamName } from '../../../domain/streams.ts'

/** What asks for the cause of what is due, and for streams by what happened last. Reading history is tested with Postgres. */
export function memoryHistory(events: readonly RecordedEvent[]): Pick<HistoryQueries, 'newestOf' | 'streamsByNewest'> {
  return {
    async streamsByNewest(meant, { types, newest, time }) {
      const isMeant = ({ stream, data }: RecordedEvent): boolean =>
        'beginning' in meant
          ? stream.startsWith(meant.beginning)
          : categoryOf(stream) === meant.category && Reflect.get(data, 'guildId') === meant.subject
      const last = new Map<StreamName, string>()
      for (const event of events)
        if (isMeant(event) && types.includes(event.type) && (time === undefined || event.metadata.at <= time))
          last.set(event.stream, event.type)
      const streams = [...last].flatMap(([stream, type]) => (newest.includes(type) ? [stream] : []))
      return { streams, total_count: streams.length }
    },
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
