import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { Unavailable } from '../../application/failures/unavailable.ts'

/**
 * Read models commit without waiting for the disk: a Postgres that crashes may lose their newest changes, rows and checkpoints
 * together. A mark in an unlogged table, which Postgres empties when it recovers from a crash, shows whether that has happened.
 * Without the mark nobody reads until the leader has projected again what the store held by then. Source: decision 62.
 */
const table = 'read_models.whole'

const look_ms = 20
/** How long a new connection waits for the leader. */
export const wholeWait_ms_max = 10_000

/** The read models lost their newest events in a crash of Postgres, and no process has projected them again in time. */
export class ReadModelsNotWhole extends Unavailable {
  override readonly name = 'ReadModelsNotWhole'
  override readonly part = 'read models'
}

/** Records that the live read models hold all that they held before the last crash. */
export async function markWhole(client: ClientBase): Promise<void> {
  await client.query(`insert into ${table} select now() where not exists (select from ${table})`)
}

/** Whether the read models have lost nothing. */
export async function areWhole(client: Pick<ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query(`select from ${table} limit 1`)
  return rows.length > 0
}

/** Resolves once the read models are whole, as `areWhole` tells. Rejects with ReadModelsNotWhole after `wholeWait_ms_max`. */
export async function untilWhole(client: Pick<ClientBase, 'query'>): Promise<void> {
  const until = performance.now() + wholeWait_ms_max
  while (!(await areWhole(client))) {
    if (performance.now() > until)
      throw new ReadModelsNotWhole('Postgres has crashed, and the read models do not hold yet what they held before')
    await pause(look_ms)
  }
}
