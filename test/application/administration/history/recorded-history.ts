import type { HistoryEvents } from '../../../../application/administration/history/stream-states.ts'
import type { RecordedEvent } from '../../../../application/ports/event-store.ts'
import type { DomainEvent } from '../../../../domain/kernel/decider.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import type { StreamName } from '../../../../domain/streams.ts'

/** When the event of a revision happened: one each second. */
export const timeOf = (revision: number) => timestamp(Date.UTC(2026, 0, 1) + revision * 1000)

/** Events as a store would give them, one each second. */
export function recorded(stream: StreamName, events: readonly DomainEvent[]): readonly RecordedEvent[] {
  return events.map(({ type, data }, revision) => ({
    stream,
    revision,
    position: BigInt(revision),
    type,
    data,
    metadata: {
      eventId: `event ${revision}`,
      at: timeOf(revision),
      actor: { kind: 'system', name: 'a test' },
      correlationId: 'a request',
      causationId: 'a command',
    },
  }))
}

/** A store with one stream, in pages of two. */
export function storeOf(events: readonly RecordedEvent[]): HistoryEvents {
  return {
    async *readStream(_, after) {
      for (let first = after + 1; first < events.length; first += 2) yield events.slice(first, first + 2)
    },
  }
}
