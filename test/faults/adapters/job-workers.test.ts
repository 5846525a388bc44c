import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { jobsAtOnce } from '../../../adapters/jobs/start-worker.ts'
import { startEmbeddedPostgres } from '../../../adapters/postgres/embedded/start.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { layPostgres } from '../../support/lay-postgres.ts'
import { busyWorkerProcess } from '../../adapters/jobs/support/worker-process.ts'
import { workshop, type Workshop, type WorkshopOptions } from '../../adapters/jobs/support/workshop.ts'

let at: Workshop
const afterwards: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await at.close()
  for (const end of afterwards.splice(0)) await end()
})

async function opened(options?: WorkshopOptions): Promise<Workshop> {
  at = await workshop(options)
  return at
}

async function emptied(): Promise<void> {
  await expect.poll(() => at.counts()).toStrictEqual([])
}
const never = (): Promise<never> => new Promise(() => undefined)
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const quickDeath = { heartbeat_ms: 200, silence_ms_max: 2000, dead_ms: 3000, giveBack_ms: 200 }

describe('two workers', () => {
  it('do each job once, never one at the same time, and at most so many at once', async () => {
    const { jobs, work } = await opened()
    const runs = new Map<string, number>()
    const atWork = [0, 0]
    let most = 0
    for (const worker of [0, 1]) {
      work({
        note: async ({ text }) => {
          atWork[worker] = (atWork[worker] ?? 0) + 1
          most = Math.max(most, atWork[worker])
          runs.set(text, (runs.get(text) ?? 0) + 1)
          await tick()
          atWork[worker] -= 1
        },
      })
    }
    const texts = Array.from({ length: 200 }, (_, index) => `job ${index}`)
    await Promise.all(texts.map((text) => jobs.add('note', { text }, { key: text })))
    await emptied()
    expect([...runs.values()].filter((count) => count !== 1)).toStrictEqual([])
    expect(runs.size).toBe(200)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(jobsAtOnce)
  })

  it('take turns in a round: nobody else does it until its time has come again', async () => {
    const { work } = await opened()
    const turns: number[] = []
    const round = { name: 'round', every_ms: 500, run: async () => void turns.push(performance.now()) }
    for (let worker = 0; worker < 3; worker += 1) work({}, { rounds: [round] })
    await expect.poll(() => turns).toHaveLength(5)
    // The database counts the time between turns as they are taken; the news of a turn may take a moment.
    expect((turns.at(-1) ?? 0) - (turns[0] ?? 0)).toBeGreaterThan(4 * 250)
  })

  it('go on with a round that failed', async () => {
    const { work, logged } = await opened()
    let runs = 0
    const run = async (): Promise<void> => {
      runs += 1
      if (runs === 1) throw new Error('no luck')
    }
    work({}, { rounds: [{ name: 'unlucky', every_ms: 100, run }] })
    await expect.poll(() => runs).toBeGreaterThan(2)
    expect(logged.filter(({ round }) => round === 'unlucky')).toMatchObject([{ err: { message: 'no luck' } }])
  })

  it('can start at the same moment on a database that knows no queue', async () => {
    const { database, work, jobs } = await opened()
    await database.pool.query('drop schema job_queue cascade; drop schema job_workers cascade')
    const workers = Array.from({ length: 4 }, () => work({}))
    await expect.poll(() => workers.every(({ hasQueue }) => hasQueue)).toBe(true)
    await jobs.add('note', { text: 'a' })
    await emptied()
  })
})

