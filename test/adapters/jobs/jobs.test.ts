import { afterEach, describe, expect, it } from 'vitest'
import { addedTogether_max, jobKey_chars_max, payload_bytes_max } from '../../../adapters/jobs/job-queue.ts'
import { workerConnections_max } from '../../../adapters/jobs/start-worker.ts'
import { JobGivenUp } from '../../../application/failures/job-given-up.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { withResolvers } from '../reservations/counted.ts'
import { workshop, type Workshop, type WorkshopOptions } from './support/workshop.ts'

let at: Workshop
afterEach(() => at.close())

async function opened(options?: WorkshopOptions): Promise<Workshop> {
  at = await workshop(options)
  return at
}

const done = Promise.resolve()
async function emptied(): Promise<void> {
  await expect.poll(() => at.counts()).toStrictEqual([])
}

describe('a job', () => {
  it('is done by a worker that runs already, and by one that starts later', async () => {
    const { jobs, work } = await opened()
    const done: string[] = []
    await jobs.add('note', { text: 'before' })
    work({ note: async ({ text }) => void done.push(text) })
    await expect.poll(() => done).toStrictEqual(['before'])
    await jobs.add('note', { text: 'after' })
    await expect.poll(() => done).toStrictEqual(['before', 'after'])
    await emptied()
  })

  it('waits for its time', async () => {
    const { jobs, work } = await opened()
    const began_ms = Date.now()
    const done = new Map<string, number>()
    work({ note: async ({ text }) => void done.set(text, Date.now()) })
    await jobs.add('note', { text: 'later' }, { runAt: timestamp(began_ms + 1500) })
    await jobs.add('note', { text: 'at once' })
    await expect.poll(() => [...done.keys()]).toStrictEqual(['at once', 'later'])
    expect((done.get('later') ?? 0) - began_ms).toBeGreaterThanOrEqual(1500)
  })

  it('is stored with what it was added with, beside many others at the same moment', async () => {
    const { jobs, work, counts } = await opened()
    const [early, late] = [timestamp(Date.now() - 60_000), timestamp(Date.now() + 3_600_000)]
    const texts = Array.from({ length: addedTogether_max + 40 }, (_, index) => `${index}`)
    await Promise.all(
      texts.map((text, index) => {
        const wishes = [{}, { key: `key of ${text}` }, { key: 'shared' }, { runAt: early }, { runAt: late }][index % 5]
        return jobs.add('note', { text }, wishes)
      }),
    )
    const whose = (...turns: readonly number[]) => texts.filter((_, index) => turns.includes(index % 5))
    expect(await counts()).toMatchObject([{ task: 'note', waiting: whose(0, 1, 3, 4).length + 1, failedForGood: 0 }])
    const done: string[] = []
    work({ note: async ({ text }) => void done.push(text) })
    await expect.poll(() => done.length).toBe(whose(0, 1, 3).length + 1)
    expect(new Set(done.filter((text) => !whose(2).includes(text)))).toEqual(new Set(whose(0, 1, 3)))
    expect(await counts()).toMatchObject([{ waiting: whose(4).length }])
  })

  it('is stored once for a key, while it waits and while it is at work; done, its key is free', async () => {
    const { jobs, work, counts } = await opened()
    const gate = gated()
    const begun: string[] = []
    await Promise.all(['a', 'b', 'c'].map((text) => jobs.add('note', { text }, { key: 'same' })))
    await jobs.add('note', { text: 'else' }, { key: 'different' })
    expect(await counts()).toMatchObject([{ task: 'note', waiting: 2 }])
    work({
      note: async ({ text }) => {
        begun.push(text)
        await gate.promise
      },
    })
    await expect.poll(() => begun).toHaveLength(2)
    await jobs.add('note', { text: 'while at work' }, { key: 'same' })
    expect(await counts()).toMatchObject([{ waiting: 0, atWork: 2 }])
    gate.resolve()
    await emptied()
    expect(begun).toHaveLength(2)
    await jobs.add('note', { text: 'again' }, { key: 'same' })
    await expect.poll(() => begun).toHaveLength(3)
  })

  it('is tried again later when it fails, while others go on', async () => {
    const { jobs, work, database, logged } = await opened()
    const attempts: { readonly attempt: number; readonly at_ms: number }[] = []
    const others: string[] = []
    work({
      note: async (_, { attempt }) => {
        attempts.push({ attempt, at_ms: Date.now() })
        if (attempt === 1) throw new Error('not yet')
      },
      other: async ({ text }) => void others.push(text),
    })
    await jobs.add('note', { text: 'fails' })
    await expect.poll(() => attempts).toHaveLength(1)
    for (const text of ['a', 'b', 'c']) await jobs.add('other', { text })
    await expect.poll(() => others).toHaveLength(3)
    const errors = async () =>
      (await database.pool.query('select last_error from job_queue.jobs where last_error is not null')).rows
    await expect.poll(errors).toStrictEqual([{ last_error: 'not yet' }])
    await expect.poll(() => attempts.map(({ attempt }) => attempt)).toStrictEqual([1, 2])
    // e (2.718) seconds after the first failure.
    expect((attempts[1]?.at_ms ?? 0) - (attempts[0]?.at_ms ?? 0)).toBeGreaterThan(2600)
    await emptied()
    expect(logged.filter(({ level }) => level === 'warn')).toMatchObject([{ task: 'note', attempt: 1 }])
  })

  it('fails for good after its last attempt: it is logged as an error, stays to be seen, and keeps its key', async () => {
    const { jobs, work, counts, logged } = await opened({ attempts_max: 1 })
    work({ note: () => Promise.reject(new Error('never')) })
    await jobs.add('note', { text: 'a' }, { key: 'hopeless' })
    await expect.poll(counts).toStrictEqual([{ task: 'note', waiting: 0, atWork: 0, failedForGood: 1, oldestDue_s: 0 }])
    expect(logged.filter(({ level }) => level === 'error')).toMatchObject([
      {
        task: 'note',
        key: 'hopeless',
        attempt: 1,
        attempts_max: 1,
        msg: 'a job failed for good',
        err: { message: 'never' },
      },
    ])
    await jobs.add('note', { text: 'b' }, { key: 'hopeless' })
    expect(await counts()).toMatchObject([{ waiting: 0, failedForGood: 1 }])
  })

  it('that gives itself up is not tried again, and stays to be seen with its reason', async () => {
    const { jobs, work, counts, database, logged } = await opened()
    work({ note: () => Promise.reject(new JobGivenUp('12 tries')) })
    await jobs.add('note', { text: 'a' }, { key: 'given up' })
    await expect.poll(counts).toStrictEqual([{ task: 'note', waiting: 0, atWork: 0, failedForGood: 1, oldestDue_s: 0 }])
    const stored = await database.pool.query('select key, last_error from job_queue.jobs')
    expect(stored.rows).toStrictEqual([{ key: 'given up', last_error: '12 tries' }])
    expect(logged.filter(({ level }) => level === 'error')).toMatchObject([{ key: 'given up', attempt: 1 }])
  })

  it('that failed for good is taken away by an operator, and its key is free again', async () => {
    const { database, jobs, work, counts } = await opened({ attempts_max: 1 })
    const attempts: string[] = []
    work({ note: ({ text }) => (attempts.push(text), attempts.length === 1 ? Promise.reject(new Error('no')) : done) })
    await jobs.add('note', { text: 'first' }, { key: 'hopeless' })
    await expect.poll(counts).toMatchObject([{ failedForGood: 1 }])
    await database.pool.query('select job_queue.remove_job(key) from job_queue.jobs where attempts >= max_attempts')
    await jobs.add('note', { text: 'second' }, { key: 'hopeless' })
    await expect.poll(() => attempts).toStrictEqual(['first', 'second'])
    await emptied()
  })

  it('with a payload that its task does not know is parked at once, and the payload is not logged', async () => {
    const { jobs, work, counts, logged } = await opened()
    const ran: string[] = []
    work({ note: async ({ text }) => void ran.push(text) })
    await jobs.add('note', { text: 'fine', surplus: 'ada@example.com' } as { text: string })
    await jobs.add('note', { text: 7 } as unknown as { text: string })
    await jobs.add('note', { text: 'good' })
    await expect.poll(counts).toStrictEqual([{ task: 'note', waiting: 0, atWork: 0, failedForGood: 2, oldestDue_s: 0 }])
    await expect.poll(() => ran).toStrictEqual(['good'])
    expect(logged.filter(({ msg }) => msg === 'a job was parked')).toHaveLength(2)
    expect(JSON.stringify(logged)).not.toContain('ada@example.com')
  })

  it('whose error holds text that Postgres cannot store does not stop the queue', async () => {
    const { jobs, work, counts } = await opened({ attempts_max: 1 })
    const done: string[] = []
    work({
      note: () => Promise.reject(new Error(`nul \0 half \ud800 ${'long'.repeat(1000)}`)),
      other: async ({ text }) => void done.push(text),
    })
    await jobs.add('note', { text: 'poison' })
    await expect.poll(counts).toMatchObject([{ failedForGood: 1 }])
    await jobs.add('other', { text: 'goes on' })
    await expect.poll(() => done).toStrictEqual(['goes on'])
  })

  it('that takes too long is told to end, and is given up even where it does not listen', async () => {
    const { jobs, work, logged } = await opened()
    const told: unknown[] = []
    work(
      {
        note: (_, { signal, attempt }) => {
          if (attempt > 1) return Promise.resolve()
          signal.addEventListener('abort', () => void told.push(signal.reason))
          return new Promise(() => undefined)
        },
      },
      { timing: { run_ms_max: 200 } },
    )
    await jobs.add('note', { text: 'hangs' })
    await expect.poll(() => told).toMatchObject([{ message: 'The job took longer than 200 ms' }])
    await emptied()
    expect(logged.filter(({ level }) => level === 'warn')).toHaveLength(1)
  })
})

