import { z } from 'zod'
import { sql } from '../application/sql/sql.ts'
import type { PostgresDatabase } from '../adapters/postgres/database.ts'

/** Deletes every snapshot: for a history that was replaced by another one, for which the old snapshots are wrong. */
export async function forgetSnapshots(database: PostgresDatabase): Promise<void> {
  await database.any(sql.type(z.object({}))`delete from event_store.snapshots`)
}