describe('a worker that dies', () => {
  it('with its process in the midst of a job leaves the job to another, soon, and not before it is dead', async () => {
    const { connection, jobs, work, logged } = await opened()
    await jobs.add('note', { text: 'left behind' })
    const dying = await busyWorkerProcess(connection, quickDeath)
    expect(dying.begun).toBe('left behind')
    const done: number[] = []
    work({ note: async (_, { attempt }) => void done.push(attempt) }, { timing: quickDeath })
    // Living workers keep their jobs: other jobs pass, long after a silent worker would count as dead.
    const lived_ms = performance.now() + quickDeath.dead_ms * 1.5
    while (performance.now() < lived_ms) {
      await jobs.add('other', { text: '' })
      await expect.poll(() => at.counts()).toStrictEqual([expect.objectContaining({ task: 'note', atWork: 1 })])
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(done).toStrictEqual([])
    await dying.kill()
    await expect.poll(() => done).toStrictEqual([2])
    await emptied()
    const givenBack = () => logged.filter(({ msg }) => msg === 'released jobs that no worker is running').length
    // The job is back before the line about it is written.
    await expect.poll(givenBack).toBe(1)
  })

  it('again and again over one job ends that job: dying counts as an attempt', async () => {
    const { database, jobs, work, counts } = await opened({ attempts_max: 2 })
    await jobs.add('note', { text: 'deadly' })
    const locked = "locked_by = 'pool-dead', locked_at = now() - interval '1 hour'"
    await database.pool.query(`update job_queue._private_jobs set attempts = 2, ${locked}`)
    const done: string[] = []
    work({ note: async ({ text }) => void done.push(text) })
    await expect.poll(counts).toMatchObject([{ waiting: 0, atWork: 0, failedForGood: 1 }])
    expect(done).toStrictEqual([])
  })

  it('and is forgotten: names of the dead do not pile up', async () => {
    const { database, work } = await opened()
    await database.pool.query(
      `insert into job_workers.workers select 'dead ' || n, now() - interval '1 day' from generate_series(1, 50) n`,
    )
    work({})
    const names = async (): Promise<number> =>
      (await database.pool.query(`select from job_workers.workers where name like 'dead %'`)).rows.length
    await expect.poll(names).toBe(0)
  })
})

describe('a worker that loses touch', () => {
  it('as it takes a job, and does not know that it has it, has it given back, and may do it', async () => {
    const { database, jobs, work, counts } = await opened()
    const done: string[] = []
    work({ note: async ({ text }) => void done.push(text) }, { timing: { ...quickDeath, run_ms_max: 1000 } })
    const names = async () => (await database.pool.query('select name from job_workers.workers')).rows
    await expect.poll(names).toHaveLength(1)
    await jobs.add('note', { text: 'unknown' }, { runAt: timestamp(Date.now() + 3_600_000) })
    await database.pool.query(
      `update job_queue._private_jobs set run_at = now(), locked_by = (select name from job_workers.workers),
       locked_at = now() - interval '1 second'`,
    )
    expect(await counts()).toMatchObject([{ atWork: 1 }])
    await expect.poll(() => done).toStrictEqual(['unknown'])
    await emptied()
  })

  it('with the database gives its jobs up before another may take them, and takes jobs again when it can', async () => {
    const { database, jobs, work } = await opened()
    const given: unknown[] = []
    const done: string[] = []
    const timing = { ...quickDeath, heartbeat_ms: 100, silence_ms_max: 600, dead_ms: 1500 }
    work(
      {
        note: ({ text }, { signal, attempt }) => {
          if (attempt > 1) return Promise.resolve(void done.push(text))
          signal.addEventListener('abort', () => void given.push(signal.reason))
          return never()
        },
      },
      { timing },
    )
    await jobs.add('note', { text: 'a' })
    await expect.poll(() => at.counts()).toMatchObject([{ atWork: 1 }])
    // It can still reach everything else, but cannot report that it is alive.
    await database.pool.query('alter table job_workers.workers rename to away')
    await expect.poll(() => given).toMatchObject([{ message: 'The worker gave the job up' }])
    await database.pool.query('alter table job_workers.away rename to workers')
    await expect.poll(() => done).toStrictEqual(['a'])
    await emptied()
  })

  it('as it looks for its first job looks again', async () => {
    const { database, jobs, work, logged } = await opened()
    await database.pool.query('alter table job_queue._private_tasks rename to away')
    const done: string[] = []
    work({ note: async ({ text }) => void done.push(text) })
    const failedLooks = (): unknown[] => logged.filter(({ msg }) => String(msg).includes('could not look for jobs'))
    await expect.poll(failedLooks).not.toHaveLength(0)
    await database.pool.query('alter table job_queue.away rename to _private_tasks')
    await jobs.add('note', { text: 'a' })
    await expect.poll(() => done).toStrictEqual(['a'])
  })

  it('since its connections are cut works on, and no job is lost', async () => {
    const { database, connection, jobs, work } = await opened()
    const runs = new Map<string, number>()
    for (let worker = 0; worker < 2; worker += 1) {
      work(
        {
          note: async ({ text }) => {
            runs.set(text, (runs.get(text) ?? 0) + 1)
            await tick()
          },
        },
        { timing: { ...quickDeath, run_ms_max: 2000 } },
      )
    }
    for (let cut = 0; cut < 5; cut += 1) {
      const texts = Array.from({ length: 20 }, (_, index) => `cut ${cut} job ${index}`)
      // The connections of those who add jobs are cut too, and they get an error.
      const added = async (text: string): Promise<boolean> =>
        jobs.add('note', { text }).then(
          () => true,
          () => false,
        )
      for (const text of texts) await expect.poll(() => added(text)).toBe(true)
      await database.pool.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
        [connection.database],
      )
    }
    await emptied()
    expect(runs.size).toBe(100)
  })

  it('since Postgres is restarted works on by itself', async () => {
    const folder = path.join(await mkdtemp(path.join(tmpdir(), 'guildhall-jobs-')), 'postgres')
    afterwards.push(() => rm(path.dirname(folder), { recursive: true, force: true }))
    await layPostgres(folder)
    let postgres = await startEmbeddedPostgres({ folder })
    afterwards.unshift(() => postgres.stop())
    const connection = { ...postgres.connection }
    const { jobs, work, counts } = await opened({ connection })
    const done: string[] = []
    work({ note: async ({ text }) => void done.push(text) }, { timing: quickDeath })
    await jobs.add('note', { text: 'before' })
    await expect.poll(async () => [...done, ...(await counts())]).toStrictEqual(['before'])
    await postgres.stop()
    postgres = await startEmbeddedPostgres({ folder })
    expect(postgres.connection).toStrictEqual(connection)
    await jobs.add('note', { text: 'after' })
    await expect.poll(() => done).toStrictEqual(['before', 'after'])
  })
})

