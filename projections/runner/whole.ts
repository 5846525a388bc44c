import { setTimeout as pause } from 'node:timers/promises'
import pg, { type ClientBase } from 'pg'
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

/** For whoever leads, once: before this no process has committed without waiting for the disk. */
export async function layMark(client: ClientBase): Promise<void> {
  // This one waits for the disk: were the table lost, nobody would look for a mark.
  await client.query(
    `begin; set local synchronous_commit = on; create unlogged table if not exists ${table} (since timestamptz not null); commit`,
  )
}

/** Says that the live read models hold all that they held before the last crash. */
export async function markWhole(client: ClientBase): Promise<void> {
  await client.query(`insert into ${table} select now() where not exists (select from ${table})`)
}

const undefinedTable = '42P01'
const undefinedSchema = '3F000'

/** Whether nothing of the read models is lost. Where nobody laid the mark, nobody has committed anything that could be. */
export async function areWhole(client: Pick<ClientBase, 'query'>): Promise<boolean> {
  try {
    const { rows } = await client.query(`select from ${table} limit 1`)
    return rows.length > 0
  } catch (error) {
    if (error instanceof pg.DatabaseError && [undefinedTable, undefinedSchema].includes(error.code ?? '')) return true
    throw error
  }
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
