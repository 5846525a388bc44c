import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { auditChainHash } from '../../adapters/personal-data/audit-chain-hash.ts'
import { verifyChain, type ChainReport } from '../../application/administration/audit/verify-chain.ts'
import { checkedEntries_max, verifyEntries } from '../../application/administration/audit/verify-entries.ts'
import { noStream } from '../../domain/kernel/position.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { bodyOf } from '../operations/support/answers.ts'
import { openServer } from '../operations/support/scene.ts'
import { administrator, type RecordedEntry } from '../support/administrators.ts'
import { laidDatabase } from '../support/test-database.ts'

/**
 * Somebody with access to the event store changes the record of what administrators did. Only the admin audit log has a
 * hash chain; the streams of other aggregates have none.
 */

const personalDataKey = randomBytes(32)
const kept = await laidDatabase()
afterAll(() => kept.close())
const guildhall = await openServer({ connection: kept.connection, personalDataKey })
const root = await administrator(guildhall, '*')
const others = await Promise.all([guildhall.register(), guildhall.register(), guildhall.register()])
for (const { id } of others) {
  const body = { acls: ['admin:authenticate'] }
  bodyOf(await guildhall.request('PUT', `/v1/admin/users/${id}/acls`, { token: root.token, body }))
}

const { pool } = guildhall.store.database
const inLog = `stream = 'admin_audit-self'`
const verified = (wanted?: string): Promise<ChainReport> =>
  verifyChain({
    store: guildhall.store.events,
    hashOf: auditChainHash(personalDataKey),
    now: timestamp(Date.now()),
    ...(wanted === undefined ? {} : { wanted }),
  })

const checkedByApi = verifyEntries({
  events: guildhall.store.events,
  adminAuditHash: auditChainHash(personalDataKey),
})

/** Changes the store behind the program's back, checks the chain, and undoes the change. */
async function tampered(...statements: readonly string[]): Promise<ChainReport> {
  await pool.query('create table kept_events as table event_store.events')
  try {
    for (const statement of statements) await pool.query(statement)
    const report = await verified()
    const { fault } = await checkedByApi(noStream, checkedEntries_max)
    // Both checks find the same.
    expect({ at: fault?.logId, what: fault?.what }).toStrictEqual({ at: report.fault?.at, what: report.fault?.what })
    return report
  } finally {
    await pool.query('delete from event_store.events')
    await pool.query('insert into event_store.events overriding system value table kept_events')
    await pool.query('drop table kept_events')
  }
}

let newest: string | null = null
beforeEach(async () => {
  const report = await verified()
  expect(report.fault).toBeUndefined()
  expect(report.entries_count).toBeGreaterThanOrEqual(others.length)
  newest = report.newestHash
})

describe('an entry of the admin audit log', () => {
  it('that was changed is found', async () => {
    const change = `set data = replace(data::text, '${root.id}', '${others[0]?.id}')::jsonb`
    const { fault } = await tampered(`update event_store.events ${change} where ${inLog} and revision = 1`)
    expect(fault).toMatchObject({ what: 'changed' })
  })

  it('that was invented is found', async () => {
    const copy = `data = (select data from event_store.events where ${inLog} and revision = 0)`
    const { fault } = await tampered(`update event_store.events set ${copy} where ${inLog} and revision = 2`)
    expect(fault?.what).toBe('out of place')
  })

  it('that was swapped with another is found', async () => {
    const of = (revision: number) => `(select data from event_store.events where ${inLog} and revision = ${revision})`
    const { fault } = await tampered(
      `update event_store.events set data = case revision when 0 then ${of(1)} else ${of(0)} end
       where ${inLog} and revision in (0, 1)`,
    )
    expect(fault?.what).toBe('out of place')
  })

  it('that was removed from the middle is found', async () => {
    const { fault } = await tampered(`delete from event_store.events where ${inLog} and revision = 1`)
    expect(fault?.what).toBe('out of place')
  })

  it('that was cut off the end is found by the hash that was noted', async () => {
    expect(await verified(newest ?? '')).toMatchObject({ holdsWanted: true })
    const last = `revision = (select max(revision) from event_store.events where ${inLog})`
    const { newestHash } = await tampered(`delete from event_store.events where ${inLog} and ${last}`)
    expect(newestHash).not.toBe(newest)
  })

  it('records what the administrator did', async () => {
    const entries: RecordedEntry[] = []
    for await (const page of guildhall.store.events.readAll(-1n))
      for (const { type, data } of page)
        if (type === 'AdminActionRecorded') entries.push(data as unknown as RecordedEntry)
    expect(entries.map(({ adminId }) => adminId)).toContain(root.id)
  })
})
