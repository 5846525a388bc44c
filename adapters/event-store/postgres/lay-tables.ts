import { readFile } from 'node:fs/promises'
import type { PostgresDatabase } from '../../postgres/database.js'

/** Makes the schema `event_store` where it is missing, and its function as this code knows it. */
export async function layTables(database: PostgresDatabase): Promise<void> {
  await database.pool.query(await readFile(new URL('./tables.sql', import.meta.url), 'utf8'))
}
