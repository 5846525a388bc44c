import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { jobQueue } from '../../adapters/jobs/job-queue.js'
import { openDatabase } from '../../adapters/postgres/database.js'
import { findRunningPostgres } from '../../adapters/postgres/embedded/start.js'
import { uuid7 } from '../../application/commands/derive-id.js'
import type { Store } from '../../cli/store.js'
import type { AccountEvent } from '../../domain/account/events.js'
import { accountId } from '../../domain/ids/ids.js'
import { snowflake } from '../../domain/ids/snowflake.js'
import { streamName } from '../../domain/kernel/streams.js'
import { timestamp } from '../../domain/kernel/timestamp.js'
import { acceptInvite, call, createGuild, createInvite, getGuild, register, type Person } from '../support/load-api.js'
import { loadSite, type LoadSite } from '../support/load-site.js'
import { killAfterFirstAppend } from './kill-after-first-append.js'
import { divergentRows, finishedSteps, wholeHistory, withStore } from './store-checks.js'

const finished_ms_max = 20_000

describe('a process that is killed when it has begun to erase an account', () => {
  let site: LoadSite
  let guest: Person

  beforeEach(async () => {
    site = loadSite()
    await site.start()
    guest = await guestOfGuild(site.product.url)
  })

  afterEach(() => site.remove(), 30_000)

  it('goes on after its restart: every step once, and nothing personal is left', async () => {
    await firstRoundIsOver(site)
    await withStore(site.dataDir, (store) => appendDueDeletion(store, guest))
    await killAfterFirstAppend(site, {
      begin: () => addJob(site, guest),
      first: 'AccountErasureStarted',
      second: 'EmailAddressReleased',
    })
    await site.start()
    await withStore(site.dataDir, async (store) => {
      expect(await finishedSteps(store, finished_ms_max)).toMatchObject({ left: 0 })
      const history = await wholeHistory(store)
      const since = history.findIndex(({ type }) => type === 'AccountErasureStarted')
      expect(history.slice(since).map(({ type }) => type)).toEqual([
        'AccountErasureStarted',
        'EmailAddressReleased',
        'HandleReleased',
        'MemberLeft',
        'AccountErased',
      ])
      expect(JSON.stringify(history.map(({ data }) => data))).not.toContain('guest@example.com')
      expect((await store.keys.existingKeys([accountId(snowflake(guest.id))])).size).toBe(0)
      expect(await divergentRows(store)).toEqual([])
    })
  }, 150_000)
})

async function guestOfGuild(url: string): Promise<Person> {
  const owner = await call(url, register('owner'))
  const guest = await call(url, register('guest'))
  const { id } = await call(url, createGuild(owner, 'Home'))
  const { textChannel } = await call(url, getGuild(owner, id))
  const { code } = await call(url, createInvite(owner, textChannel, { max_uses: 1, max_age: 0 }))
  await call(url, acceptInvite(guest, code))
  return guest
}

/** The worker looks for due deletions soon after its start, and then not for a minute. */
async function firstRoundIsOver({ dataDir }: LoadSite): Promise<void> {
  const turns = "select 1 from job_workers.turns where name = 'queue_due_erasures'"
  const taken = () =>
    withStore(dataDir, async ({ database }) => (await database.pool.query(turns)).rows.length).catch(() => 0)
  await expect.poll(taken).toBe(1)
}

/** Schedules the deletion, as the holder did two weeks ago. */
async function appendDueDeletion({ events }: Store, { id }: Person): Promise<void> {
  const account = accountId(snowflake(id))
  const stream = streamName('account', id)
  let revision = -1
  for await (const page of events.readStream(stream, -1)) revision = page.at(-1)?.revision ?? revision
  const at = timestamp(Date.now())
  const scheduled: AccountEvent = { type: 'SelfDeletionScheduled', data: { accountId: account, dueAt: at } }
  const eventId = uuid7(Date.now(), randomBytes(10))
  const actor = { kind: 'account', id: account } as const
  const metadata = { eventId, at, actor, correlationId: eventId, causationId: eventId }
  expect(await events.append(stream, revision, [{ ...scheduled, metadata }])).toMatchObject({ outcome: 'appended' })
}

/** As the next round would. */
async function addJob({ dataDir }: LoadSite, { id }: Person): Promise<void> {
  const connection = await findRunningPostgres(path.join(dataDir, 'postgres'))
  if (!connection) throw new Error('No Postgres runs')
  const database = openDatabase(connection)
  try {
    await jobQueue(database).add('erase_account', { accountId: accountId(snowflake(id)) })
  } finally {
    await database.close()
  }
}
