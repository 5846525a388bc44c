import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresBackgroundJobs } from '../../../adapters/background-jobs/postgres-background-jobs.ts'
import { postgresBackgroundWork } from '../../../adapters/background-jobs/postgres-background-work.ts'
import { openMessages, type OpenMessages } from '../../../adapters/messages/open-messages.ts'
import { runBackgroundJob } from '../../../application/administration/jobs/run-background-job.ts'
import {
  deleteAllMessages,
  deletingAllMessages,
} from '../../../application/administration/messages/delete-all-messages.ts'
import { deletingFilteredMessages } from '../../../application/administration/messages/filtered-message-deletions.ts'
import { messageShredJob } from '../../../application/administration/messages/message-shred-job.ts'
import { shreddingMessages, shredMessages } from '../../../application/administration/messages/shred-messages.ts'
import type { Caller } from '../../../application/caller.ts'
import { deleteFilteredMessages } from '../../../application/identity/own-account/message-deletion.ts'
import type { AuthorMessages } from '../../../application/ports/author-messages.ts'
import { jobAttempts_max } from '../../../application/administration/jobs/job-statuses.ts'
import type { MessageFilter } from '../../../application/ports/message-filter.ts'
import type { Ports } from '../../../application/ports.ts'
import { accountId, type BackgroundJobId } from '../../../domain/ids/ids.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { ada, at, bob, general, home, id, other, posted } from '../../contract/messages-fixtures.ts'
import { heldPosition } from '../../support/held-position.ts'
import { testContext } from '../../support/test-context.ts'
import { laidDatabase, type TestDatabase } from '../../support/test-database.ts'

/** Jobs that delete messages, whose workers die. */

let test: TestDatabase
let opened: OpenMessages

beforeAll(async () => {
  test = await laidDatabase()
  const { database, notifier } = test
  opened = openMessages({ database, heldPosition, notifier, onError: (error) => expect.fail(String(error)) })
})
afterAll(async () => {
  await opened.close()
  await test.close()
})
beforeEach(async () => {
  await test.database.pool.query(
    'truncate messages.messages, messages.shreds, messages.notices, background_jobs.jobs cascade',
  )
})

/** A guild with two channels; one more place is gone. */
const queries = {
  guilds: { find: async () => ({ id: home, channels: [general, other].map((channel) => ({ id: channel, type: 0 })) }) },
  threads: { findMany: async () => [] },
  privateChannels: { findMany: async () => [] },
  positions: { held: async () => 0n },
} as unknown as Ports['queries']

/** The author is gone: nobody is told of the end. */
const nobody = {
  aggregates: { account: { load: async () => ({ state: { status: 'absent' } }) } },
} as unknown as Pick<Ports, 'aggregates' | 'limits' | 'readModels'>

const everything: MessageFilter = {
  scope: 'selected',
  includesDirect: true,
  includesClosedDirect: true,
  includesGroups: true,
  includesGuilds: true,
  guildMode: 'exclude',
  guilds: [],
  from: null,
  until: null,
}

const administrator = {
  account: { id: accountId(id(9)) },
  credential: { kind: 'session' },
  context: testContext(),
} as unknown as Caller
const jobs = () => postgresBackgroundJobs(test.database)
const now = () => timestamp(Date.now())
const noticed = async (): Promise<readonly string[]> => {
  const { rows } = await test.database.pool.query<{ readonly ids: readonly string[] }>(
    `select message_ids::text[] as ids from messages.notices where kind = 'deleted_bulk' order by number`,
  )
  return rows.flatMap(({ ids }) => ids)
}
const left = async () => (await test.database.pool.query('select from messages.messages')).rowCount

/** Where a worker dies: at its nth deletion, before or after it is written. */
interface Death {
  readonly shred: number
  readonly isWritten: boolean
}

/** Runs a job in one worker after another: each but the last dies. */
async function runDying(jobId: BackgroundJobId, deaths: readonly Death[]): Promise<void> {
  for (const death of [...deaths, undefined]) {
    const end = new AbortController()
    const authorMessages = death ? dyingAt(death, end) : opened.authorMessages
    const ports = { authorMessages, messages: opened.messages, queries }
    const tasks = {
      delete_user_messages: deletingAllMessages(ports),
      shred_messages: shreddingMessages(ports),
      delete_filtered_messages: deletingFilteredMessages({ ...ports, ...nobody }),
    }
    const running = runBackgroundJob({ work: postgresBackgroundWork(test.database), tasks, now })(jobId, end.signal)
    await running.catch((error: unknown) => {
      if (!end.signal.aborted) throw error
    })
  }
}

function dyingAt({ shred, isWritten }: Death, end: AbortController): AuthorMessages {
  let count = 0
  return {
    ...opened.authorMessages,
    async shred(batch) {
      count += 1
      if (count <= shred) return opened.authorMessages.shred(batch)
      if (isWritten) await opened.authorMessages.shred(batch)
      end.abort()
      throw new Error('killed')
    },
  }
}