describe('adding a job', () => {
  it('refuses what is too large, is no object, or has a key that cannot be one, and stores nothing of it', async () => {
    const { jobs, counts } = await opened()
    const text = 'x'.repeat(payload_bytes_max)
    await expect(jobs.add('note', { text })).rejects.toThrow(`at most ${payload_bytes_max}`)
    for (const payload of [[], [1], 'text', null, 7])
      await expect(jobs.add('note', payload as unknown as { text: string })).rejects.toThrow('is an object')
    for (const key of ['', 'k'.repeat(jobKey_chars_max + 1), 'nul \0'])
      await expect(jobs.add('note', { text: '' }, { key })).rejects.toThrow('A key of')
    expect(await counts()).toStrictEqual([])
  })

  it('takes the largest there may be', async () => {
    const { jobs, counts } = await opened()
    const text = 'x'.repeat(payload_bytes_max - '{"text":""}'.length)
    await jobs.add('note', { text }, { key: 'k'.repeat(jobKey_chars_max) })
    expect(await counts()).toMatchObject([{ waiting: 1 }])
  })
})

function gated(): { readonly promise: Promise<void>; resolve(): void } {
  let open = (): void => undefined
  const promise = new Promise<void>((resolve) => {
    open = resolve
  })
  return { promise, resolve: () => open() }
}

describe('a worker that runs more jobs at once than it has connections', () => {
  it('does so without a word', async () => {
    const { jobs, work, logged } = await opened()
    const state = { atWork: 0 }
    const all = withResolvers()
    const note = async (): Promise<void> => {
      state.atWork += 1
      if (state.atWork === workerConnections_max + 1) all.resolve()
      await all.promise
    }
    work({ note }, { atOnce: workerConnections_max + 1 })
    for (let job = 0; job <= workerConnections_max; job += 1) await jobs.add('note', { text: `job ${job}` }, {})
    await emptied()
    expect(logged.filter(({ level }) => level !== 'info')).toStrictEqual([])
  })
})
