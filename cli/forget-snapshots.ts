import { z } from 'zod'
import { sql } from '../application/ports/database.js'
import type { PostgresDatabase } from '../adapters/postgres/database.js'

/** Forgets every snapshot: for a history that has become another one, of which those of before say nothing. */
export async function forgetSnapshots(database: PostgresDatabase): Promise<void> {
  await database.any(sql.type(z.object({}))`delete from event_store.snapshots`)
}
