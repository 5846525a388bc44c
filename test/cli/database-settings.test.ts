import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { openClient } from '../../adapters/postgres/client.ts'
import { openDatabase } from '../../adapters/postgres/database.ts'
import { sql } from '../../application/sql/sql.ts'
import { migratedDatabase, onServer, testDatabase, type TestDatabase } from '../support/test-database.ts'
import { runHere } from './support/command-here.ts'
import { run } from './support/command-process.ts'
import { environmentOf } from './support/instance.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const quiet = { STATUS_PORT: '0', HTTP_PORT: '0', NATS_URL: '' }

async function newFolder(): Promise<string> {
  const folder = await temporaryFolder('start')
  return folder
}

describe('a database that cannot hold what people write', () => {
  let latin: TestDatabase['connection']
  const name = `latin_${randomBytes(6).toString('hex')}`
  let server: TestDatabase
  beforeAll(async () => {
    server = await testDatabase()
    await onServer(
      server.connection,
      `create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
    )
    latin = { ...server.connection, database: name }
  })
  afterAll(async () => {
    await onServer(server.connection, `drop database ${name} with (force)`)
    await server.close()
  })

  it('is refused by a start, which makes no table there, and is bad to the doctor', async () => {
    const settings = { ...environmentOf(latin, randomBytes(32)), ...quiet, DATA_DIR: await newFolder() }
    const started = await run(['start'], settings)
    expect(started.code).toBe(1)
    expect(started.said + started.output).toContain('the database is in LATIN1')
    expect((await runHere(['doctor'], settings)).output).toMatch(/^bad +postgres .+the database is in LATIN1/m)
    const client = openClient(latin)
    await client.connect()
    const { rows } = await client.query(`select from pg_namespace where nspname = 'ledger'`)
    await client.end()
    expect(rows).toHaveLength(0)
  })
})

describe('what an operator sets for the database', () => {
  it('changes nothing of what is read', async () => {
    const { connection, database, close } = await migratedDatabase()
    onTestFinished(close)
    const own = [
      "datestyle = 'German, DMY'",
      "intervalstyle = 'iso_8601'",
      "timezone = 'Asia/Kathmandu'",
      "bytea_output = 'escape'",
      'standard_conforming_strings = off',
      "default_transaction_isolation = 'serializable'",
      "search_path = 'nowhere'",
    ]
    for (const each of own) await database.pool.query(`alter database ${connection.database} set ${each}`)
    const set = openDatabase(connection, { session: { application_name: 'two words' } })
    onTestFinished(() => set.close())
    const row = z.object({ at: z.string(), bytes: z.instanceof(Uint8Array), level: z.string(), name: z.string() })
    expect(
      await set.one(sql.type(row)`select '2026-02-01T10:00:00Z'::timestamptz as at, '\\x01ff'::bytea as bytes,
        current_setting('transaction_isolation') as level, current_setting('application_name') as name`),
    ).toStrictEqual({
      at: '2026-02-01T10:00:00.000Z',
      bytes: Buffer.from([1, 255]),
      level: 'read committed',
      name: 'two words',
    })
    const { user, host, port, database: name } = connection
    const connectionString = `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host ?? '')}&options=${encodeURIComponent('-c datestyle=SQL -c work_mem=5MB')}`
    const client = openClient({ connectionString })
    await client.connect()
    const { rows } = await client.query(
      `select current_setting('datestyle') as style, current_setting('work_mem') as memory, current_setting('timezone') as zone`,
    )
    await client.end()
    expect(rows).toStrictEqual([{ style: expect.stringMatching(/^ISO/), memory: '5MB', zone: 'UTC' }])
  })
})
