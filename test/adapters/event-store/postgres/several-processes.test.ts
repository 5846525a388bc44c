import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { appendRequest } from '../../../../adapters/event-store/postgres/append-batch.ts'
import { eventCodec } from '../../../../adapters/event-store/codec.ts'
import { memoryPersonalDataKeys } from '../../../support/memory/memory-keys.ts'
import type { EventStore, RecordedEvent } from '../../../../application/ports/event-store.ts'
import { beforeAll as beforeAllEvents, noStream } from '../../../../domain/kernel/position.ts'
import { anyStream, ascending, collect, idsOf, newEvent, newEvents, take } from '../../../contract/sample-events.ts'
import { until } from '../../../projections/support/world.ts'
import { countingReads, openStores, type OpenStores } from './open-stores.ts'

const never_ms = 3_600_000
/** Events that are more than a notification has space for. */
const large_count = 40

let stores: OpenStores
beforeEach(async () => {
  stores = await openStores()
})
afterEach(() => stores.close())

const follow = (store: EventStore, after = beforeAllEvents) =>
  store.follow(after, { signal: new AbortController().signal, maxEvents: 500 })

async function listeners(): Promise<readonly number[]> {
  const { rows } = await stores.database.pool.query<{ readonly pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'guildhall notifier'
      and query <> '' and state = 'idle'`,
  )
  return rows.map(({ pid }) => pid)
}

describe('several processes', () => {
  it('may open an empty database at the same moment', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => stores.open()))
    await Promise.all(opened.map((store) => store.append(anyStream(), noStream, newEvents(1))))
    expect(await collect((await stores.open()).readAll(beforeAllEvents))).toHaveLength(8)
  })

  it('append to one stream without ever taking each other’s revision', async () => {
    const [one, other] = [await stores.open(), await stores.open()]
    const stream = anyStream()
    let appended = 0
    const write = async (store: EventStore): Promise<void> => {
      let revision = noStream
      for (let turn = 0; turn < 50; turn += 1) {
        const result = await store.append(stream, revision, [newEvent()])
        if (result.outcome === 'appended') appended += 1
        revision = result.revision
      }
    }
    await Promise.all([write(one), write(other), write(one), write(other)])
    const revisions = (await collect(one.readStream(stream, noStream))).map(({ revision }) => revision)
    expect(revisions).toEqual(Array.from({ length: appended }, (_, revision) => revision))
  })

  it('hear of each other’s appends without a poll', async () => {
    const [one, other] = [await stores.open({ poll_ms: never_ms }), await stores.open()]
    await until(async () => (await listeners()).length === 2)
    const followed = take(follow(one), 3)
    await other.append(anyStream(), noStream, newEvents(2))
    await wait(20)
    await other.append(anyStream(), noStream, newEvents(1))
    expect(await followed).toHaveLength(3)
  })

  it('tell of each append, and say that they listen to those of the version before, which ask', async () => {
    const ear = new pg.Client(stores.connection)
    await ear.connect()
    try {
      const told: string[] = []
      ear.on('notification', ({ payload = '' }) => told.push(payload))
      await ear.query('listen event_store_events')
      const one = await stores.open({ poll_ms: never_ms })
      await expect.poll(() => told).toStrictEqual(['I listen'])
      await ear.query(`select pg_notify('event_store_events', 'who listens')`)
      await expect.poll(() => told).toStrictEqual(['I listen', 'who listens', 'I listen'])
      const result = await one.append(anyStream(), noStream, newEvents(1))
      await expect.poll(() => told.at(-1)).toBe('position' in result && String(result.position))
    } finally {
      await ear.end()
    }
  })

  it('read nothing that they have appended themselves, however many follow', async () => {
    const database = countingReads(stores.database)
    const one = await stores.open({ poll_ms: never_ms, database })
    const followers = Array.from({ length: 5 }, () => follow(one)[Symbol.asyncIterator]())
    const firsts = followers.map((follower) => follower.next())
    await until(async () => database.reads() > 0 && (await listeners()).length === 1)
    const stream = anyStream()
    const before = database.reads()
    const appends = 50
    // The announcement of an append may come before its answer. Then nobody may read what the answer brings.
    const appended = (async () => {
      for (let turn = 0; turn < appends; turn += 1) await one.append(stream, 2 * turn - 1, newEvents(2))
    })()
    const seen = await Promise.all(
      followers.map(async (follower, index) => {
        const events = [...((await firsts[index])?.value ?? [])]
        while (events.length < 2 * appends) events.push(...((await follower.next()).value ?? []))
        return events
      }),
    )
    await appended
    expect(database.reads()).toBe(before)
    const read = await collect(one.readAll(beforeAllEvents))
    for (const events of seen) expect(events).toStrictEqual(read)
  })

  it('read nothing that another one has appended, however many follow: the announcement brings it', async () => {
    const database = countingReads(stores.database)
    const one = await stores.open({ poll_ms: never_ms, database })
    const other = await stores.open()
    await until(async () => (await listeners()).length === 2)
    await one.append(anyStream(), noStream, newEvents(1))
    const end = await one.end()
    const followed = Array.from({ length: 5 }, () => take(follow(one, end), 6))
    await until(async () => database.reads() >= 1)
    const before = database.reads()
    const stream = anyStream()
    await other.append(stream, noStream, newEvents(1))
    await Promise.all([1, 2].map(() => other.append(anyStream(), noStream, newEvents(2))))
    await other.append(stream, 0, newEvents(1))
    const told = await Promise.all(followed)
    expect(database.reads()).toBe(before)
    expect(told).toStrictEqual(Array(5).fill(await collect(other.readAll(end))))
  })

  it('read once what another one has appended that no announcement can bring, however many follow', async () => {
    const database = countingReads(stores.database)
    const one = await stores.open({ poll_ms: never_ms, database })
    const other = await stores.open()
    await until(async () => (await listeners()).length === 2)
    await one.append(anyStream(), noStream, newEvents(1))
    const end = await one.end()
    const followed = Array.from({ length: 5 }, () => take(follow(one, end), large_count))
    await until(async () => database.reads() >= 1)
    const before = database.reads()
    await other.append(anyStream(), noStream, newEvents(large_count))
    for (const events of await Promise.all(followed)) expect(events).toHaveLength(large_count)
    expect(database.reads() - before).toBe(1)
  })

  it('hear again once the connection that listens has broken', async () => {
    const errors: unknown[] = []
    const one = await stores.open({ poll_ms: never_ms, onError: (error) => errors.push(error) })
    await until(async () => (await listeners()).length === 1)
    const [broken] = await listeners()
    await stores.database.pool.query('select pg_terminate_backend($1)', [broken])
    await until(async () => (await listeners()).some((pid) => pid !== broken))
    const followed = take(follow(one), 1)
    await (await stores.open()).append(anyStream(), noStream, newEvents(1))
    expect(await followed).toHaveLength(1)
    expect(errors).not.toEqual([])
  })

  it('find by polling what nobody announced', async () => {
    const one = await stores.open({ poll_ms: 20 })
    const followed = take(follow(one), 1)
    const [event] = newEvents(1)
    await stores.database.pool.query(
      `insert into event_store.events (stream, revision, event_id, type, data, metadata) values ($1, 0, $2, $3, $4, $5)`,
      [
        anyStream(),
        event?.metadata.eventId,
        event?.type,
        '{}',
        JSON.stringify({ schemaVersion: 1, ...event?.metadata }),
      ],
    )
    expect(await followed).toHaveLength(1)
  })

  it('recognise an append that the other one repeats', async () => {
    const [one, other] = [await stores.open(), await stores.open()]
    const stream = anyStream()
    const events = newEvents(2)
    const results = await Promise.all([one.append(stream, noStream, events), other.append(stream, noStream, events)])
    expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(['appended', 'repeated'])
  })

  it('go on after the connection that appends was broken, and the same append again settles what became of it', async () => {
    const store = await stores.open()
    const stream = anyStream()
    const events = newEvents(1)
    await store.append(anyStream(), noStream, newEvents(1))
    const tried = Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        store.append(index === 0 ? stream : anyStream(), noStream, index === 0 ? events : newEvents(1)),
      ),
    )
    await stores.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%append_events%' and pid <> pg_backend_pid()`,
    )
    await tried
    const again = await store.append(stream, noStream, events).catch(() => store.append(stream, noStream, events))
    expect(['appended', 'repeated']).toContain(again.outcome)
    expect(idsOf(await collect(store.readStream(stream, noStream)))).toEqual(idsOf(events))
  })
})

