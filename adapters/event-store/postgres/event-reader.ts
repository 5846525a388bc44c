import type { EventStore, RecordedEvent } from '../../../application/ports/event-store.ts'
import { beforeAll, type Position, type Revision } from '../../../domain/kernel/position.ts'
import type { StreamName } from '../../../domain/streams.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import type { Queries } from '../../../application/ports/database.ts'
import { rowOf } from '../../../application/sql/row-of.ts'
import { sql } from '../../../application/sql/sql.ts'
import type { EventCodec } from '../codec.ts'
import { type ReadPage, readPageEvents } from '../pages.ts'
import { eventColumns, eventRow } from './event-columns.ts'
import { readsTogether, type ReadEvents } from './reads-together.ts'

const eventIdRow = rowOf((row: { readonly eventId: string }) => row)
const endRow = rowOf((row: { readonly position: string | null }) => row)

/** Reads events in pages. Each page starts where the one before it ended. */
export function eventReader(
  database: PostgresDatabase,
  codec: EventCodec,
): Pick<EventStore, 'readStream' | 'eventAt' | 'end' | 'findEvent' | 'eventIdAt'> & { readonly readPage: ReadPage } {
  const readEvents = readsTogether(database)
  return {
    readStream: (stream, after) => streamPages(readEvents, codec, stream, after),
    eventAt: async (stream, revision) => (await codec.decode(await readEvents(stream, revision - 1, 1)))[0],
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
export async function readEnd(database: Queries): Promise<Position> {
  const { position } = await database.one(sql.type(endRow)`
    select max(position) as position from event_store.events
  `)
  return position === null ? beforeAll : BigInt(position)
}

async function* streamPages(
  readEvents: ReadEvents,
  codec: EventCodec,
  stream: StreamName,
  after: Revision,
): AsyncGenerator<readonly RecordedEvent[]> {
  let revision = after
  for (;;) {
    const rows = await readEvents(stream, revision)
    const last = rows.at(-1)
    if (last) yield await codec.decode(rows)
    if (!last || rows.length < readPageEvents) return
    revision = last.revision
  }
}
