import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { Unavailable } from '../../application/ports/unavailable.js'

/**
 * Read models commit without waiting for the disk: a Postgres that crashes may lose the newest of it, rows and checkpoints
 * together. Whether that has happened stands in a mark of an unlogged table, which Postgres empties whenever it recovers from
 * a crash: without a mark nobody reads until the leader has projected again what was in the store by then. Source: decision 62.
 */
const table = 'read_models.whole'

const look_ms = 20
/** How long whoever has connected anew waits for the leader. */
export const wholeWait_ms_max = 10_000

/** The read models have lost their newest events to a crash of Postgres, and nobody has projected them again in time. */
export class ReadModelsNotWhole extends Unavailable {
  override readonly name = 'ReadModelsNotWhole'
  override readonly part = 'read models'
}

/** Says that the live read models hold all that they held before the last crash. */
export async function markWhole(client: ClientBase): Promise<void> {
  await client.query(`insert into ${table} select now() where not exists (select from ${table})`)
}

/** Whether nothing of the read models is lost. */
export async function areWhole(client: Pick<ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query(`select from ${table} limit 1`)
  return rows.length > 0
}

/** Resolves once nothing of the read models is lost, as `areWhole`. Rejects with ReadModelsNotWhole after `wholeWait_ms_max`. */
export async function untilWhole(client: Pick<ClientBase, 'query'>): Promise<void> {
  const until = performance.now() + wholeWait_ms_max
  while (!(await areWhole(client))) {
    if (performance.now() > until)
      throw new ReadModelsNotWhole('Postgres has crashed, and the read models do not hold yet what they held before')
    await pause(look_ms)
  }
}
