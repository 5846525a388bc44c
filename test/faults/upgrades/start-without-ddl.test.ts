import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import type { PostgresConnection } from '../../../adapters/postgres/database.ts'
import { openStore } from '../../../process/store.ts'
import { migratedDatabase, testDatabase, type TestDatabase } from '../../support/test-database.ts'
import { startTestGuildhall } from '../../support/test-guildhall.ts'

const personalDataKey = randomBytes(32)
const closings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close()
})

/** A server that has started once. Later starts have nothing to migrate and nothing to build. */
async function startedOnce(): Promise<TestDatabase> {
  const test = await testDatabase()
  closings.push(() => test.close())
  await start(test.connection)
  return test
}

/** Starts every role, with mails to send, and ends it; returns the errors that it reported. */
async function start(connection: PostgresConnection): Promise<readonly unknown[]> {
  const errors: unknown[] = []
  const logger = pino({ level: 'error' }, { write: (line: string) => void errors.push(JSON.parse(line)) })
  const guildhall = await startTestGuildhall({ connection, personalDataKey, logger, withMailServer: true })
  expect(await guildhall.request('GET', '/_health')).toMatchObject({ status: 200 })
  await guildhall.close()
  return errors
}

it('a start with nothing to migrate creates, changes and drops nothing in the database', async () => {
  const { database, connection } = await startedOnce()
  const { pool } = database
  await pool.query(`
    create schema watch;
    create table watch.seen (tag text);
    create function watch.note() returns event_trigger language plpgsql as $$
    begin insert into watch.seen values (tg_tag); end $$;
    create event trigger note_commands on ddl_command_end execute function watch.note()`)
  const seen = async () => (await pool.query('select tag from watch.seen')).rows
  expect(await start(connection)).toEqual([])
  expect(await seen()).toEqual([])
  // The trigger would have noticed it.
  await pool.query('create table if not exists event_store.events ()')
  expect(await seen()).toEqual([{ tag: 'CREATE TABLE' }])
})

it('an account that may read and write rows, and create nothing, is enough for such a start', async () => {
  const { database, connection } = await startedOnce()
  const { pool } = database
  const name = `rows_only_${randomBytes(6).toString('hex')}`
  const { rows } = await pool.query(
    `select quote_ident(nspname) as schema from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'`,
  )
  const schemas = rows.map(({ schema }: { readonly schema: string }) => schema).join()
  await pool.query(`create role ${name} login bypassrls;
    grant usage on schema ${schemas} to ${name};
    grant select, insert, update, delete on all tables in schema ${schemas} to ${name};
    grant usage on all sequences in schema ${schemas} to ${name}`)
  closings.push(async () => void (await pool.query(`drop owned by ${name}; drop role ${name}`)))
  expect(await start({ ...connection, user: name })).toEqual([])

  const fresh = await migratedDatabase()
  closings.push(() => fresh.close())
  await fresh.database.pool.query(`drop schema ledger cascade`)
  const opened = openStore({
    connection: { ...fresh.connection, user: name },
    personalDataKey,
    onError: () => undefined,
  })
  await expect(opened).rejects.toThrow('permission denied')
})
