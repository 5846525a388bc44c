import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { postgresBackgroundJobs } from '../../adapters/background-jobs/postgres-background-jobs.ts'
import { postgresBackgroundWork } from '../../adapters/background-jobs/postgres-background-work.ts'
import { queuedAtOnce } from '../../adapters/background-jobs/queued-at-once.ts'
import { jobQueue } from '../../adapters/jobs/job-queue.ts'
import { acceptInvite } from '../../application/communities/invites/accept-invite.ts'
import { startProcessManagers, type ProcessManagersSettings } from '../../process/process-managers.ts'
import { accountId, backgroundJobId, type AccountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { world, type World } from '../application/support/world.ts'
import { noBackgroundWork } from '../support/background-work.ts'
import { migratedDatabase } from '../support/test-database.ts'

const closings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close()
})

const entryDetails = {
  category: 'manual',
  severity: 2,
  matchSubdomains: true,
  sourceUrl: null,
  notes: null,
  contentType: null,
  reason: null,
} as const
const timing = { start_ms: 0, scan_ms: 300, poll_ms: 200 }

/** Accounts with admissions that a dead process had begun, on a queue in a real Postgres. */
async function left(count: number) {
  const { connection, database, close } = await migratedDatabase()
  closings.push(close)
  const on = world()
  const { id, code } = await on.guildOf(await on.newcomer())
  const accounts: AccountId[] = []
  for (let made = 0; made < count; made += 1) {
    const account = await on.newcomer()
    on.dieBefore('MemberJoined')
    await expect(acceptInvite(on.ports)(await on.as(account), code)).rejects.toThrow('MemberJoined')
    on.restart()
    accounts.push(account)
  }
  await on.ports.readModels.reached(0n)
  const logged: Record<string, unknown>[] = []
  const logger = pino({}, { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) })
  const start = async (settings: Partial<ProcessManagersSettings> = {}) => {
    const given = {
      ports: on.ports,
      background: noBackgroundWork,
      connection,
      logger,
      finishesFirst: false,
      olderThan_ms: 0,
      timing,
    }
    const managers = await startProcessManagers({ ...given, ...settings })
    closings.push(() => managers.stop())
    return managers
  }
  const joined = async (): Promise<number> =>
    (await Promise.all(accounts.map((account) => on.ports.queries.members.find(id, account)))).filter(Boolean).length
  return { on, accounts, database, logged, start, joined }
}

/** The ports of a process that cannot find one account. */
function without(on: World, missing: AccountId, until = Number.POSITIVE_INFINITY): World['ports'] {
  const { find } = on.ports.queries.accounts
  let asked = 0
  const accounts = {
    ...on.ports.queries.accounts,
    find: async (account: AccountId) => {
      if (account !== missing) return find(account)
      asked += 1
      if (asked < until) throw new Error('broken')
      return find(account)
    },
  }
  return { ...on.ports, queries: { ...on.ports.queries, accounts } }
}

