import { z } from 'zod'
import { sql } from '../application/ports/database.js'
import type { PostgresDatabase } from '../adapters/postgres/database.js'

const found = z.object({ found: z.boolean() })
const nothing = z.object({})

/**
 * Deletes how far events are published to NATS, and the checkpoints of all followers: the next ones begin at the end of the
 * store. It is here, and not beside the checkpoint itself, so that import reaches no code that could publish
 * (test/cli/effects.test.ts).
 */
export async function forgetPublished(database: PostgresDatabase): Promise<void> {
  const table = await database.maybeOne(
    sql.type(found)`select to_regclass('bus.publisher_checkpoints') is not null as found`,
  )
  if (table?.found) await database.any(sql.type(nothing)`delete from bus.publisher_checkpoints`)
  const followers = await database.maybeOne(
    sql.type(found)`select to_regclass('followers.checkpoints') is not null as found`,
  )
  if (followers?.found) await database.any(sql.type(nothing)`delete from followers.checkpoints`)
}
