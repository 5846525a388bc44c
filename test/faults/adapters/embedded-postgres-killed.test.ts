import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { runningProcess } from '../../../adapters/postgres/embedded/process.ts'
import {
  afterThisTest,
  eventually,
  initialisedFolder,
  postmasterOn,
  processesOn,
  query,
  start,
  startChild,
  temporaryFolder,
} from '../../adapters/postgres/embedded/support.ts'

describe.skipIf(process.platform !== 'linux')('when processes are killed (seen through /proc)', () => {
  it('no process of Postgres outlives a SIGKILL of ours, and what was committed is there again', async () => {
    const folder = await initialisedFolder()
    const child = startChild(folder)
    const lost = await child.connection()
    await query(lost, `CREATE TABLE fact AS SELECT 'kept' AS word`)
    await child.kill()
    await eventually(() => processesOn(folder).length === 0)
    expect(existsSync(lost.host)).toBe(false)
    const { connection } = await start(folder)
    expect(await query(connection, 'SELECT word FROM fact')).toEqual([{ word: 'kept' }])
  })

  it('a start right after a SIGKILL waits for the Postgres that is still going down', async () => {
    const folder = await initialisedFolder()
    for (let round = 0; round < 5; round++) {
      const child = startChild(folder)
      await query(await child.connection(), `CREATE TABLE fact_${round} ()`)
      await child.kill()
    }
    const { connection } = await start(folder)
    expect(await query(connection, `SELECT count(*)::int AS facts FROM pg_class WHERE relname LIKE 'fact%'`)).toEqual([
      { facts: 5 },
    ])
  })

  it('a SIGKILL at any instant of the first start leaves a folder that starts', async () => {
    const folder = temporaryFolder()
    for (const ms of [100, 200, 350, 500, 700]) {
      const child = startChild(folder)
      // Not a wait for a fact: the test varies the instant of the kill.
      await sleep(ms)
      await child.kill()
    }
    const { connection } = await start(folder)
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('an orphan, its guard killed too, is stopped by the next start', async () => {
    const folder = await initialisedFolder()
    const child = startChild(folder)
    await query(await child.connection(), `CREATE TABLE fact AS SELECT 'kept' AS word`)
    killGuards(folder)
    await child.kill()
    const orphan = postmasterOn(folder)
    expect(orphan).toBeDefined()
    const log: string[] = []
    const { connection } = await start(folder, { log: (line) => log.push(line) })
    expect(log[0]).toContain(`process ${orphan?.pid}`)
    expect(postmasterOn(folder)?.pid).not.toBe(orphan?.pid)
    expect(await query(connection, 'SELECT word FROM fact')).toEqual([{ word: 'kept' }])
  })

  it('a Postgres whose guard alone was killed ends cleanly instead of running unguarded', async () => {
    const folder = await initialisedFolder()
    const log: string[] = []
    await start(folder, { log: (line) => log.push(line) })
    const postmaster = postmasterOn(folder)
    process.kill(guardsOn(folder).find(({ pid }) => pid === postmaster?.parent)?.pid ?? NaN, 'SIGKILL')
    await eventually(() => processesOn(folder).length === 0)
    expect(log).toContain('LOG:  database system is shut down')
  })

  it('stop still stops Postgres when the guard was killed', async () => {
    const folder = await initialisedFolder()
    const { stop } = await start(folder)
    killGuards(folder)
    await eventually(() => guardsOn(folder).length === 0)
    await stop()
    expect(processesOn(folder)).toEqual([])
  })

  it('a Postgres that was killed itself is reported, recovers at the next start and has lost nothing', async () => {
    const folder = await initialisedFolder()
    const log: string[] = []
    const first = await start(folder, { log: (line) => log.push(line) })
    await query(first.connection, `CREATE TABLE fact AS SELECT 'kept' AS word`)
    process.kill(postmasterOn(folder)?.pid ?? NaN, 'SIGKILL')
    await eventually(() => log.some((line) => line.startsWith('Postgres ended by itself')))
    await first.stop()
    const second = await start(folder)
    expect(await query(second.connection, 'SELECT word FROM fact')).toEqual([{ word: 'kept' }])
  })

  it('Ctrl-C reaches our process and not Postgres, so that the app can drain', async () => {
    const folder = await initialisedFolder()
    const child = startChild(folder)
    const connection = await child.connection()
    child.interrupt()
    expect(await child.said()).toEqual({ interrupted: true })
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await child.stop()
    expect(processesOn(folder)).toEqual([])
  })

  it('signals that ask for an end do nothing to the guard, whose end would be ours to see', async () => {
    const folder = await initialisedFolder()
    const { connection, stop } = await start(folder)
    const guards = guardsOn(folder)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) for (const { pid } of guards) process.kill(pid, signal)
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(guardsOn(folder)).toEqual(guards)
    await stop()
    expect(processesOn(folder)).toEqual([])
  })
})

describe.skipIf(process.platform !== 'linux')('what is not ours', () => {
  it('a process that now has the number of a Postgres that is gone lives on, and Postgres starts', async () => {
    const folder = await initialisedFolder()
    const stranger = sleeper(statSync(path.join(folder, 'cluster')))
    writeFileSync(path.join(folder, 'cluster', 'postmaster.pid'), `${stranger}\n${path.join(folder, 'cluster')}\n`)
    const { connection } = await start(folder)
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(runningProcess(stranger)).toBeDefined()
  })

  it('a Postgres on another folder lives on when our record names it', async () => {
    const [folder, other] = [await initialisedFolder(), await initialisedFolder()]
    const { connection } = await start(other)
    const record = readFileSync(path.join(other, 'cluster', 'postmaster.pid'), 'utf8').split('\n')
    record[1] = path.join(folder, 'cluster')
    // Without the line about shared memory, because that memory is really in use.
    writeFileSync(path.join(folder, 'cluster', 'postmaster.pid'), record.slice(0, 6).join('\n'))
    await start(folder)
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})

function guardsOn(folder: string) {
  return processesOn(folder).filter(({ command }) => command === 'sh')
}

/** First kill the part that waits for our end: when the guard itself ends, Node closes the pipe, and that part acts. */
function killGuards(folder: string): void {
  const guards = guardsOn(folder)
  const isPart = ({ parent }: { parent: number }) => guards.some(({ pid }) => pid === parent)
  for (const { pid } of guards.toSorted((a, b) => Number(isPart(b)) - Number(isPart(a)))) process.kill(pid, 'SIGKILL')
}

function sleeper({ uid, gid }: { uid: number; gid: number }): number {
  const child = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {})
  afterThisTest(() => child.kill('SIGKILL'))
  return child.pid ?? NaN
}
