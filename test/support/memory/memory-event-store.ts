import type { EventStore, RecordedEvent } from '../../../application/ports/event-store.ts'
import { beforeAll } from '../../../domain/kernel/position.ts'
import type { StoredEvent, StoredEvents } from '../../../application/ports/stored-events.ts'
import type { PersonalDataKeys } from '../../../application/ports/personal-data-keys.ts'
import type { EventCatalogs } from '../../../domain/aggregates.ts'
import { eventCodec } from '../../../adapters/event-store/codec.ts'
import { newestEvents } from '../../../adapters/event-store/newest-events.ts'
import { newsOf } from '../../../application/concurrency/news.ts'
import { followedPages, pagesAfter, type ReadPage, readPageEvents } from '../../../adapters/event-store/pages.ts'
import { memoryLog, type Row } from './memory-log.ts'
import { memoryStoredEvents } from './memory-stored-events.ts'

export interface MemoryEventStoreSettings {
  readonly keys: PersonalDataKeys
  readonly catalogs?: EventCatalogs
}

/** The contents of a memory store, for tests that check what is written. */
export interface MemoryEventStore extends EventStore {
  readonly rows: readonly Row[]
  readonly stored: StoredEvents
}

/** No other process writes to it, so no announcement is ever lost. */
const poll_ms = 60_000

/** An event store for tests, in memory only. It keeps JSON text, so that callers get copies. */
export function memoryEventStore({ keys, catalogs }: MemoryEventStoreSettings): MemoryEventStore {
  const codec = eventCodec(keys, catalogs)
  const news = newsOf(beforeAll, poll_ms)
  const log = memoryLog()
  const stored = memoryStoredEvents(log)

  const storedIn = (page: readonly Row[]): readonly StoredEvent[] =>
    page.map((row) => ({ ...row, data: JSON.parse(row.data), metadata: JSON.parse(row.metadata) }))
  const decode = (page: readonly Row[]): Promise<readonly RecordedEvent[]> => codec.decode(storedIn(page))
  const readPage: ReadPage = (after, limit) => {
    const start = Number(after) + 1
    return codec.decodeEach(storedIn(log.rows.slice(start, start + limit)))
  }

  const followed = { readPage, news, newest: newestEvents() }
  return {
    rows: log.rows,
    stored: {
      ...stored,
      async append(newest, events) {
        const position = await stored.append(newest, events)
        news.announce(position)
        return position
      },
    },
    async append(stream, expected, events) {
      const result = log.append(stream, expected, await codec.encode(stream, events))
      if (result.outcome === 'appended') news.announce(result.position)
      return result
    },
    async *readStream(stream, after) {
      for (let start = after + 1; start < log.of(stream).length; start += readPageEvents) {
        yield await decode(log.of(stream).slice(start, start + readPageEvents))
      }
    },
    async eventAt(stream, revision) {
      const row = log.of(stream)[revision]
      return row && (await decode([row]))[0]
    },
    readAll: (after) => pagesAfter(after, readPageEvents, readPage),
    follow: (after, options) => followedPages(after, options, followed),
    end: () => Promise.resolve(log.rows.at(-1)?.position ?? beforeAll),
    async findEvent(stream, eventId) {
      const row = log.find(eventId)
      return row?.stream === stream ? (await decode([row]))[0] : undefined
    },
    eventIdAt: (position) => Promise.resolve(log.rows[Number(position)]?.eventId),
  }
}
