import { z } from 'zod'
import { openDatabase, type PostgresConnection } from '../../adapters/postgres/database.ts'
import { pause } from '../../application/concurrency/pauses.ts'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { StoredEvents } from '../../application/ports/stored-events.ts'
import { exactSession } from './table-file.ts'

/** Postgres as of one instant, and the end of the event store at that instant. */
export interface Instant {
  readonly queries: Queries
  readonly end: Position
}

const nothing = z.object({})
const search_ms_max = 60_000
const retry_ms = 5
/** The transaction rests while events are read. */
const unlimited = { idle_in_transaction_session_timeout: '0', statement_timeout: '0' } as const

/**
 * Runs a task on one instant of both stores: a repeatable-read transaction whose snapshot was taken while no event was written,
 * since the event store ends at the same position before and after. The transaction lasts as long as the task. Looks for such an
 * instant for up to `search_ms_max`.
 */
export async function atQuietInstant<Result>(
  connection: PostgresConnection,
  stored: Pick<StoredEvents, 'end'>,
  signal: AbortSignal,
  task: (instant: Instant) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(connection, { connections_max: 1, session: { ...exactSession, ...unlimited } })
  const until = performance.now() + search_ms_max
  try {
    while (performance.now() < until) {
      signal.throwIfAborted()
      const done = await database.transaction(async (queries) => {
        await queries.any(sql.type(nothing)`set transaction isolation level repeatable read, read only`)
        const before = await stored.end()
        await queries.any(sql.type(nothing)`select pg_current_snapshot()`)
        const end = await stored.end()
        return end === before ? { result: await task({ queries, end }) } : undefined
      })
      if (done) return done.result
      await pause(retry_ms, signal)
    }
  } finally {
    await database.close()
  }
  throw new Error(
    `Events are written without a pause: no instant for a backup was found in ${search_ms_max / 1000} s. Try again while less is written`,
  )
}
