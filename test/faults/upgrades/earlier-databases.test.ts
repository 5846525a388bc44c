import { readFile } from 'node:fs/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { migrate } from '../../../adapters/postgres/migrate.ts'
import { readMigrations } from '../../../adapters/postgres/migrations.ts'
import { divergentRows } from '../store-checks.ts'
import { migratedDatabase, testDatabase, type TestDatabase } from '../../support/test-database.ts'
import { startTestGuildhall } from '../../support/test-guildhall.ts'
import { rowsIn, shapeOf, tablesOf } from './database-shape.ts'

const personalDataKey = Buffer.from('guildhall-fixture-key-0123456789')
/** Tables whose rows expire, or describe the present. All others contain what an instance must not lose. */
const passing =
  /^(?:admission|followers|ids|job_workers|network_failures|rate_limits|read_models)\.|^messages\.(?:notices|removed_channels|unrecorded_deletions|trimmed)$/

const closings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close()
})

async function databaseOf(commit: string): Promise<TestDatabase> {
  const test = await testDatabase()
  closings.push(() => test.close())
  await test.database.pool.query(await readFile(new URL(`./${commit}.sql`, import.meta.url), 'utf8'))
  return test
}

describe.each(['ad11cd5', '3ce5c53'])('a database that commit %s has created', (commit) => {
  it('has a row in every table, so that the test sees each survive', async () => {
    const { pool } = (await databaseOf(commit)).database
    const rows = await rowsIn(pool, await tablesOf(pool))
    expect(Object.entries(rows).flatMap(([table, found]) => (found.length === 0 ? [table] : []))).toEqual([])
  })

  it('is migrated to the tables of a new one, and keeps every row', async () => {
    const { database, connection } = await databaseOf(commit)
    const fresh = await migratedDatabase()
    closings.push(() => fresh.close())
    const tables = await tablesOf(database.pool)
    const before = await rowsIn(database.pool, tables)
    const numbers = (await migrate({ database, connection })).map(({ number }) => number)
    expect(numbers).toEqual((await readMigrations()).map(({ number }) => number))
    expect(await rowsIn(database.pool, tables)).toEqual(before)
    expect(await shapeOf(database.pool)).toEqual(await shapeOf(fresh.database.pool))
    expect(await migrate({ database, connection })).toEqual([])
  })

  it('is served as before: its account signs in, and reads its guild and its message', async () => {
    const { database, connection } = await databaseOf(commit)
    // A row of no read model: it is there to show that rows of checkpoints are kept.
    await database.pool.query(`delete from read_models.checkpoints where schema = 'retired'`)
    const tables = (await tablesOf(database.pool)).filter(({ table }) => !passing.test(table))
    const before = await rowsIn(database.pool, tables)
    const guildhall = await startTestGuildhall({ connection, personalDataKey })
    closings.push(() => guildhall.close())
    const after = await rowsIn(database.pool, tables)
    for (const [table, rows] of Object.entries(before)) expect(after[table]).toEqual(expect.arrayContaining([...rows]))

    const given = { email: 'ada@example.com', password: 'a long pass phrase 7' }
    const signedIn = await guildhall.request('POST', '/v1/auth/login', { body: given })
    expect(signedIn).toMatchObject({ status: 200 })
    const { token } = signedIn.body as { readonly token: string }
    const read = async (path: string): Promise<readonly Record<string, unknown>[]> => {
      const { status, body } = await guildhall.request('GET', `/v1${path}`, { token })
      expect(status).toBe(200)
      return body as readonly Record<string, unknown>[]
    }
    const [guild] = await read('/users/@me/guilds')
    expect(guild).toMatchObject({ name: 'Fixture' })
    const channel = (await read(`/guilds/${String(guild?.['id'])}/channels`)).find(({ type }) => type === 0)
    expect(channel).toMatchObject({ rate_limit_per_user: 5 })
    expect(await read(`/channels/${String(channel?.['id'])}/messages`)).toMatchObject([
      { content: 'Hello from an earlier version' },
    ])
    expect(await divergentRows(guildhall.store)).toEqual([])
  })
})