describe('steps that dead processes left', () => {
  it('are finished once each by two processes that both look for them', async () => {
    const { on, start, joined, logged } = await left(50)
    const managers = [await start(), await start()]
    await expect.poll(joined).toBe(50)
    for (const manager of managers) await expect.poll(() => manager.jobCounts()).toStrictEqual([])
    const types = (await on.events()).map(({ type }) => type)
    expect(types.filter((type) => type === 'MemberJoined')).toHaveLength(51)
    expect(types.filter((type) => type === 'InviteRedeemed')).toHaveLength(50)
    expect(types).not.toContain('InviteRedemptionReturned')
    expect(logged.filter(({ msg }) => String(msg).startsWith('finished a step'))).toHaveLength(50)
  })

  it('are left alone while they are younger than the longest request', async () => {
    const { on, database, start, joined } = await left(1)
    // The world's clock is in the past; this makes the step look as if it had just begun.
    const age_ms = Date.now() - Date.parse(on.now)
    const managers = await start({ olderThan_ms: age_ms + 60_000 })
    const turns = async (): Promise<number> => {
      const { rows } = await database.pool
        .query('select taken_at from job_workers.turns where name = $1', ['queue_unfinished_steps'])
        .catch(() => ({ rows: [] }))
      return rows.length
    }
    await expect.poll(turns).toBe(1)
    await managers.stop()
    expect(await joined()).toBe(0)
  })

  it('are all finished, whatever their age, before the only process of an instance goes on with its start', async () => {
    const { on, start, joined } = await left(3)
    const age_ms = Date.now() - Date.parse(on.now)
    await start({ finishesFirst: true, olderThan_ms: age_ms + 60_000 })
    expect(await joined()).toBe(3)
  })

  it('that cannot be finished yet are tried again later and do not block others', async () => {
    const { on, accounts, start, joined, logged } = await left(10)
    const [stubborn] = accounts
    if (stubborn === undefined) throw new Error('There is no account')
    const managers = await start({ ports: without(on, stubborn, 2) })
    await expect.poll(joined).toBe(10)
    const last = (await on.events()).findLast(({ type }) => type === 'MemberJoined')
    expect(last?.data).toMatchObject({ accountId: stubborn })
    await expect.poll(() => managers.jobCounts()).toStrictEqual([])
    expect(logged.filter(({ msg }) => msg === 'a job failed and will be tried again')).toMatchObject([
      { task: 'finish_step', attempt: 1, err: { message: 'broken' } },
    ])
  })

  it('that fail in the first run are left to the queue', async () => {
    const { on, accounts, start, joined } = await left(2)
    const [stubborn] = accounts
    if (stubborn === undefined) throw new Error('There is no account')
    await start({ ports: without(on, stubborn, 2), finishesFirst: true })
    expect(await joined()).toBe(1)
    await expect.poll(joined).toBe(2)
  })
})

describe('process managers', () => {
  it('go on soon with a background job that gave others its turn, without waiting for a round', async () => {
    const { database, start } = await left(0)
    const parts: number[] = []
    const ban_file_sha = { chunk: 1, run: async (_: unknown, from: number) => void parts.push(from) }
    let turns = 0
    const managers = await start({
      // The first two turns are over before their first part.
      background: {
        work: postgresBackgroundWork(database),
        tasks: { ban_file_sha },
        now: () => timestamp(Date.now()),
        get turn_ms_max() {
          turns += 1
          return turns < 3 ? -1 : undefined
        },
      },
      timing: { ...timing, scan_ms: 3_600_000, poll_ms: 3_600_000 },
    })
    const laid = async () =>
      (await database.pool.query('select from job_workers.turns').catch(() => undefined))?.rowCount
    await expect.poll(laid).toBeGreaterThan(0)
    const jobId = backgroundJobId(snowflake('1'))
    await queuedAtOnce(postgresBackgroundJobs(database), jobQueue(database)).add({
      jobId,
      task: 'ban_file_sha',
      work: { hashes: ['a', 'b'], details: entryDetails },
      payload: { count: 2 },
      total: 2,
      requestedBy: accountId(snowflake('1')),
      reason: null,
      commandId: '01a1f8ef-9cd2-7050-9050-505050505050',
      cause: { correlationId: 'request', causationId: 'command' },
      createdAt: timestamp(Date.now()),
    })
    const found = () => postgresBackgroundJobs(database).find(jobId)
    await expect.poll(found).toMatchObject({ status: 'succeeded', done: 2 })
    expect(parts).toStrictEqual([0, 1])
    expect(turns).toBe(3)
    await managers.stop()
  })

  it('start without their queue: they reach it once Postgres is reachable', async () => {
    const { start } = await left(0)
    const nowhere = { host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' }
    const managers = await start({ connection: nowhere })
    expect(await managers.jobCounts()).toStrictEqual([])
    await managers.stop()
  })
})
