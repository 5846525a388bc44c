import { z } from 'zod'
import { sql } from '../../../application/sql/sql.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import type { PublisherCheckpoint } from './publisher-checkpoint.ts'

const carrier = 'nats'
const positionRow = z.object({ position: z.string() })

/** Opens the checkpoint in the schema `bus`. Any number of processes may open it. */
export function openPublisherCheckpoint(database: PostgresDatabase): PublisherCheckpoint {
  return {
    async load() {
      const row = await database.maybeOne(sql.type(positionRow)`
        select position from bus.publisher_checkpoints where carrier = ${carrier}
      `)
      return row && BigInt(row.position)
    },
    async move(expected, position) {
      const moved =
        expected === undefined
          ? sql.type(positionRow)`
              insert into bus.publisher_checkpoints (carrier, position) values (${carrier}, ${position})
              on conflict do nothing
              returning position
            `
          : sql.type(positionRow)`
              update bus.publisher_checkpoints set position = ${position}
              where carrier = ${carrier} and position = ${expected}
              returning position
            `
      return (await database.maybeOne(moved)) !== undefined
    },
  }
}
