import path from 'node:path'
import type pg from 'pg'
import { openMessages, type OpenMessages } from '../../adapters/messages/open-messages.ts'
import { startEmbeddedPostgres } from '../../adapters/postgres/embedded/start.ts'
import { openDatabase } from '../../adapters/postgres/database.ts'
import { migrate } from '../../adapters/postgres/migrate.ts'
import { openNotifier } from '../../adapters/postgres/notifier.ts'
import { sql } from '../../application/sql/sql.ts'
import { openPool } from './pool.ts'
import { scratch } from './scratch.ts'

/**
 * Runs the task beside a Postgres of its own, with the store of messages open, and with a pool of so many connections for the bare
 * statements. All is ended and removed afterwards.
 */
export async function withMessages<Result>(
  bareConnections_max: number,
  task: (opened: OpenMessages, bare: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const place = scratch()
  const postgres = await startEmbeddedPostgres({ folder: path.join(place.folder, 'postgres') })
  const { connection } = postgres
  const database = openDatabase(connection)
  try {
    await migrate({ database, connection })
    const onError = (error: unknown): void => console.error(error)
    const notifier = openNotifier({ connection, onError })
    const opened = openMessages({ database, heldPosition: sql.fragment`0::int8`, notifier, isAlone: true, onError })
    const bare = openPool(connection, bareConnections_max)
    try {
      return await task(opened, bare)
    } finally {
      await opened.close()
      await notifier.close()
      await bare.end()
    }
  } finally {
    await database.close()
    await postgres.stop()
    place.remove()
  }
}
