import { expect } from 'vitest'
import { eraseAccount } from '../../../application/processes/erase-account.ts'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestAccount, TestGuildhall } from '../../support/test-guildhall.ts'

type Id = Pick<TestAccount, 'id'>

const idOf = ({ id }: Id) => accountId(snowflake(id))

/** Makes the deletion of an account due, as if its holder had asked for it long ago. */
export async function deletionIsDue({ ports }: TestGuildhall, account: Id): Promise<void> {
  const context = testContext({ kind: 'account', id: idOf(account) })
  const dueAt = timestamp(Date.now() - 1000)
  await ports.aggregates.account.execute(idOf(account), { type: 'ScheduleSelfDeletion', dueAt }, context)
  await ports.readModels.reached(context.written)
}

/** What the worker does with an account whose deletion is due. True as well if it has come first, or comes at the same time. */
export async function erase({ ports }: TestGuildhall, account: Id): Promise<boolean> {
  const status = async () => (await ports.aggregates.account.load(idOf(account))).state.status
  if ((await status()) === 'registered' && (await eraseAccount(ports)(idOf(account), timestamp(Date.now()))))
    return true
  await expect.poll(status).not.toBe('erasing')
  return (await status()) === 'erased'
}

/** Every row of every table, as text. */
export async function everyRow({ store }: TestGuildhall): Promise<string> {
  const { pool } = store.database
  const { rows: tables } = await pool.query<{ readonly name: string }>(`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`)
  const texts: string[] = []
  for (const { name } of tables) {
    texts.push(...(await rowsOf(store, name)).map((row) => `${name} ${row}`))
  }
  return texts.join('\n')
}

/** Empty for a table that is gone by now: the job queue may still be setting up its own. */
async function rowsOf({ database: { pool } }: TestGuildhall['store'], table: string): Promise<readonly string[]> {
  try {
    const { rows } = await pool.query<{ readonly row: string }>(`select t::text as row from ${table} t`)
    return rows.map(({ row }) => row)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === undefinedTable) return []
    throw error
  }
}

const undefinedTable = '42P01'

/** Every event as the program reads it, as JSON. */
export async function everyEvent({ store }: TestGuildhall): Promise<string> {
  const texts: string[] = []
  for await (const page of store.events.readAll(-1n))
    texts.push(...page.map(({ stream, type, data, metadata }) => JSON.stringify({ stream, type, data, metadata })))
  return texts.join('\n')
}