/** Ada writes in two channels, Bob in one. */
async function write(count: number) {
  const ids = Array.from({ length: count }, (_, index) => at(index))
  const rows = (channel: string) =>
    test.database.pool.query(
      `insert into messages.messages select n, $2, $3, $4, 0, 0, '', null, false, false, false, '{}', '{}', null, null
      from unnest($1::int8[]) n`,
      [ids, channel, home, ada],
    )
  // One in each month.
  await posted(opened.messages, [at(0, 9), at(1000)], { authorId: bob })
  await rows(general)
  await rows(other)
  return ids.flatMap((messageId) => [general, other].map((channelId) => ({ channelId, messageId })))
}

const deathLists = fc.array(fc.record({ shred: fc.nat({ max: 6 }), isWritten: fc.boolean() }), {
  maxLength: jobAttempts_max - 1,
})

describe('a job whose workers die between any two steps', () => {
  it('deletes all messages of an account, tells of each once, and counts each once', async () => {
    await fc.assert(
      fc.asyncProperty(deathLists, fc.nat({ max: 350 }), async (deaths, count) => {
        await test.database.pool.query('truncate messages.messages, messages.notices')
        const written = await write(count + 1)
        const start = deleteAllMessages({ authorMessages: opened.authorMessages, backgroundJobs: jobs() })
        const { job_id: jobId } = await start(callerNow(), ada, false)
        if (jobId === undefined) throw new Error('no job')
        await runDying(jobId, deaths)
        await expectOutcome(jobId, written.length, 0)
        expect((await noticed()).toSorted()).toStrictEqual(written.map(({ messageId }) => messageId).toSorted())
        expect(await left()).toBe(2)
      }),
      { numRuns: 25 },
    )
  })

  it('deletes named messages, tells of each once, and counts each once', async () => {
    await fc.assert(
      fc.asyncProperty(deathLists, fc.nat({ max: 200 }), async (deaths, count) => {
        await test.database.pool.query('truncate messages.messages, messages.notices')
        const written = await write(count + 1)
        const gone = { channelId: general, messageId: at(1_000_000) }
        const entries = [...written, gone, ...written.slice(0, 3)]
        const { job_id: jobId } = await shredMessages({ backgroundJobs: jobs() })(callerNow(), ada, entries)
        await runDying(jobId, deaths)
        await expectOutcome(jobId, written.length, entries.length - written.length)
        expect((await noticed()).toSorted()).toStrictEqual(written.map(({ messageId }) => messageId).toSorted())
        expect(await left()).toBe(2)
      }),
      { numRuns: 25 },
    )
  })

  it('deletes what a filter wants, and counts and passes over the rest, however much that is', async () => {
    await fc.assert(
      fc.asyncProperty(deathLists, fc.nat({ max: 350 }), fc.nat({ max: 2500 }), async (deaths, count, kept) => {
        await test.database.pool.query('truncate messages.messages, messages.notices')
        const written = await write(count + 1)
        await test.database.pool.query(
          `insert into messages.messages select n, $1, $2, $3, 0, 0, '', null, false, false, false, '{}', '{}', null, null
          from generate_series($4::int8, $4::int8 + $5::int8 - 1) n`,
          [id(500), id(501), ada, at(500), kept],
        )
        const caller = callerNow()
        await deleteFilteredMessages({ authorMessages: opened.authorMessages, backgroundJobs: jobs() })(
          { ...caller, account: { ...caller.account, id: ada } },
          { ...everything, guildMode: 'include_only', guilds: [home] },
        )
        const [job] = await jobs().active(1)
        if (!job) throw new Error('no job')
        await runDying(job.jobId, deaths)
        expect(await jobs().find(job.jobId)).toMatchObject({ status: 'succeeded', done: written.length + kept })
        expect(await opened.authorMessages.shredded(job.jobId)).toMatchObject({ deleted_count: written.length })
        expect((await noticed()).toSorted()).toStrictEqual(written.map(({ messageId }) => messageId).toSorted())
        expect(await left()).toBe(2 + kept)
      }),
      { numRuns: 25 },
    )
  })

  async function expectOutcome(jobId: BackgroundJobId, processed: number, skipped: number): Promise<void> {
    const shown = messageShredJob({ authorMessages: opened.authorMessages, backgroundJobs: jobs() })
    expect(await shown(jobId, now())).toMatchObject({ status: 'completed', processed, total: processed, skipped })
  }
})

describe('a job that fails', () => {
  it('is not tried again, and says what it has deleted', async () => {
    await write(250)
    const start = deleteAllMessages({ authorMessages: opened.authorMessages, backgroundJobs: jobs() })
    const { job_id: jobId } = await start(callerNow(), ada, false)
    if (jobId === undefined) throw new Error('no job')
    const authorMessages = dyingAt({ shred: 2, isWritten: false }, new AbortController())
    const tasks = { delete_user_messages: deletingAllMessages({ authorMessages, queries }) }
    const work = postgresBackgroundWork(test.database)
    await expect(runBackgroundJob({ work, tasks, now })(jobId, new AbortController().signal)).rejects.toThrow('killed')
    expect(await work.due(10)).toStrictEqual([])
    const shown = messageShredJob({ authorMessages: opened.authorMessages, backgroundJobs: jobs() })
    expect(await shown(jobId, now())).toMatchObject({
      status: 'failed',
      error: 'Error',
      requested: 500,
      processed: 200,
    })
  })
})

let made = 0
function callerNow(): Caller {
  made += 1
  return { ...administrator, context: { ...testContext(), newId: () => id(1000 + made) } }
}
