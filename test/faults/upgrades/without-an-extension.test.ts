import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { readModels } from '../../../projections/read-models.ts'
import { rebuild } from '../../../projections/runner/rebuild.ts'
import { administrator } from '../../support/administrators.ts'
import { testDatabase } from '../../support/test-database.ts'
import { startTestGuildhall, type TestGuildhall } from '../../support/test-guildhall.ts'

const warning = /cannot search accounts.*pg_trgm.*guildhall replay account_search/

it('a Postgres that lets nobody make extensions is served: one warning says that accounts cannot be searched', async () => {
  const test = await testDatabase()
  const { pool } = test.database
  await pool.query(`
    create schema rules;
    create function rules.refuse() returns event_trigger language plpgsql as $$
    begin raise exception 'extensions are for others to make' using errcode = 'insufficient_privilege'; end $$;
    create event trigger no_extensions on ddl_command_start when tag in ('CREATE EXTENSION')
      execute function rules.refuse()`)
  const lines: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const personalDataKey = randomBytes(32)
  const start = () => startTestGuildhall({ connection: test.connection, personalDataKey, logger })

  const warnings = () => lines.filter((line) => warning.test(line)).length
  const first = await start()
  const { token, id } = await administrator(first, '*')
  const ask = (guildhall: TestGuildhall, query: string) =>
    guildhall.request('GET', `/v1/admin/users?${query}`, { token })
  expect(await ask(first, 'q=user')).toMatchObject({ status: 403, body: { code: 'FEATURE_TEMPORARILY_DISABLED' } })
  expect(await ask(first, `user_id=${id}`)).toMatchObject({ status: 200, body: { total: 1 } })
  await first.close()
  expect(warnings()).toBe(1)
  // Nothing is left of the attempt.
  const { rows } = await pool.query(`select from pg_namespace where nspname = 'trigrams'`)
  expect(rows).toEqual([])

  await pool.query('drop event trigger no_extensions; create extension pg_trgm')
  const second = await start()
  expect(warnings()).toBe(2)
  const { database, events } = second.store
  const settings = { pool: database.pool, store: events, projections: readModels, signal: new AbortController().signal }
  await rebuild('account_search', settings)
  expect(await ask(second, 'q=user')).toMatchObject({ status: 200, body: { total: 1 } })
  await second.close()
  await test.close()
})
