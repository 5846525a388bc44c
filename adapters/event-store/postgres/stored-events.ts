import type pg from 'pg'
import { z } from 'zod'
import { beforeAll, type Position } from '../../../domain/kernel/position.ts'
import type { StoredEvent, StoredEvents } from '../../../application/ports/stored-events.ts'
import { HistoryNotContinued } from '../../../application/failures/history-not-continued.ts'
import { sql } from '../../../application/sql/sql.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import { continuedStreams, refuseGaps, refuseOtherEnd } from '../continued-streams.ts'
import { pagesAfter, readPageEvents } from '../pages.ts'
import { dataFaultOf } from './append-batch.ts'
import { eventColumns, eventRow } from './event-columns.ts'
import { readEnd } from './event-reader.ts'

/** The stored events of the schema `event_store`. Imported events keep their positions. */
export function postgresStoredEvents(database: PostgresDatabase): StoredEvents {
  const readPage = (after: Position, limit: number): Promise<readonly StoredEvent[]> =>
    database.any(sql.type(eventRow)`
      select ${eventColumns} from event_store.events where position > ${after} order by position limit ${limit}
    `)
  return {
    kind: 'postgres',
    keepsPositions: true,
    end: () => readEnd(database),
    readAll: (after) => pagesAfter(after, readPageEvents, readPage),
    at: (position) =>
      database.maybeOne(
        sql.type(eventRow)`select ${eventColumns} from event_store.events where position = ${position}`,
      ),
    find: (stream, revision) =>
      database.maybeOne(sql.type(eventRow)`
        select ${eventColumns} from event_store.events where stream = ${stream} and revision = ${revision}
      `),
    append: (newest, events) => appendStored(database, newest, events),
  }
}

async function appendStored(
  { pool }: PostgresDatabase,
  newest: Position,
  events: readonly StoredEvent[],
): Promise<Position> {
  const streams = continuedStreams(newest, events)
  const client = await pool.connect()
  client.once('error', queryRejects)
  try {
    await client.query('begin')
    // The lock of event_store.append_events: no other process draws positions until the commit.
    await client.query('select pg_advisory_xact_lock(1196771660, 1)')
    refuseOtherEnd(newest, await endIn(client))
    const revisions = await revisionsIn(client, [...streams.keys()])
    refuseGaps(streams, (stream) => revisions.get(stream))
    const position = await insertStored(client, events)
    await client.query('commit')
    client.removeListener('error', queryRejects)
    client.release()
    return position
  } catch (error) {
    // Discards a connection in an unknown state instead of rolling back.
    client.release(true)
    const fault = dataFaultOf(error)
    throw fault === undefined ? error : new HistoryNotContinued(`Events can't be stored: ${fault}`, { cause: error })
  }
}

/** The query under way reports a broken connection. Without a listener the error would end the process. */
const queryRejects = (): void => undefined

const endRow = z.object({ position: z.coerce.bigint() })

async function endIn(client: pg.ClientBase): Promise<Position> {
  const { rows } = await client.query({
    name: 'stored_end',
    text: 'select coalesce(max(position), $1) as position from event_store.events',
    values: [beforeAll],
  })
  return endRow.parse(rows[0]).position
}

const revisionRow = z.object({ stream: z.string(), revision: z.int() })

async function revisionsIn(client: pg.ClientBase, streams: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query({
    name: 'stored_revisions',
    text: `select s.stream, e.revision from unnest($1::text[]) s (stream)
      cross join lateral (
        select revision from event_store.events where stream = s.stream order by revision desc limit 1
      ) e`,
    values: [streams],
  })
  return new Map(
    z
      .array(revisionRow)
      .parse(rows)
      .map(({ stream, revision }) => [stream, revision]),
  )
}

/** Inserts events at their own positions, and makes the next append draw a higher one. */
async function insertStored(client: pg.ClientBase, events: readonly StoredEvent[]): Promise<Position> {
  const items = events.map((event) => ({ ...event, position: event.position.toString() }))
  await client.query({
    name: 'stored_insert',
    text: `insert into event_store.events (position, stream, revision, event_id, type, data, metadata)
      overriding system value
      select position, stream, revision, "eventId", type, data, metadata
      from jsonb_to_recordset($1::jsonb)
        as e (position int8, stream text, revision int4, "eventId" uuid, type text, data jsonb, metadata jsonb)
      order by position`,
    values: [JSON.stringify(items)],
  })
  const last = events.at(-1)?.position ?? beforeAll
  // A sequence is not rolled back. It only needs to be beyond the existing positions, and its lowest value is 1.
  await client.query({
    name: 'stored_sequence',
    text: `select setval(pg_get_serial_sequence('event_store.events', 'position'), greatest($1::int8, 1), $1::int8 > 0)`,
    values: [last],
  })
  return last
}
