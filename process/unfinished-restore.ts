import type { ClientBase } from 'pg'
import { z } from 'zod'

/** A restore into this target was interrupted: it holds only a part of a backup. */
export class RestoreUnfinished extends Error {
  override readonly name = 'RestoreUnfinished'
}

type Client = Pick<ClientBase, 'query'>

export interface UnfinishedRestore {
  /** The id of the backup. */
  readonly backup: string
  /** Whether the tables beside history are restored. */
  readonly tables: boolean
}

// The table exists only while a restore is under way, so no migration makes it: it is there before the first one.
const table = 'ledger.unfinished_restore'
const restoreRow = z.object({ backup: z.string(), tables: z.boolean() })

export async function unfinishedRestore(client: Client): Promise<UnfinishedRestore | undefined> {
  const { rows } = await client.query('select from pg_class where oid = to_regclass($1)', [table])
  if (rows.length === 0) return undefined
  const found = await client.query(`select backup, tables from ${table}`)
  return restoreRow.optional().parse(found.rows[0])
}

/** Rejects with RestoreUnfinished if a restore was interrupted here. */
export async function refuseUnfinishedRestore(client: Client): Promise<void> {
  if (await unfinishedRestore(client))
    throw new RestoreUnfinished(
      'A restore into this place was interrupted, and only a part of the backup is here: run guildhall restore again with the same backup',
    )
}

/** Marks the target, in one statement: until `endRestore`, it is no instance. */
export async function beginRestore(client: Client, backup: string): Promise<UnfinishedRestore> {
  const found = await unfinishedRestore(client)
  if (found) return found
  await client.query(`
    create schema if not exists ledger;
    create table ${table} as select '${z.uuid().parse(backup)}'::text as backup, false as tables`)
  return { backup, tables: false }
}

export const noteTables = `update ${table} set tables = true`

export async function endRestore(client: Client): Promise<void> {
  await client.query(`drop table ${table}`)
}
