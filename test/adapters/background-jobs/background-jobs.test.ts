import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresBackgroundJobs } from '../../../adapters/background-jobs/postgres-background-jobs.ts'
import { postgresBackgroundWork } from '../../../adapters/background-jobs/postgres-background-work.ts'
import {
  runBackgroundJob,
  type BackgroundTaskWork,
} from '../../../application/administration/jobs/run-background-job.ts'
import type { NewBackgroundJob } from '../../../application/ports/background-jobs.ts'
import { jobAttempts_max } from '../../../application/administration/jobs/job-statuses.ts'
import { accountId, backgroundJobId, type BackgroundJobId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.ts'

let the: TestDatabase
beforeAll(async () => {
  the = await migratedDatabase()
})
afterAll(() => the.close())
beforeEach(() => the.database.pool.query('delete from background_jobs.jobs'))

const jobs = () => postgresBackgroundJobs(the.database)
const work = () => postgresBackgroundWork(the.database)
const never = new AbortController().signal
const details = {
  category: 'manual',
  severity: 2,
  matchSubdomains: true,
  sourceUrl: null,
  notes: null,
  contentType: null,
  reason: null,
} as const

let made = 0
async function newJob(total = 10, changes: Partial<NewBackgroundJob> = {}): Promise<BackgroundJobId> {
  made += 1
  const jobId = backgroundJobId(snowflake(String(1000 + made)))
  const hashes = Array.from({ length: total }, (_, index) => index.toString(16).padStart(64, '0'))
  await jobs().add({
    jobId,
    task: 'ban_file_sha',
    work: { hashes, details },
    payload: { count: total },
    total,
    requestedBy: accountId(snowflake('1')),
    reason: 'because',
    commandId: '01a1f8ef-9cd2-7050-9050-505050505050',
    cause: { correlationId: 'request', causationId: 'command', operation: 'Shred messages' },
    createdAt: timestamp(Date.now()),
    ...changes,
  })
  return jobId
}

/** Runs a job with a task of the test. */
const run = (jobId: BackgroundJobId, task: BackgroundTaskWork['run'], signal = never) =>
  runBackgroundJob({
    work: work(),
    tasks: { ban_file_sha: { chunk: 4, run: task } },
    now: () => timestamp(Date.now()),
  })(jobId, signal)

const set = (jobId: BackgroundJobId, columns: string) =>
  the.database.pool.query(`update background_jobs.jobs set ${columns} where job_id = $1`, [jobId])

describe('a background job', () => {
  it('is queued, is run in parts, and has succeeded', async () => {
    const jobId = await newJob()
    expect(await jobs().find(jobId)).toMatchObject({
      status: 'queued',
      done: 0,
      total: 10,
      attempts: 0,
      startedAt: null,
    })
    expect(await work().due(10)).toEqual([jobId])
    const parts: [number, number][] = []
    await run(jobId, async (job, from, to, context) => {
      expect(context).toMatchObject({ actor: { kind: 'account', id: '1' }, reason: 'because', mayRepeat: true })
      expect(await jobs().find(job.jobId)).toMatchObject({ status: 'running', done: from })
      parts.push([from, to])
    })
    expect(parts).toEqual([
      [0, 4],
      [4, 8],
      [8, 10],
    ])
    expect(await jobs().find(jobId)).toMatchObject({ status: 'succeeded', done: 10, attempts: 1, runAt: null })
    expect(await jobs().active(10)).toEqual([])
    expect(await work().due(10)).toEqual([])
    await run(jobId, () => Promise.reject(new Error('it has ended')))
  })
  it('acts in the chain of the request that asked for it; one of a version before in its own', async () => {
    const contexts: unknown[] = []
    const note: BackgroundTaskWork['run'] = async (_, from, __, { correlationId, causationId, operation }) => {
      if (from === 0) contexts.push({ correlationId, causationId, operation })
    }
    await run(await newJob(), note)
    const older = await newJob()
    await set(older, 'correlation_id = null, causation_id = null, operation = null')
    await run(older, note)
    const commandId = '01a1f8ef-9cd2-7050-9050-505050505050'
    expect(contexts).toEqual([
      { correlationId: 'request', causationId: 'command', operation: 'Shred messages' },
      { correlationId: commandId, causationId: commandId, operation: undefined },
    ])
  })
  it('is known by the request that asked for it', async () => {
    const cause = { correlationId: 'a request of its own', causationId: 'its command', operation: undefined }
    const jobId = await newJob(1, { cause })
    await newJob()
    expect(await jobs().ofRequest(cause.correlationId, 10)).toMatchObject([
      { jobId, causationId: 'its command', task: 'ban_file_sha', status: 'queued' },
    ])
  })
  it('is added once for an id', async () => {
    const jobId = await newJob()
    await newJob(3, { jobId })
    expect(await jobs().find(jobId)).toMatchObject({ total: 10 })
  })
  it('forgets what it worked on as it ends', async () => {
    const jobId = await newJob()
    await run(jobId, async () => undefined)
    const { rows } = await the.database.pool.query('select work from background_jobs.jobs')
    expect(rows).toEqual([{ work: null }])
  })
})

describe('a try that fails', () => {
  it('is made again later, from where the job is', async () => {
    const jobId = await newJob()
    const failing = run(jobId, async (_, from) => {
      if (from === 4) throw new RangeError('a secret')
    })
    await expect(failing).rejects.toThrow('a secret')
    const failed = await jobs().find(jobId)
    expect(failed).toMatchObject({
      status: 'queued',
      done: 4,
      attempts: 1,
      errorMessage: 'RangeError',
      completedAt: null,
    })
    expect(Date.parse(failed?.runAt ?? '')).toBeGreaterThan(Date.now() + 5000)
    expect(await work().due(10)).toEqual([])
    const early: number[] = []
    await run(jobId, async (_, from) => void early.push(from))
    expect(early).toEqual([])
    await set(jobId, 'run_at = now()')
    await run(jobId, async (_, from) => void early.push(from))
    expect(early).toEqual([4, 8])
    expect(await jobs().find(jobId)).toMatchObject({ status: 'succeeded', attempts: 2, errorMessage: null })
  })
  it('is the last where there were eight', async () => {
    const jobId = await newJob()
    for (let tries = 0; tries < jobAttempts_max; tries += 1) {
      await set(jobId, 'run_at = now()')
      await expect(run(jobId, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    }
    expect(await jobs().find(jobId)).toMatchObject({ status: 'deadletter', attempts: 8, errorMessage: 'Error' })
  })
  it('is that of a worker that dies, too', async () => {
    const jobId = await newJob()
    const stopping = new AbortController()
    const stopped = run(
      jobId,
      async () => {
        stopping.abort(new Error('killed'))
        stopping.signal.throwIfAborted()
      },
      stopping.signal,
    )
    await expect(stopped).rejects.toThrow('killed')
    expect(await jobs().find(jobId)).toMatchObject({ status: 'running', attempts: 1 })
    expect(await work().due(10)).toEqual([jobId])
    await set(jobId, `attempts = ${jobAttempts_max}`)
    await run(jobId, () => Promise.reject(new Error('never begun')))
    expect(await jobs().find(jobId)).toMatchObject({
      status: 'deadletter',
      errorMessage: 'Whoever worked on it died each time',
    })
  })
  it('is that of a task which nobody knows', async () => {
    const jobId = await newJob()
    await set(jobId, "task = 'of_tomorrow'")
    await expect(run(jobId, async () => undefined)).rejects.toThrow('of_tomorrow')
    expect(await jobs().find(jobId)).toMatchObject({ status: 'queued', errorMessage: 'UnknownTask' })
  })
})

describe('a turn that takes long', () => {
  it('is left to whoever takes the job next, and is no try', async () => {
    const jobId = await newJob()
    await work().begin(jobId)
    await work().progress(jobId, 4)
    await work().pause(jobId)
    expect(await jobs().find(jobId)).toMatchObject({ status: 'queued', done: 4, attempts: 0 })
    expect(await work().due(10)).toEqual([jobId])
  })
})

describe('cancelling a job', () => {
  it('that is queued ends it at once', async () => {
    const jobId = await newJob()
    expect(await jobs().cancel(jobId)).toBe(true)
    expect(await jobs().find(jobId)).toMatchObject({ status: 'cancelled', cancelRequested: true, startedAt: null })
    expect(await jobs().cancel(jobId)).toBe(true)
    await run(jobId, () => Promise.reject(new Error('never begun')))
  })
  it('that is running ends it after what it is at', async () => {
    const jobId = await newJob()
    const parts: number[] = []
    await run(jobId, async (_, from) => {
      parts.push(from)
      if (from === 4) expect(await jobs().cancel(jobId)).toBe(true)
    })
    expect(parts).toEqual([0, 4])
    expect(await jobs().find(jobId)).toMatchObject({ status: 'cancelled', done: 8 })
  })
  it('is refused where it has ended, and unknown', async () => {
    const jobId = await newJob()
    await run(jobId, async () => undefined)
    expect(await jobs().cancel(jobId)).toBe(false)
    expect(await jobs().cancel(backgroundJobId(snowflake('1')))).toBe(false)
    expect(await jobs().find(jobId)).toMatchObject({ status: 'succeeded', cancelRequested: false })
  })
  it('that fails or is laid aside meanwhile ends it, too', async () => {
    const [failing, pausing] = [await newJob(), await newJob()]
    await expect(
      run(failing, async () => {
        await jobs().cancel(failing)
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await work().begin(pausing)
    await jobs().cancel(pausing)
    await work().pause(pausing)
    for (const jobId of [failing, pausing]) expect(await jobs().find(jobId)).toMatchObject({ status: 'cancelled' })
  })
  it('says true of those alone that never succeed, however it races with their end', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => newJob(1)))
    const races = ids.map(async (jobId, index) => {
      const running = run(jobId, async () => undefined)
      for (let waited = 0; waited < index % 8; waited += 1) await the.database.pool.query('select 1')
      const cancelled = await jobs().cancel(jobId)
      await running
      return [cancelled, (await jobs().find(jobId))?.status]
    })
    for (const [cancelled, status] of await Promise.all(races))
      expect(status).toBe(cancelled ? 'cancelled' : 'succeeded')
  })
})

describe('the records of jobs', () => {
  const all = { limit: 10, before: null, since: timestamp(0), status: null, task: null, requestedBy: null }

  it('are listed from the newest on, by page, age, status, task and who asked', async () => {
    const at = (hours: number) => timestamp(Date.UTC(2026, 10, 20, hours))
    const [oldest, twin, newest] = [
      await newJob(1, { createdAt: at(1) }),
      await newJob(1, { createdAt: at(2), requestedBy: accountId(snowflake('2')) }),
      await newJob(1, { createdAt: at(2) }),
    ]
    await jobs().cancel(oldest)
    const idsOf = async (search: Partial<typeof all>) =>
      (await jobs().list({ ...all, ...search })).map(({ jobId }) => jobId)
    expect(await idsOf({})).toEqual([newest, twin, oldest])
    expect(await idsOf({ limit: 2 })).toEqual([newest, twin])
    const rest = await jobs().list({ ...all, before: { createdAt: at(2), jobId: newest } })
    expect(rest.map(({ jobId }) => jobId)).toEqual([twin, oldest])
    expect((await jobs().list({ ...all, since: at(2) })).map(({ jobId }) => jobId)).toEqual([newest, twin])
    expect((await jobs().list({ ...all, status: 'cancelled' })).map(({ jobId }) => jobId)).toEqual([oldest])
    expect((await jobs().list({ ...all, task: 'other' })).map(({ jobId }) => jobId)).toEqual([])
    const asked = await jobs().list({ ...all, requestedBy: accountId(snowflake('2')) })
    expect(asked.map(({ jobId }) => jobId)).toEqual([twin])
    expect((await jobs().active(10)).map(({ jobId }) => jobId)).toEqual([newest, twin])
  })
  it('are given up after 7 days without a beginning, and forgotten after 90', async () => {
    const [fresh, stale, kept, old] = [await newJob(), await newJob(), await newJob(), await newJob()]
    await set(stale, "created_at = now() - interval '7 days 1 minute'")
    await run(kept, async () => undefined)
    await set(kept, "created_at = now() - interval '89 days'")
    await run(old, async () => undefined)
    await set(old, "created_at = now() - interval '90 days 1 minute'")
    await work().sweep()
    expect((await jobs().find(fresh))?.status).toBe('queued')
    expect(await jobs().find(stale)).toMatchObject({ status: 'deadletter', errorMessage: 'Nobody began it in time' })
    expect((await jobs().find(kept))?.status).toBe('succeeded')
    expect(await jobs().find(old)).toBeUndefined()
  })
})
