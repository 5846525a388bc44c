import { inSameTurn } from '../../../application/concurrency/same-turn.ts'
import { rowOf } from '../../../application/sql/row-of.ts'
import { sql } from '../../../application/sql/sql.ts'
import type { Revision } from '../../../domain/kernel/position.ts'
import { readPageEvents } from '../pages.ts'
import type { StreamName } from '../../../domain/streams.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import { eventColumns, eventOf, eventRow, type EventColumns } from './event-columns.ts'

export type StoredRow = ReturnType<typeof eventOf>

/** Reads the stored events of a stream after a revision, in order: at most `limit`, which is `readPageEvents` if absent. */
export type ReadEvents = (stream: StreamName, after: Revision, limit?: number) => Promise<readonly StoredRow[]>

/** The most streams in one statement. */
export const readsTogether_max = 100

interface Asked {
  readonly stream: StreamName
  readonly after: Revision
  readonly limit: number
}

const askedRow = rowOf(({ asked, ...row }: EventColumns & { readonly asked: number }) => ({ asked, row: eventOf(row) }))

/** Reads that begin in the same turn are one statement: a decision that looks at many streams waits for Postgres once. */
export function readsTogether(database: Pick<PostgresDatabase, 'any'>): ReadEvents {
  const read = inSameTurn<Asked, readonly StoredRow[]>({
    items_max: readsTogether_max,
    alone: (asked) => alone(database, asked),
    together: (all) => together(database, all),
  })
  return (stream, after, limit = readPageEvents) => read({ stream, after, limit })
}

function alone(
  database: Pick<PostgresDatabase, 'any'>,
  { stream, after, limit }: Asked,
): Promise<readonly StoredRow[]> {
  return database.any(sql.type(eventRow)`
    select ${eventColumns} from event_store.events
    where stream = ${stream} and revision > ${after} order by revision limit ${limit}
  `)
}

async function together(
  database: Pick<PostgresDatabase, 'any'>,
  all: readonly Asked[],
): Promise<readonly (readonly StoredRow[])[]> {
  const streams = all.map(({ stream }) => stream)
  const revisions = all.map(({ after }) => after)
  const limits = all.map(({ limit }) => limit)
  const rows = await database.any(sql.type(askedRow)`
    select a.asked::int4, e.*
    from unnest(${sql.array(streams, 'text')}, ${sql.array(revisions, 'int4')}, ${sql.array(limits, 'int4')})
      with ordinality a (name, after, events_max, asked)
    cross join lateral (
      select ${eventColumns} from event_store.events
      where stream = a.name and revision > a.after order by revision limit a.events_max
    ) e
    order by a.asked, e.revision
  `)
  return rowsOfEach(rows, all.length)
}

/** Gives each of several reads its rows. `asked` is the number of the read, from 1. */
export function rowsOfEach<Row>(
  rows: readonly { readonly asked: number; readonly row: Row }[],
  reads_count: number,
): readonly (readonly Row[])[] {
  const found = Array.from({ length: reads_count }, (): Row[] => [])
  for (const { asked, row } of rows) found[asked - 1]?.push(row)
  return found
}
