import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  openPostgresEventStore,
  type PostgresEventStore,
} from '../../../../adapters/event-store/postgres/open-event-store.ts'
import { openPostgresSnapshots } from '../../../../adapters/event-store/postgres/open-snapshots.ts'
import { memoryPersonalDataKeys } from '../../../support/memory/memory-keys.ts'
import { noStream } from '../../../../domain/kernel/position.ts'
import { readPageEvents } from '../../../../adapters/event-store/pages.ts'
import type { SnapshotAndTail, SnapshotStore } from '../../../../application/ports/snapshots.ts'
import type { StreamName } from '../../../../domain/streams.ts'
import { accountStream, anyAccount, anyStream, collect, newEvents } from '../../../contract/sample-events.ts'
import { hearStatements } from '../../../support/statements.ts'
import { migratedDatabase, type TestDatabase } from '../../../support/test-database.ts'

let opened: TestDatabase
let events: PostgresEventStore
let snapshots: SnapshotStore

beforeAll(async () => {
  opened = await migratedDatabase()
  const { connection, database, notifier } = opened
  const keys = memoryPersonalDataKeys()
  events = openPostgresEventStore({ database, connection, notifier, keys })
  snapshots = openPostgresSnapshots({ database, keys, events, onUnreadable: () => undefined })
})
afterAll(async () => {
  await events.close()
  await opened.close()
})

async function together(stream: StreamName): Promise<SnapshotAndTail> {
  const read = await snapshots.loadWithTail?.(stream, 1)
  if (!read) throw new Error('Events and snapshots are in one place here')
  return read
}

async function streamOf(count: number, snapshot?: number): Promise<StreamName> {
  const stream = anyStream()
  if (count > 0) await events.append(stream, noStream, newEvents(count))
  if (snapshot !== undefined) await snapshots.save(stream, 1, { revision: snapshot, state: { uses: snapshot } })
  return stream
}

describe('a snapshot and the events after it, read in one statement', () => {
  it.each([
    ['of no stream', 0, undefined],
    ['without a snapshot', 3, undefined],
    ['with events after it', 5, 2],
    ['without any', 3, 2],
    ['with one more page of events', readPageEvents + 2, undefined],
  ])('are what two reads give: %s', async (_, count, snapshot) => {
    const stream = await streamOf(count, snapshot)
    const { snapshot: held, tail, isWhole } = await together(stream)
    expect(held).toEqual(await snapshots.load(stream, 1))
    const all = await collect(events.readStream(stream, held?.revision ?? noStream))
    expect(tail).toEqual(all.slice(0, readPageEvents))
    expect(isWhole).toBe(all.length < readPageEvents)
  })
  it('are one statement for all streams that are asked for in the same turn, and each gets its own', async () => {
    const streams = await Promise.all([streamOf(0), streamOf(3), streamOf(5, 2), streamOf(3, 2), streamOf(5, 2)])
    const apart = []
    for (const stream of streams) apart.push(await together(stream))
    const heard: string[] = []
    const stop = hearStatements((statement) => {
      if (statement.includes('event_store.snapshots')) heard.push(statement)
    })
    try {
      expect(await Promise.all(streams.map(together))).toEqual(apart)
    } finally {
      stop()
    }
    expect(heard).toHaveLength(1)
  })
  it('leave a snapshot of another version alone, and give the stream from its beginning', async () => {
    const stream = await streamOf(3)
    await snapshots.save(stream, 2, { revision: 1, state: {} })
    const { snapshot, tail } = await together(stream)
    expect(snapshot).toBeUndefined()
    expect(tail.map(({ revision }) => revision)).toEqual([0, 1, 2])
  })
  it('give neither where the snapshot can not be read, since the events after it are no beginning', async () => {
    const stream = accountStream(anyAccount())
    await opened.database.pool.query(
      "insert into event_store.snapshots (stream, state_version, revision, state) values ($1, 1, 1, 'null')",
      [stream],
    )
    expect(await together(stream)).toEqual({ snapshot: undefined, tail: [], isWhole: false })
  })
})