describe('stopping a worker', () => {
  it('finishes what is at work, and takes nothing new', async () => {
    const { jobs, work, counts, database } = await opened()
    const begun: string[] = []
    const done: string[] = []
    const atWorkInPostgres = async (): Promise<number> => {
      const { rows } = await database.pool.query<{ count: number }>(
        `select count(*)::int4 as count from pg_stat_activity
         where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
      )
      return rows[0]?.count ?? 0
    }
    let finish = (): void => undefined
    const gate = new Promise<void>((resolve) => {
      finish = resolve
    })
    const worker = work({
      note: async ({ text }) => {
        begun.push(text)
        await gate
        done.push(text)
      },
    })
    await jobs.add('note', { text: 'at work' })
    await expect.poll(() => begun).toHaveLength(1)
    const stopped = worker.stop()
    // A query for jobs that was under way when the worker was stopped may still return one, and may not have left yet.
    let quiet_count = 0
    const quiet = async () => (quiet_count = (await atWorkInPostgres()) === 0 ? quiet_count + 1 : 0)
    await expect.poll(quiet).toBe(5)
    await jobs.add('note', { text: 'too late' })
    finish()
    await stopped
    expect(done).toStrictEqual(['at work'])
    expect(await counts()).toMatchObject([{ waiting: 1, atWork: 0 }])
  })

  it('gives up what does not end in time, which another then does', async () => {
    const { jobs, work, counts } = await opened()
    const begun: number[] = []
    const stuck = work({ note: (_, { attempt }) => (begun.push(attempt), never()) }, { timing: { stop_ms_max: 300 } })
    await jobs.add('note', { text: 'stuck' })
    await expect.poll(() => begun).toStrictEqual([1])
    await stuck.stop()
    expect(await counts()).toMatchObject([{ waiting: 1, atWork: 0 }])
    work({ note: async (_, { attempt }) => void begun.push(attempt) })
    await expect.poll(() => begun).toStrictEqual([1, 2])
    await emptied()
  })

  it('before it has reached its database ends it too', async () => {
    const { database, work } = await opened()
    await database.pool.query('drop schema job_queue cascade')
    const worker = work({})
    await worker.stop()
    expect((await database.pool.query('select from job_workers.workers')).rows).toHaveLength(0)
  })
})
