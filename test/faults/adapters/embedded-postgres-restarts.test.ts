import { chmodSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RestartBounds } from '../../../adapters/postgres/embedded/keep-running.ts'
import { findRunningPostgres, type EmbeddedPostgres } from '../../../adapters/postgres/embedded/start.ts'
import {
  eventually,
  initialisedFolder,
  postmasterOn,
  processesOn,
  query,
  start,
} from '../../adapters/postgres/embedded/support.ts'

describe.skipIf(process.platform !== 'linux')('an embedded Postgres that ends by itself', () => {
  it.each(['SIGKILL', 'SIGQUIT', 'SIGINT'] as const)(
    'is started again after %s, for the same connection, with what was committed',
    async (signal) => {
      const { folder, postgres, deaths } = await keptRunning()
      await query(postgres.connection, `CREATE TABLE fact AS SELECT 'kept' AS word`)
      await strike(folder, signal)
      expect(await query(postgres.connection, 'SELECT word FROM fact')).toEqual([{ word: 'kept' }])
      expect(deaths[0]).toMatch(/^Postgres ended by itself/)
      await postgres.stop()
      expect(processesOn(folder)).toEqual([])
    },
  )

  it('is started again when its guard is killed, and guarded again', async () => {
    const { folder, postgres } = await keptRunning()
    const [before, guard] = [postmasterOn(folder), guardOf(folder)]
    process.kill(guard ?? Number.NaN, 'SIGKILL')
    await replaced(folder, before?.pid)
    expect(await query(postgres.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(guardOf(folder)).not.toBe(guard)
  })

  it('is given up after as many starts as its bound says, in words that say so, and gives its folder back', async () => {
    const { folder, postgres } = await keptRunning({ restarts_max: 3 })
    for (let death = 0; death < 3; death += 1) await strike(folder, 'SIGKILL')
    process.kill(postmasterOn(folder)?.pid ?? Number.NaN, 'SIGKILL')
    const error = await postgres.givenUp
    expect(error.message).toContain('started again 3 times within 600 s')
    expect(postmasterOn(folder)).toBeUndefined()
    await postgres.stop()
    await start(folder)
  })

  it('is given up when it can not start, with the reason', async () => {
    const { folder, postgres, deaths } = await keptRunning({ restarts_max: 2, pause_ms_max: 10 })
    const cluster = path.join(folder, 'cluster')
    const { mode } = statSync(cluster)
    // Postgres refuses data that others may read.
    chmodSync(cluster, 0o777)
    process.kill(postmasterOn(folder)?.pid ?? Number.NaN, 'SIGKILL')
    const error = await postgres.givenUp
    expect(error.message).toContain('invalid permissions')
    expect(deaths.filter((line) => line.startsWith('Postgres does not start again yet'))).toHaveLength(2)
    chmodSync(cluster, mode)
  })

  it('stays down when it is stopped in the midst of a start', async () => {
    const { folder, postgres } = await keptRunning()
    for (let round = 0; round < 3; round += 1) await strike(folder, 'SIGKILL')
    process.kill(postmasterOn(folder)?.pid ?? Number.NaN, 'SIGKILL')
    await eventually(() => postmasterOn(folder) === undefined)
    await postgres.stop()
    expect(processesOn(folder)).toEqual([])
  })
})

async function keptRunning(
  bounds: Partial<RestartBounds> = {},
): Promise<{ readonly folder: string; readonly postgres: EmbeddedPostgres; readonly deaths: readonly string[] }> {
  const folder = await initialisedFolder()
  const deaths: string[] = []
  const postgres = await start(folder, { restarts: { onDeath: (line) => void deaths.push(line), bounds } })
  return { folder, postgres, deaths }
}

/** Ends the Postgres of a folder, and resolves once another one accepts connections there. */
async function strike(folder: string, signal: NodeJS.Signals): Promise<void> {
  const before = postmasterOn(folder)?.pid
  process.kill(before ?? Number.NaN, signal)
  await replaced(folder, before)
}

async function replaced(folder: string, before: number | undefined): Promise<void> {
  await eventually(async () => {
    const now = postmasterOn(folder)?.pid
    return now !== undefined && now !== before && (await findRunningPostgres(folder)) !== undefined
  })
}

function guardOf(folder: string): number | undefined {
  return processesOn(folder).find(({ pid }) => pid === postmasterOn(folder)?.parent)?.pid
}
