import { z } from 'zod'
import { sql } from '../application/sql/sql.ts'
import type { PostgresDatabase } from '../adapters/postgres/database.ts'

const nothing = z.object({})

/**
 * Forgets how far events are published to NATS, and how far the followers of NATS have come: each then begins at the
 * end of the store. It stands here, and not beside the checkpoint itself, so that import reaches no code that could
 * publish (test/cli/effects.test.ts).
 */
export async function forgetPublished(database: PostgresDatabase): Promise<void> {
  await database.any(sql.type(nothing)`delete from bus.publisher_checkpoints`)
  await database.any(sql.type(nothing)`delete from followers.checkpoints`)
}
