import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase, type PostgresDatabase } from '../../../adapters/postgres/database.ts'
import { enterRegister, EntryLost, type ProcessRegister } from '../../../adapters/processes/process-register.ts'
import { runningProcesses } from '../../../adapters/processes/running-processes.ts'
import { electorOn } from '../../../application/concurrency/elector.ts'
import { pause } from '../../../application/concurrency/pauses.ts'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.ts'

let test: TestDatabase
let database: PostgresDatabase
let left: (() => Promise<void>)[]
let waited: string[]

beforeEach(async () => {
  test = await migratedDatabase()
  database = openDatabase(test.connection, { connections_max: 2 })
  left = []
  waited = []
})
afterEach(async () => {
  for (const leave of left.toReversed()) await leave()
  await database.close()
  await test.close()
})

/** A process of that name as version. It is listed, and leaves at the end of the test. */
async function enter(version: string, { isAlone = true, stopping = new AbortController().signal } = {}) {
  const pool = openDatabase(test.connection, { holdsLocks: true, connections_max: 3 })
  left.push(() => pool.close())
  const register = await enterRegister({
    elector: electorOn(pool.pool),
    roles: ['api'],
    version,
    isAlone,
    onWaiting: () => void waited.push(version),
    stopping,
    onError: () => undefined,
  })
  left.push(() => register.leave())
  await register.enlist()
  return register
}

const listed = async () => (await runningProcesses(database)).map(({ version }) => version)
/** As if the connection of each listed process of these versions had broken. */
const breakConnections = (...versions: readonly string[]) =>
  database.pool.query(
    `select pg_terminate_backend(held.pid) from processes.register as process
     join pg_locks as held on held.locktype = 'advisory' and held.objid = process.number::oid
       and held.database = (select oid from pg_database where datname = current_database())
     where process.version = any($1)`,
    [versions],
  )
async function regained(register: ProcessRegister): Promise<void> {
  await expect.poll(() => register.whileHeld()).toBeUndefined()
}

describe('a process that serves alone', () => {
  it('is in the register, with its roles, until it leaves', async () => {
    const register = await enter('one')
    expect(await runningProcesses(database)).toStrictEqual([
      { id: register.id, roles: ['api'], version: 'one', since: expect.any(String), worker_id: null },
    ])
    expect(register.whileHeld()).toBeUndefined()
    await register.leave()
    expect(await listed()).toEqual([])
  })

  it('keeps a second one waiting, which says so once and enters when the first leaves', async () => {
    const first = await enter('first')
    const second = enter('second')
    await expect.poll(() => waited).toEqual(['second'])
    await pause(500, new AbortController().signal)
    expect(await listed()).toEqual(['first'])
    await first.leave()
    await second
    expect(await listed()).toEqual(['second'])
    expect(waited).toEqual(['second'])
  })

  it('keeps a process of roles waiting, and waits for those', async () => {
    const alone = await enter('alone')
    const role = enter('role', { isAlone: false })
    await expect.poll(() => waited).toEqual(['role'])
    await alone.leave()
    const entered = await role
    const next = enter('next')
    await expect.poll(() => waited).toEqual(['role', 'next'])
    await entered.leave()
    await next
    expect(await listed()).toEqual(['next'])
  })

  it('stops waiting when it is told to end, and leaves nothing behind', async () => {
    const first = await enter('first')
    const stopping = new AbortController()
    const second = enter('second', { stopping: stopping.signal })
    await expect.poll(() => waited).toEqual(['second'])
    stopping.abort(new Error('told to end'))
    await expect(second).rejects.toThrow('told to end')
    await first.leave()
    await enter('third')
    expect(await listed()).toEqual(['third'])
  })

  it('takes its place again when its connection broke, and may write only then', async () => {
    const register = await enter('one')
    await breakConnections('one')
    await expect.poll(async () => register.whileHeld() !== undefined).toBe(true)
    await register.whileHeld()
    await regained(register)
    await expect.poll(listed).toEqual(['one'])
  })

  it('holds nothing up while it ends without its connection, and takes its place again', async () => {
    const stopping = new AbortController()
    const register = await enter('one', { stopping: stopping.signal })
    stopping.abort()
    await breakConnections('one')
    await expect.poll(async () => register.whileHeld() !== undefined).toBe(true)
    let turns = 0
    const counting = setInterval(() => (turns += 1), 1)
    await register.whileHeld()
    clearInterval(counting)
    expect(turns).toBeGreaterThan(0)
    await regained(register)
  })

  it('learns that another one has taken over, and may not write any more', async () => {
    const first = await enter('first')
    const second = enter('second')
    await expect.poll(() => waited).toEqual(['second'])
    // Whichever asks first takes the place, so this is repeated until it was the second.
    await expect
      .poll(
        async () => {
          await breakConnections('first')
          return listed()
        },
        { interval: 500 },
      )
      .toEqual(['second'])
    await second
    expect((await first.takenOver).message).toContain('another process serves this database now')
    await expect(first.whileHeld()).rejects.toThrow(EntryLost)
    expect(await listed()).toEqual(['second'])
  })
})

describe('processes of roles', () => {
  it('share the place, oldest first, and take it again beside each other', async () => {
    const one = await enter('one', { isAlone: false })
    const two = await enter('two', { isAlone: false })
    expect(await listed()).toEqual(['one', 'two'])
    await breakConnections('one', 'two')
    await regained(one)
    await regained(two)
    await expect.poll(listed).toEqual(['one', 'two'])
    expect(waited).toEqual([])
  })

  it('are in the register again when they were taken for dead', async () => {
    const one = await enter('one', { isAlone: false })
    const { rows } = await database.pool.query<{ pid: number }>(
      `delete from processes.register as process using pg_locks as held
       where held.locktype = 'advisory' and held.objid = process.number::oid
         and held.database = (select oid from pg_database where datname = current_database())
       returning held.pid`,
    )
    expect(await listed()).toEqual([])
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await expect.poll(listed).toEqual(['one'])
    await regained(one)
  })

  it('leave no rows of dead ones behind, but for the newest that served alone', async () => {
    for (const version of ['a', 'b']) await (await enter(version)).leave()
    for (const version of ['c', 'd']) await (await enter(version, { isAlone: false })).leave()
    await enter('e', { isAlone: false })
    const { rows } = await database.pool.query('select version from processes.register order by number')
    expect(rows).toEqual([{ version: 'b' }, { version: 'e' }])
  })
})