describe('a follower, beside writers that hold their transactions open for random times,', () => {
  const codec = eventCodec(memoryPersonalDataKeys())
  const run_ms = 500
  /** On a machine that has much else to do, it takes longer than `run_ms` until so many have raced. */
  const raced_min = 150
  const races_max = 10

  /** Writes with `statement` in transactions that sleep before and after, until it is enough; gives the ids it committed. */
  async function write(statement: string, isEnough: (count: number) => boolean): Promise<readonly string[]> {
    const client = new pg.Client(stores.connection)
    await client.connect()
    const ids: string[] = []
    while (!isEnough(ids.length)) {
      const stream = anyStream()
      const events = newEvents(1 + Math.floor(Math.random() * 3))
      const { json } = appendRequest(stream, noStream, await codec.encode(stream, events))
      await client.query('begin')
      await client.query('select pg_sleep($1)', [Math.random() * 0.005])
      await client.query(statement, [`[${json}]`])
      await client.query('select pg_sleep($1)', [Math.random() * 0.005])
      await client
        .query(Math.random() < 0.1 ? 'rollback' : 'commit')
        .then(({ command }) => command === 'COMMIT' && ids.push(...idsOf(events)))
    }
    await client.end()
    return ids
  }

  /** What a follower saw, and what `writers` such clients and two of our own stores wrote. */
  async function race(
    statement: string,
    writers: number,
  ): Promise<{ readonly seen: readonly RecordedEvent[]; readonly written: readonly string[] }> {
    const [one, other, reader] = [await stores.open(), await stores.open(), await stores.open({ poll_ms: 1 })]
    const stop = new AbortController()
    const followed = collect(reader.follow(beforeAllEvents, { signal: stop.signal, maxEvents: 7 }))
    const until_ms = performance.now() + run_ms
    const isEnough = (count: number): boolean => performance.now() >= until_ms && count * (writers + 4) >= raced_min
    const append = async (store: EventStore): Promise<readonly string[]> => {
      const ids: string[] = []
      while (!isEnough(ids.length)) {
        const events = newEvents(2)
        await store.append(anyStream(), noStream, events)
        ids.push(...idsOf(events))
      }
      return ids
    }
    const written = await Promise.all([
      ...Array.from({ length: writers }, () => write(statement, isEnough)),
      append(one),
      append(one),
      append(other),
      append(other),
    ])
    await wait(300)
    stop.abort()
    return { seen: await followed, written: written.flat() }
  }

  it('sees every event once, in the order of positions', async () => {
    const { seen, written } = await race('select * from event_store.append_events($1::jsonb)', 12)
    expect(written.length).toBeGreaterThan(100)
    expect(idsOf(seen).toSorted()).toEqual(written.toSorted())
    expect(ascending(seen.map(({ position }) => position))).toBe(true)
  })

  it('would miss some without the lock: the test above can fail', async () => {
    const withoutLock = `
      insert into event_store.events (stream, revision, event_id, type, data, metadata)
      select r ->> 'stream', n.ordinal - 1, (n.item ->> 'id')::uuid, n.item ->> 'type', n.item -> 'data', n.item -> 'metadata'
      from jsonb_array_elements($1::jsonb) r, jsonb_array_elements(r -> 'events') with ordinality n (item, ordinal)`
    // Each race has its chance.
    let missed = 0
    for (let tries = 0; tries < races_max && missed === 0; tries += 1) {
      const { seen, written } = await race(withoutLock, 12)
      missed = written.length - seen.length
    }
    expect(missed).toBeGreaterThan(0)
  })
})
