import { rowOf, sql } from '../../../application/ports/database.js'
import { readPageEvents, type Revision } from '../../../application/ports/event-store.js'
import type { StreamName } from '../../../domain/streams.js'
import type { PostgresDatabase } from '../../postgres/database.js'
import { eventColumns, eventOf, eventRow, type EventColumns } from './event-columns.js'

export type StoredRow = ReturnType<typeof eventOf>

/** Reads the stored events of a stream after a revision, in order: at most `readPageEvents`. */
export type ReadEvents = (stream: StreamName, after: Revision) => Promise<readonly StoredRow[]>

/** The most streams in one statement. */
export const readsTogether_max = 100

interface Waiting {
  readonly stream: StreamName
  readonly after: Revision
  readonly resolve: (rows: readonly StoredRow[]) => void
  readonly reject: (error: unknown) => void
}

const askedRow = rowOf(({ asked, ...row }: EventColumns & { readonly asked: number }) => ({
  asked,
  event: eventOf(row),
}))

/**
 * Reads that begin in the same turn are one statement: a decision that looks at many streams waits for Postgres once. Each is answered
 * for itself; if the statement fails, all of them do.
 */
export function readsTogether(database: Pick<PostgresDatabase, 'any'>): ReadEvents {
  let waiting: Waiting[] = []

  function send(): void {
    const all = waiting
    waiting = []
    for (let index = 0; index < all.length; index += readsTogether_max) {
      const batch = all.slice(index, index + readsTogether_max)
      const [first, ...others] = batch
      if (!first) continue
      if (others.length === 0) alone(database, first).then(first.resolve, first.reject)
      else
        together(database, batch).then(
          (found) => batch.forEach(({ resolve }, turn) => resolve(found[turn] ?? [])),
          (error: unknown) => batch.forEach(({ reject }) => reject(error)),
        )
    }
  }

  return (stream, after) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) queueMicrotask(send)
      waiting.push({ stream, after, resolve, reject })
    })
}

/** The usual case keeps the simpler statement. */
function alone(database: Pick<PostgresDatabase, 'any'>, { stream, after }: Waiting): Promise<readonly StoredRow[]> {
  return database.any(sql.type(eventRow)`
    select ${eventColumns} from event_store.events
    where stream = ${stream} and revision > ${after} order by revision limit ${readPageEvents}
  `)
}

async function together(
  database: Pick<PostgresDatabase, 'any'>,
  batch: readonly Waiting[],
): Promise<readonly (readonly StoredRow[])[]> {
  const streams = batch.map(({ stream }) => stream)
  const revisions = batch.map(({ after }) => after)
  const rows = await database.any(sql.type(askedRow)`
    select a.asked::int4, e.*
    from unnest(${sql.array(streams, 'text')}, ${sql.array(revisions, 'int4')}) with ordinality a (name, after, asked)
    cross join lateral (
      select ${eventColumns} from event_store.events
      where stream = a.name and revision > a.after order by revision limit ${readPageEvents}
    ) e
    order by a.asked, e.revision
  `)
  const found = batch.map((): StoredRow[] => [])
  for (const { asked, event } of rows) found[asked - 1]?.push(event)
  return found
}
