import type { EventStore, RecordedEvent } from '../../../application/ports/event-store.ts'
import { beforeAll, noStream, type Revision } from '../../../domain/kernel/position.ts'
import type { StoredEvents } from '../../../application/ports/stored-events.ts'
import type { PersonalDataKeys } from '../../../application/ports/personal-data-keys.ts'
import type { StreamName } from '../../../domain/streams.ts'
import { eventCatalogs, type EventCatalogs } from '../../../domain/aggregates.ts'
import { eventCodec, type EventCodec } from '../codec.ts'
import { pagesAfter, type ReadPage, readPageEvents } from '../pages.ts'
import { appendLane } from './append-lane.ts'
import { appender } from './appender.ts'
import { connect, type Connection } from './connection.ts'
import { deadlineIn, defaultDeadlines, type Deadlines } from './deadlines.ts'
import { followers } from './followers.ts'
import { clocks_ms, timeOfIds } from './look-back.ts'
import { readerOf, type Reader } from './reader.ts'
import { recentEvents, type RecentEvents } from './recent-events.ts'
import { eventStoreDbStoredEvents } from './history/stored-events.ts'

export interface EventStoreDbSettings {
  /** The connection string, `esdb://…` or `esdb+discover://…`: nodes, TLS and credentials. */
  readonly url: string
  readonly keys: PersonalDataKeys
  readonly catalogs?: EventCatalogs
  readonly deadlines?: Partial<Deadlines>
  /** Called for subscriptions that broke. They are remade. */
  readonly onError?: (error: unknown) => void
  /** Called, with one line, when the store recovers by itself: it left a node, or the server cut off a slow follower. */
  readonly onNotice?: (text: string) => void
}

export type EventStoreDb = EventStore & {
  /** The same events in their stored form, over the same connection. */
  readonly stored: StoredEvents
  /** Waits for the appends under way, accepts no more, ends followers, and closes the connection. */
  close(): Promise<void>
}

/**
 * Opens an event store on EventStoreDB 22.10 or newer; it is made for 24. Rejects with EventStoreUnavailable if the server
 * can't be reached, and with EventStoreRefusal if it rejects the credentials.
 *
 * Event ids are unique within a stream, not across the store: EventStoreDB has no index of them. An append recognises its
 * repetition among the newest `stretchEvents_max` events of the stream, back to the time in its ids minus `clocks_ms`.
 */
export async function openEventStoreDb(settings: EventStoreDbSettings): Promise<EventStoreDb> {
  const deadlines = { ...defaultDeadlines, ...settings.deadlines }
  const { onNotice = () => undefined } = settings
  const connection = connect(settings.url, onNotice)
  const store = eventStoreOn(connection, settings, deadlines)
  try {
    await store.end()
  } catch (error) {
    connection.close()
    throw error
  }
  return store
}

function eventStoreOn(connection: Connection, settings: EventStoreDbSettings, deadlines: Deadlines): EventStoreDb {
  const { keys, catalogs = eventCatalogs, onError = () => undefined, onNotice = () => undefined } = settings
  const codec = eventCodec(keys, catalogs)
  const prefixes = Object.keys(catalogs).map((category) => `${category}-`)
  const reader = readerOf(connection, prefixes)
  const recent = recentEvents()
  const closing = new AbortController()
  const reading = { reader, recent, codec, read_ms: deadlines.read_ms }
  const readPage: ReadPage = async (after, limit) =>
    codec.decodeEach(await reader.all(after, limit, deadlineIn(deadlines.read_ms)))
  const end: EventStore['end'] = async () => (await reader.newest(deadlineIn(deadlines.read_ms)))?.position ?? beforeAll
  const notices = { onError, onNotice }
  const subscribing = { connection, codec, prefixes, subscribe_ms: deadlines.subscribe_ms, ...notices }
  const appends = appender({ codec, lane: appendLane(connection), reader, recent, deadlines })
  return {
    stored: eventStoreDbStoredEvents({ reader, recent, appender: appends, catalogs, read_ms: deadlines.read_ms }),
    append: (stream, expected, events) => appends.append(stream, expected, events),
    readStream: (stream, after) => streamPages(reading, stream, after),
    async eventAt(stream, revision) {
      const page = await reader.forwards(stream, revision - 1, 1, deadlineIn(deadlines.read_ms))
      return (await codec.decode(page))[0]
    },
    readAll: (after) => pagesAfter(after, readPageEvents, readPage),
    follow: followers({ ...subscribing, readPage, end, closing: closing.signal }),
    end,
    findEvent: (stream, eventId) => findEvent(reading, stream, eventId),
    eventIdAt: async (position) => (await reader.at(position, deadlineIn(deadlines.read_ms)))?.eventId,
    async close() {
      await appends.close()
      closing.abort()
      connection.close()
    },
  }
}

interface Reading {
  readonly reader: Reader
  readonly recent: RecentEvents
  readonly codec: EventCodec
  /** How long one page may take. */
  readonly read_ms: number
}

async function* streamPages(
  { reader, recent, codec, read_ms }: Reading,
  stream: StreamName,
  after: Revision,
): AsyncGenerator<readonly RecordedEvent[]> {
  let revision = after
  for (;;) {
    const page = await reader.forwards(stream, revision, readPageEvents, deadlineIn(read_ms))
    recent.note(stream, page)
    const last = page.at(-1)
    if (last) yield await codec.decode(page)
    if (!last || page.length < readPageEvents) return
    revision = last.revision
  }
}

/** Looks for an event from the end of its stream backwards, as far as the time in its id allows. */
async function findEvent(
  { reader, codec, read_ms }: Reading,
  stream: StreamName,
  eventId: string,
): Promise<RecordedEvent | undefined> {
  const since_ms = timeOfIds([eventId]) - clocks_ms
  let from: Revision | 'end' = 'end'
  while (from !== noStream) {
    const page = await reader.backwards(stream, from, readPageEvents, deadlineIn(read_ms))
    const found = page.find((event) => event.eventId === eventId)
    if (found) return (await codec.decode([found]))[0]
    const oldest = page.at(-1)
    if (!oldest || oldest.recorded_ms < since_ms) return undefined
    from = oldest.revision - 1
  }
  return undefined
}
