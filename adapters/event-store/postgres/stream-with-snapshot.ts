import { inSameTurn } from '../../../application/concurrency/same-turn.ts'
import { rowOf } from '../../../application/sql/row-of.ts'
import { sql } from '../../../application/sql/sql.ts'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { Revision } from '../../../domain/kernel/position.ts'
import { readPageEvents } from '../pages.ts'
import type { Snapshot } from '../../../application/ports/snapshots.ts'
import type { StreamName } from '../../../domain/streams.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import type { EventCodec } from '../codec.ts'
import { eventColumns, eventOf, type EventColumns } from './event-columns.ts'
import { readsTogether_max, rowsOfEach } from './reads-together.ts'

/** A stored snapshot and the first events after it, at most `readPageEvents`. */
export interface StreamWithSnapshot {
  readonly stored: Snapshot | undefined
  readonly tail: readonly RecordedEvent[]
  readonly isWhole: boolean
}

interface SnapshotColumns {
  readonly stream: string
  readonly revision: Revision
  readonly position: null
  readonly data: unknown
}

type AnyColumns = SnapshotColumns | EventColumns

interface Asked {
  readonly stream: StreamName
  readonly stateVersion: number
}

const anyRow = rowOf((row: AnyColumns) => row)
const askedRow = rowOf(({ asked, ...row }: AnyColumns & { readonly asked: number }) => ({ asked, row }))

/** Reads a stream from its snapshot on, in one statement, and streams that are asked for in the same turn in one as well. */
export function streamsWithSnapshots(database: PostgresDatabase, codec: EventCodec) {
  const read = inSameTurn<Asked, readonly AnyColumns[]>({
    items_max: readsTogether_max,
    alone: (asked) => alone(database, asked),
    together: (all) => together(database, all),
  })
  return async (stream: StreamName, stateVersion: number): Promise<StreamWithSnapshot> => {
    const rows = await read({ stream, stateVersion })
    const events = rows.filter((row) => row.position !== null)
    const stored = rows.find((row) => row.position === null)
    return {
      stored: stored && { revision: stored.revision, state: stored.data },
      tail: await codec.decode(events.map(eventOf)),
      isWhole: events.length < readPageEvents,
    }
  }
}

const snapshotColumns = sql.fragment`
  h.stream, h.revision, null::bigint as position, null::uuid as "eventId", null::text as type, h.state as data,
  null::jsonb as metadata`

function alone(database: PostgresDatabase, { stream, stateVersion }: Asked): Promise<readonly AnyColumns[]> {
  return database.any(sql.type(anyRow)`
    with held as (
      select stream, revision, state from event_store.snapshots
      where stream = ${stream} and state_version = ${stateVersion}
    )
    select ${snapshotColumns} from held h
    union all
    (
      select ${eventColumns} from event_store.events
      where stream = ${stream} and revision > coalesce((select h.revision from held h), -1)
      order by revision limit ${readPageEvents}
    )
    order by position nulls first`)
}

async function together(
  database: PostgresDatabase,
  all: readonly Asked[],
): Promise<readonly (readonly AnyColumns[])[]> {
  const streams = all.map(({ stream }) => stream)
  const versions = all.map(({ stateVersion }) => stateVersion)
  const rows = await database.any(sql.type(askedRow)`
    select a.asked::int4, e.*
    from unnest(${sql.array(streams, 'text')}, ${sql.array(versions, 'int4')}) with ordinality a (name, version, asked)
    left join event_store.snapshots h on h.stream = a.name and h.state_version = a.version
    cross join lateral (
      select ${snapshotColumns} where h.stream is not null
      union all
      (
        select ${eventColumns} from event_store.events
        where stream = a.name and revision > coalesce(h.revision, -1) order by revision limit ${readPageEvents}
      )
    ) e
    order by a.asked, e.position nulls first`)
  return rowsOfEach(rows, all.length)
}
