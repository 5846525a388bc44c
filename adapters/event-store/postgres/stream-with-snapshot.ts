import { rowOf, sql } from '../../../application/ports/database.js'
import { readPageEvents, type RecordedEvent, type Revision } from '../../../application/ports/event-store.js'
import type { Snapshot } from '../../../application/ports/snapshots.js'
import type { StreamName } from '../../../domain/streams.js'
import type { PostgresDatabase } from '../../postgres/database.js'
import type { EventCodec } from '../codec.js'
import { eventColumns, eventOf, type EventColumns } from './event-columns.js'

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

const anyRow = rowOf((row: SnapshotColumns | EventColumns) => row)

/** Reads a stream from its snapshot on, in one statement. */
export function streamsWithSnapshots(database: PostgresDatabase, codec: EventCodec) {
  return async (stream: StreamName, stateVersion: number): Promise<StreamWithSnapshot> => {
    const rows = await database.any(sql.type(anyRow)`
      with held as (
        select stream, revision, state from event_store.snapshots
        where stream = ${stream} and state_version = ${stateVersion}
      )
      select stream, revision, null::bigint as position, null::uuid as "eventId", null::text as type, state as data,
        null::jsonb as metadata
      from held
      union all
      (
        select ${eventColumns} from event_store.events
        where stream = ${stream} and revision > coalesce((select h.revision from held h), -1)
        order by revision limit ${readPageEvents}
      )
      order by position nulls first`)
    const events = rows.filter((row) => row.position !== null)
    const stored = rows.find((row) => row.position === null)
    return {
      stored: stored && { revision: stored.revision, state: stored.data },
      tail: await codec.decode(events.map(eventOf)),
      isWhole: events.length < readPageEvents,
    }
  }
}
