import {
  beforeAll,
  readPageEvents,
  type EventStore,
  type Position,
  type RecordedEvent,
  type Revision,
} from '../../../application/ports/event-store.js'
import type { StreamName } from '../../../domain/streams.js'
import type { PostgresDatabase } from '../../postgres/database.js'
import { rowOf, sql } from '../../../application/ports/database.js'
import type { EventCodec } from '../codec.js'
import type { ReadPage } from '../pages.js'

/** The columns of `eventColumns`. */
export interface EventColumns {
  readonly stream: string
  readonly revision: Revision
  readonly position: string
  readonly eventId: string
  readonly type: string
  readonly data: unknown
  readonly metadata: unknown
}

/** A row of event_store.events. The codec judges its data and metadata. */
export const eventOf = ({ position, ...row }: EventColumns) => ({ ...row, position: BigInt(position) })
export const eventRow = rowOf(eventOf)

const eventIdRow = rowOf((row: { readonly eventId: string }) => row)
const endRow = rowOf((row: { readonly position: string | null }) => row)

export const eventColumns = sql.fragment`stream, revision, position, event_id as "eventId", type, data, metadata`

/** Reads events in pages. Each page starts where the one before it ended. */
export function eventReader(
  database: PostgresDatabase,
  codec: EventCodec,
): Pick<EventStore, 'readStream' | 'end' | 'findEvent' | 'eventIdAt'> & { readonly readPage: ReadPage } {
  return {
    readStream: (stream, after) => streamPages(database, codec, stream, after),
    async readPage(after, limit) {
      const rows = await database.any(sql.type(eventRow)`
        select ${eventColumns} from event_store.events where position > ${after} order by position limit ${limit}
      `)
      return codec.decodeEach(rows)
    },
    end: () => readEnd(database),
    async findEvent(stream, eventId) {
      const rows = await database.any(sql.type(eventRow)`
        select ${eventColumns} from event_store.events where event_id = ${eventId} and stream = ${stream}
      `)
      return (await codec.decode(rows))[0]
    },
    async eventIdAt(position) {
      const row = await database.maybeOne(sql.type(eventIdRow)`
        select event_id as "eventId" from event_store.events where position = ${position}
      `)
      return row?.eventId
    },
  }
}

/** The position of the newest event; `beforeAll` if there is none. */
export async function readEnd(database: PostgresDatabase): Promise<Position> {
  const { position } = await database.one(sql.type(endRow)`
    select max(position) as position from event_store.events
  `)
  return position === null ? beforeAll : BigInt(position)
}

async function* streamPages(
  database: PostgresDatabase,
  codec: EventCodec,
  stream: StreamName,
  after: Revision,
): AsyncGenerator<readonly RecordedEvent[]> {
  let revision = after
  for (;;) {
    const rows = await database.any(sql.type(eventRow)`
      select ${eventColumns} from event_store.events
      where stream = ${stream} and revision > ${revision} order by revision limit ${readPageEvents}
    `)
    const last = rows.at(-1)
    if (last) yield await codec.decode(rows)
    if (!last || rows.length < readPageEvents) return
    revision = last.revision
  }
}
