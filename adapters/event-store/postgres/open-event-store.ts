import type { Queries } from '../../../application/ports/database.ts'
import type { EventStore } from '../../../application/ports/event-store.ts'
import { beforeAll, type Position } from '../../../domain/kernel/position.ts'
import type { Notifier } from '../../../application/ports/notifier.ts'
import type { PersonalDataKeys } from '../../../application/ports/personal-data-keys.ts'
import {
  openDatabase,
  requestAnswer_ms_max,
  type PostgresConnection,
  type PostgresDatabase,
} from '../../postgres/database.ts'
import { processIdOf } from '../../postgres/client-inside.ts'
import type { EventCatalogs } from '../../../domain/aggregates.ts'
import { eventCodec, type EventCodec } from '../codec.ts'
import { newsOf, type News } from '../../../application/concurrency/news.ts'
import { newestEvents, type NewestEvents } from '../newest-events.ts'
import { followedPages, pagesAfter, sharedReads, readPageEvents } from '../pages.ts'
import { appendRequest, batchWriter, dataFaultOf } from './append-batch.ts'
import { eventReader, readEnd } from './event-reader.ts'
import { groupCommitter, queueRequests_max } from './group-committer.ts'
import { listenForAppends, type AppendListenerSettings } from './listener.ts'
import { streamsWithSnapshots } from './stream-with-snapshot.ts'

export interface PostgresEventStoreSettings {
  /** Events are read here. */
  readonly database: PostgresDatabase
  /** The same server and database, for the connection that appends. */
  readonly connection: PostgresConnection
  /** Tells of what other processes append. */
  readonly notifier: Notifier
  readonly keys: PersonalDataKeys
  readonly catalogs?: EventCatalogs
  /** The most appends that may wait. One more rejects with EventStoreOverloaded. */
  readonly queueRequests_max?: number
  /** How long a batch of appends may go without an answer. After that its appends reject with PostgresUnavailable. */
  readonly appendAnswer_ms_max?: number
  /** How often a follower looks for events that were not announced to it. */
  readonly poll_ms?: number
  /** Called for connections that break. They are remade. */
  readonly onError?: (error: unknown) => void
}

export type PostgresEventStore = EventStore & {
  /** Reads a stream from its snapshot on, in one statement. */
  readonly readWithSnapshot: ReturnType<typeof streamsWithSnapshots>
  /**
   * The position of the newest event, asked on another database of the same server. Followers of this process that are behind it
   * read at once: the announcement of what they lack was lost.
   */
  readonly lookForEnd: (database: Queries) => Promise<Position>
  /** Writes the waiting appends, accepts no more, and closes the connection that appends. Followers end by their signals. */
  close(): Promise<void>
}

/**
 * Appends are announced, and a server looks for the end of the store every 2 s (`lookForEnd`). So seldom a follower looks by itself
 * for those whose announcement was lost.
 */
const poll_ms = 10_000

/**
 * Opens the event store in the schema `event_store`. Any number of processes may open it. If Postgres is unavailable, an append
 * rejects with PostgresUnavailable: it may have been written, and repeating it is safe.
 */
export function openPostgresEventStore(settings: PostgresEventStoreSettings): PostgresEventStore {
  const { database, connection, notifier, keys, catalogs, onError = () => undefined } = settings
  const codec = eventCodec(keys, catalogs)
  const { readPage, ...reads } = eventReader(database, codec)
  const look_ms = settings.poll_ms ?? poll_ms
  const news = newsOf(beforeAll, look_ms)
  const newest = newestEvents()
  // Waiting followers stop waiting at nearly the same time. One of them reads for all.
  const followed = { readPage: sharedReads(readPage, news, look_ms / 2), news, newest }
  const writer = openDatabase(connection, {
    purpose: 'appends',
    connections_max: 1,
    answer_ms_max: settings.appendAnswer_ms_max ?? requestAnswer_ms_max,
    onError,
  })
  const own = processIdsOf(writer)
  const look = async (elsewhere: Queries): Promise<Position> => {
    const end = await readEnd(elsewhere)
    news.announce(end)
    return end
  }
  let isClosed = false
  const stopListening = listenForAppends({
    notifier,
    isOwn: (id) => own.has(id),
    ...hearing(codec, newest, news),
    onGap: () => void look(database).catch((error: unknown) => isClosed || onError(error)),
  })
  const committer = groupCommitter({
    write: announcing(batchWriter(writer, newest.extend), news),
    faultOf: dataFaultOf,
    queueRequests_max: settings.queueRequests_max ?? queueRequests_max,
  })
  return {
    ...reads,
    readWithSnapshot: streamsWithSnapshots(database, codec),
    lookForEnd: look,
    append: async (stream, expected, events) =>
      committer.append(appendRequest(stream, expected, await codec.encode(stream, events))),
    readAll: (after) => pagesAfter(after, readPageEvents, readPage),
    follow: (after, options) => followedPages(after, options, followed),
    async close() {
      isClosed = true
      stopListening()
      await committer.close()
      await writer.close()
    },
  }
}

/**
 * What other processes append is decoded from the announcement, and handed to the followers of this process as its own appends are.
 * They are woken once that is done, or has failed: then they read.
 */
function hearing(
  codec: EventCodec,
  newest: NewestEvents,
  news: News<Position>,
): Pick<AppendListenerSettings, 'onEvents' | 'onPosition'> {
  let heard = Promise.resolve()
  return {
    onEvents({ after, events }) {
      const decoded = codec.decodeEach(events)
      heard = Promise.allSettled([decoded, heard]).then(([outcome]) => {
        if (outcome.status === 'fulfilled') newest.extend(after, outcome.value)
      })
    },
    onPosition: (position) => void heard.then(() => news.announce(position)),
  }
}

/** Followers of this process are woken before the appends are answered, without a round trip. */
function announcing(write: ReturnType<typeof batchWriter>, news: News<Position>): ReturnType<typeof batchWriter> {
  return async (batch) => {
    const results = await write(batch)
    for (const result of results) {
      if (!(result instanceof Error) && result.outcome === 'appended') news.announce(result.position)
    }
    return results
  }
}

/** The process ids of the connections that a database has open. */
function processIdsOf({ pool }: PostgresDatabase): ReadonlySet<number> {
  const ids = new Set<number>()
  pool.on('connect', (client) => ids.add(processIdOf(client)))
  pool.on('remove', (client) => ids.delete(processIdOf(client)))
  return ids
}
