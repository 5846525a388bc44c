import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'
import { electorOn } from '../../application/concurrency/elector.ts'
import { locks } from './registry.ts'
import { quoted } from './rows/table-columns.ts'

/** Another process projects or builds read models. It would treat events written beside it as news. */
export class ReadModelsInUse extends Error {
  override readonly name = 'ReadModelsInUse'
}

export interface Standstill {
  /** Aborts when the connection that keeps other processes away is lost. */
  readonly lost: AbortSignal
  /**
   * Removes all read models. The next projecting process finds none, and builds them up to the end of the store without
   * publishing the events written meanwhile.
   */
  forgetReadModels(): Promise<void>
}

/**
 * Runs a task while nobody projects or builds, and nobody can begin to: a server that starts waits for its end. Rejects with
 * ReadModelsInUse if another process does already.
 */
export function atStandstill<Result>(pool: Pool, task: (standstill: Standstill) => Promise<Result>): Promise<Result> {
  return electorOn<PoolClient>(pool).use(async (seat) => {
    const { client, lost } = seat
    for (const lock of [locks.leading, locks.building, locks.setup]) {
      if (!(await seat.take(lock)))
        throw new ReadModelsInUse('A server projects here, or another command builds read models: end it first')
    }
    return task({ lost, forgetReadModels: () => forgetReadModels(client) })
  })
}

const schemaRow = z.object({ schema: z.string() })

async function forgetReadModels(client: PoolClient): Promise<void> {
  await client.query('begin')
  const { rows } = await client.query('delete from read_models.checkpoints returning schema')
  await client.query('delete from read_models.parked; delete from read_models.origin')
  for (const { schema } of z.array(schemaRow).parse(rows))
    await client.query(`drop schema if exists ${quoted(schema)} cascade`)
  await client.query('commit')
}
