import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { expect } from 'vitest'
import { jobQueue } from '../../../adapters/jobs/job-queue.ts'
import { openDatabase } from '../../../adapters/postgres/database.ts'
import { findRunningPostgres } from '../../../adapters/postgres/embedded/start.ts'
import { uuid7 } from '../../../application/commands/derive-id.ts'
import type { Store } from '../../../process/store.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { streamName } from '../../../domain/streams.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Person } from '../../support/load-api.ts'
import type { LoadSite } from '../../support/load-site.ts'
import { withStore } from '../store-checks.ts'

/** The worker looks for due deletions soon after its start, and again a minute later. */
export async function firstRoundIsOver({ dataDir }: LoadSite): Promise<void> {
  const turns = "select 1 from job_workers.turns where name = 'queue_due_erasures'"
  await withStore(dataDir, async ({ database }) => {
    await expect.poll(async () => (await database.pool.query(turns)).rows.length).toBe(1)
  })
}

/** Schedules the deletion as if the account's holder, or the given administrator, had asked for it long ago. */
export async function appendDueDeletion({ events }: Store, { id }: Person, admin?: Person): Promise<void> {
  const account = accountId(snowflake(id))
  const stream = streamName('account', id)
  let revision = -1
  for await (const page of events.readStream(stream, -1)) revision = page.at(-1)?.revision ?? revision
  const at = timestamp(Date.now())
  const due = { accountId: account, dueAt: at }
  const why = { reasonCode: 2, publicReason: null, auditLogReason: null, scheduledAt: at }
  const scheduled: AccountEvent = admin
    ? { type: 'AccountDeletionScheduled', data: { ...due, ...why, scheduledBy: accountId(snowflake(admin.id)) } }
    : { type: 'SelfDeletionScheduled', data: due }
  const eventId = uuid7(Date.now(), randomBytes(10))
  const actor = { kind: 'account', id: account } as const
  const metadata = { eventId, at, actor, correlationId: eventId, causationId: eventId }
  expect(await events.append(stream, revision, [{ ...scheduled, metadata }])).toMatchObject({ outcome: 'appended' })
}

/** Adds the job that the worker's next round would add. */
export async function addErasureJob({ dataDir }: LoadSite, { id }: Person): Promise<void> {
  const connection = await findRunningPostgres(path.join(dataDir, 'postgres'))
  if (!connection) throw new Error('No Postgres runs')
  const database = openDatabase(connection)
  try {
    await jobQueue(database).add('erase_account', { accountId: accountId(snowflake(id)) })
  } finally {
    await database.close()
  }
}
