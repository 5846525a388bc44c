import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate, type MigrateSettings } from '../../../adapters/postgres/migrate.ts'
import { readMigrations, type Migration } from '../../../adapters/postgres/migrations.ts'
import { openDatabase } from '../../../adapters/postgres/database.ts'
import { testDatabase, type TestDatabase } from '../../support/test-database.ts'
import { temporaryFolder } from './embedded/support.ts'

let test: TestDatabase
let shipped: readonly Migration[]
beforeEach(async () => {
  test = await testDatabase()
  shipped = await readMigrations()
})
afterEach(() => test.close())

const run = (more: Partial<MigrateSettings> = {}) => migrate({ ...test, ...more })
const rows = async (statement: string) => (await test.database.pool.query(statement)).rows
const ledger = () => rows('select number, name, digest from ledger.migrations order by number')
const own = (number: number, statements: string, digest = statements): Migration => ({
  number,
  name: 'of-a-test',
  statements,
  digest,
})
const next = () => shipped.length + 1

async function migrationsIn(files: Readonly<Record<string, string>>): Promise<readonly Migration[]> {
  const folder = path.join(temporaryFolder(), 'migrations')
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
  return readMigrations(pathToFileURL(`${folder}/`))
}

describe('migrations', () => {
  it('run once, in their order, and are noted in the ledger', async () => {
    expect((await run()).map(({ number }) => number)).toEqual(shipped.map((_, index) => index + 1))
    expect(await ledger()).toEqual(shipped.map(({ number, name, digest }) => ({ number, name, digest })))
    expect(await run()).toEqual([])
    const more = [...shipped, own(next(), 'create table notes (text text)')]
    expect((await run({ migrations: more })).map(({ number }) => number)).toEqual([next()])
    expect(await ledger()).toHaveLength(more.length)
  })

  it('are run by one of many processes that start at once, and the others wait for it', async () => {
    const processes = Array.from({ length: 8 }, () => openDatabase(test.connection, { connections_max: 1 }))
    // It is slow, so that a process that does not wait for it finds no table.
    const slow = [...shipped, own(next(), `select pg_sleep(0.3); create table laid_once ()`)]
    try {
      const ran = await Promise.all(
        processes.map(async (database) => {
          const mine = await migrate({ database, connection: test.connection, migrations: slow })
          await database.pool.query('select from laid_once')
          return mine.length
        }),
      )
      expect(ran.toSorted((one, other) => one - other)).toEqual([0, 0, 0, 0, 0, 0, 0, slow.length])
      expect(await ledger()).toHaveLength(slow.length)
    } finally {
      await Promise.all(processes.map((database) => database.close()))
    }
  })

  it('all count, or none: where one fails it is named, and nothing of those before it stays', async () => {
    await run()
    const failing = [
      ...shipped,
      own(next(), 'create table notes (text text)'),
      own(next() + 1, 'insert into nowhere values (1)'),
    ]
    await expect(run({ migrations: failing })).rejects.toThrow(
      `Migration 00${next() + 1}-of-a-test failed: relation "nowhere" does not exist`,
    )
    expect(await ledger()).toHaveLength(shipped.length)
    expect(await rows(`select to_regclass('notes') as notes`)).toEqual([{ notes: null }])
  })

  it.each(['select pg_advisory_xact_lock(1196771700, 1)', 'lock table event_store.events'])(
    'wait for others within a bound, and change nothing: %s',
    async (held) => {
      await run()
      const other = new pg.Client(test.connection)
      await other.connect()
      await other.query(`begin; ${held}`)
      const more = [...shipped, own(next(), 'alter table event_store.events add column colour text')]
      await expect(run({ migrations: more, lockWait_ms: 100 })).rejects.toMatchObject({ name: 'PostgresUnavailable' })
      expect(await ledger()).toHaveLength(shipped.length)
      await other.end()
      expect(await run({ migrations: more, lockWait_ms: 10_000 })).toHaveLength(1)
    },
  )

  it('refuse a database that has run another text of one, and say which', async () => {
    await run()
    const changed = shipped.map((migration) =>
      migration.number === 4 ? { ...migration, digest: 'another' } : migration,
    )
    await expect(run({ migrations: changed })).rejects.toMatchObject({ name: 'MigrationChanged' })
    await expect(run({ migrations: changed })).rejects.toThrow(/0004-messages .*write a new migration instead/)
    const withMore = [...changed, own(next(), 'create table notes (text text)')]
    await expect(run({ migrations: withMore })).rejects.toMatchObject({ name: 'MigrationChanged' })
    expect(await ledger()).toHaveLength(shipped.length)
  })

  it('refuse a database that a newer program has migrated, and say what to do', async () => {
    await run({ migrations: [...shipped, own(next(), 'create table notes (text text)')] })
    await expect(run()).rejects.toMatchObject({ name: 'DatabaseIsNewer' })
    await expect(run()).rejects.toThrow(new RegExp(`00${next()}-of-a-test, .*knows ${shipped.length} .*newer version`))
  })

  it('that are not due are looked at by an account that may not make anything', async () => {
    await run()
    const name = `reader_${process.pid}_${Date.now()}`
    await rows(`create role ${name} login; grant usage on schema ledger to ${name};
      grant select on ledger.migrations to ${name}`)
    const database = openDatabase({ ...test.connection, user: name })
    try {
      expect(await migrate({ database, connection: { ...test.connection, user: name } })).toEqual([])
      await expect(database.pool.query('create table event_store.notes ()')).rejects.toThrow('permission denied')
    } finally {
      await database.close()
      await rows(`drop owned by ${name}; drop role ${name}`)
    }
  })
})

describe('the files of migrations', () => {
  it('may have their comments, blank lines and line ends changed, and nothing else', async () => {
    const digestOf = async (text: string) => (await migrationsIn({ '0001-notes.sql': text }))[0]?.digest
    const digest = await digestOf('create table notes (\n  -- What it says.\n  text text\n);\n')
    expect(await digestOf('-- Notes.\r\n\r\ncreate table notes (\r\n  text text\r\n);')).toBe(digest)
    expect(await digestOf('create table notes (\n  text text not null\n);\n')).not.toBe(digest)
  })

  it.each([
    [{ '0001-one.sql': '', '0003-three.sql': '' }, '0003-three should have number 2'],
    [{ '0001-one.sql': '', '0001-other.sql': '' }, '0001-other should have number 2'],
    [{ '0001_one.sql': '' }, '0001_one.sql is not the name of a migration'],
  ])('are refused where they are not in order: %j', async (files, message) => {
    await expect(migrationsIn(files)).rejects.toThrow(message)
  })
})
