import { beforeAll } from '../../../domain/kernel/position.ts'
import type { StoredEvent, StoredEvents } from '../../../application/ports/stored-events.ts'
import { HistoryNotContinued } from '../../../application/failures/history-not-continued.ts'
import { continuedStreams, refuseGaps, refuseOtherEnd } from '../../../adapters/event-store/continued-streams.ts'
import { pagesAfter, readPageEvents } from '../../../adapters/event-store/pages.ts'
import type { MemoryLog, Row } from './memory-log.ts'

/** The stored events of a memory store. A position is an index of its log, so imported events get other positions. */
export function memoryStoredEvents(log: MemoryLog): StoredEvents {
  const end = () => log.rows.at(-1)?.position ?? beforeAll
  return {
    kind: 'memory',
    keepsPositions: false,
    end: async () => end(),
    readAll: (after) =>
      pagesAfter(after, readPageEvents, async (position, limit) => {
        const start = Number(position) + 1
        return log.rows.slice(start, start + limit).map(storedOf)
      }),
    at: async (position) => optional(log.rows[Number(position)]),
    find: async (stream, revision) => optional(log.of(stream)[revision]),
    async append(newest, events) {
      refuseOtherEnd(newest, end())
      refuseGaps(continuedStreams(beforeAll, events), (stream) => log.of(stream).at(-1)?.revision)
      const taken = events.find(({ eventId }) => log.find(eventId))
      if (taken) throw new HistoryNotContinued(`Events can't be stored: the id ${taken.eventId} is taken`)
      for (const { stream, revision, eventId, type, data, metadata } of events) {
        const encoded = { eventId, type, data: JSON.stringify(data), metadata: JSON.stringify(metadata) }
        log.append(stream, revision - 1, [encoded])
      }
      return end()
    },
  }
}

const storedOf = (row: Row): StoredEvent => ({
  ...row,
  data: JSON.parse(row.data),
  metadata: JSON.parse(row.metadata),
})

const optional = (row: Row | undefined): StoredEvent | undefined => row && storedOf(row)
