import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { findRunningPostgres } from '../../../../adapters/postgres/embedded/start.ts'
import { initialisedFolder, processesOn, query, show, start, startChild, temporaryFolder } from './support.ts'

describe('starting Postgres on a folder', () => {
  it('initialises the folder on first use and finds its rows there the next time', async () => {
    const folder = path.join(temporaryFolder(), 'data', 'postgres')
    const first = await start(folder)
    await query(first.connection, `CREATE TABLE fact AS SELECT 'kept' AS word`)
    await first.stop()
    const second = await start(folder)
    expect(await query(second.connection, 'SELECT word FROM fact')).toEqual([{ word: 'kept' }])
  })

  it('listens on a unix socket that only its own user can reach, and on no network', async () => {
    const { connection } = await start(await initialisedFolder())
    expect(await show(connection, 'listen_addresses')).toBe('')
    expect(statSync(connection.host).mode & 0o777).toBe(0o700)
  })

  it('starts on a folder whose path is longer than the address of a socket can be', async () => {
    const { connection } = await start(path.join(temporaryFolder(), 'long-'.repeat(30), 'path-'.repeat(30)))
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('runs beside others, each on its own folder', async () => {
    const connections = await Promise.all(
      [1, 2, 3].map(async (number) => {
        const { connection } = await start(await initialisedFolder())
        await query(connection, `CREATE TABLE fact AS SELECT ${number} AS number`)
        return connection
      }),
    )
    const rows = await Promise.all(connections.map((connection) => query(connection, 'SELECT number FROM fact')))
    expect(rows).toEqual([[{ number: 1 }], [{ number: 2 }], [{ number: 3 }]])
  })

  it('replaces a cluster whose initialisation was cut off', async () => {
    const folder = temporaryFolder()
    mkdirSync(path.join(folder, 'cluster.new-cut'))
    writeFileSync(path.join(folder, 'cluster.new-cut', 'PG_VERSION'), '18\n')
    await start(folder)
    expect(readdirSync(folder).toSorted()).toEqual(['claims', 'cluster', 'lock'])
  })
})

describe('the Postgres that was started', () => {
  it('keeps what it acknowledged, and plans as its clients ask it to', async () => {
    const { connection } = await start(await initialisedFolder())
    expect(await show(connection, 'synchronous_commit')).toBe('on')
    expect(await show(connection, 'fsync')).toBe('on')
    expect(await show(connection, 'full_page_writes')).toBe('on')
    expect(await show(connection, 'data_checksums')).toBe('on')
    expect(await show(connection, 'max_connections')).toBe('100')
    expect(await show(connection, 'plan_cache_mode')).toBe('auto')
  })

  it('sorts by code point and knows the case of every letter, the same on every host', async () => {
    const { connection } = await start(await initialisedFolder())
    const sql = `SELECT current_setting('server_encoding') AS encoding, lower('ÄÉЖ') AS lower, 'B' < 'a' AS "byCodePoint"`
    expect(await query(connection, sql)).toEqual([{ encoding: 'UTF8', lower: 'äéж', byCodePoint: true }])
  })

  it('takes the settings of the caller, except those that the launcher relies on', async () => {
    const settings = { shared_buffers: '32MB', listen_addresses: '*', port: '1' }
    const { connection } = await start(await initialisedFolder(), { settings })
    expect(await show(connection, 'shared_buffers')).toBe('32MB')
    expect(await show(connection, 'listen_addresses')).toBe('')
    expect(await show(connection, 'port')).toBe('5432')
  })

  it('is not started with a setting that does not exist', async () => {
    await expect(start(await initialisedFolder(), { settings: { 'not a name': '1' } })).rejects.toThrow(
      'no setting named',
    )
    await expect(start(await initialisedFolder(), { settings: { nonsense: '1' } })).rejects.toThrow('"nonsense"')
  })

  it('reports to the log of the caller, without the values of statements that failed', async () => {
    const log: string[] = []
    const { connection, stop } = await start(await initialisedFolder(), { log: (line) => log.push(line) })
    await query(connection, `CREATE TABLE account (email text UNIQUE); INSERT INTO account VALUES ('ada@example.org')`)
    await expect(query(connection, `INSERT INTO account VALUES ('ada@example.org')`)).rejects.toThrow('duplicate key')
    await stop()
    expect(log.join('\n')).toContain('PostgreSQL')
    expect(log.join('\n')).not.toContain('ada@example.org')
  })
})

describe('stopping', () => {
  it('leaves no process, no socket and no claim, and can be repeated', async () => {
    const folder = await initialisedFolder()
    const { connection, stop } = await start(folder)
    expect(processesOn(folder)).not.toEqual([])
    await Promise.all([stop(), stop()])
    await stop()
    expect(processesOn(folder)).toEqual([])
    expect(existsSync(connection.host)).toBe(false)
    expect(readdirSync(folder).toSorted()).toEqual(['cluster', 'lock'])
  })

  it('ends the connections that are still open', async () => {
    const { connection, stop } = await start(await initialisedFolder())
    const client = new pg.Client(connection)
    const lost = new Promise<Error>((resolve) => client.on('error', resolve))
    await client.connect()
    await stop()
    expect((await lost).message).toMatch(/terminat|ECONNRESET|EPIPE/)
  })
})

describe('finding a running Postgres', () => {
  it('gives its connection to another process while it runs, and nothing before and after', async () => {
    expect(await findRunningPostgres(temporaryFolder())).toBeUndefined()
    const folder = await initialisedFolder()
    expect(await findRunningPostgres(folder)).toBeUndefined()
    expect(await findRunningPostgres(path.join(folder, 'missing'))).toBeUndefined()
    const child = startChild(folder)
    const connection = await child.connection()
    expect(await findRunningPostgres(folder)).toEqual(connection)
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await child.stop()
    expect(await findRunningPostgres(folder)).toBeUndefined()
  })
})
