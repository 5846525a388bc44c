import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EventStoreUnavailable } from '../../../adapters/event-store/eventstoredb/failures.ts'
import type { AppendResult, EventStore, NewEvent } from '../../../application/ports/event-store.ts'
import { beforeAll as beforeAllEvents, noStream, type Revision } from '../../../domain/kernel/position.ts'
import type { StreamName } from '../../../domain/streams.ts'
import { anyStream, collect, idsOf, newEvent, newEvents } from '../../contract/sample-events.ts'
import { openStores, seededChance, type OpenStores } from '../../adapters/event-store/eventstoredb/open-stores.ts'
import { paced } from '../../support/pace.ts'

let stores: OpenStores
beforeEach(async () => {
  stores = await openStores()
})
afterEach(() => stores.close())

/** Appends, and repeats while the outcome is unknown, as a client does with its Idempotency-Key. */
async function appendUntilKnown(
  store: EventStore,
  stream: StreamName,
  expected: Revision,
  events: readonly NewEvent[],
): Promise<AppendResult> {
  for (;;) {
    const [result] = await Promise.allSettled([store.append(stream, expected, events)])
    if (result.status === 'fulfilled') return result.value
    expect(result.reason).toBeInstanceOf(EventStoreUnavailable)
  }
}

describe('F8: connections reset while appends are under way', () => {
  it('leave 1,000 appends neither repeated nor lost, and each answered with what became of it', async () => {
    const store = await stores.open()
    const counted = { appends: 0, resets: 0 }
    const random = seededChance()
    stores.double.faults.reset = () => {
      const chance = random.next()
      if (chance > 0.1) return undefined
      counted.resets += 1
      return chance < 0.05 ? 'before' : 'after'
    }
    const acknowledged: string[] = []
    const write = async (stream: StreamName): Promise<void> => {
      let revision = noStream
      for (let turn = 0; turn < 50; turn += 1) {
        const events = newEvents(1 + (turn % 3))
        const result = await appendUntilKnown(store, stream, revision, events)
        counted.appends += 1
        if (result.outcome === 'conflict') continue
        acknowledged.push(...idsOf(events))
        expect(result.revision).toBe(revision + events.length)
        revision = result.revision
      }
    }
    await Promise.all(Array.from({ length: 20 }, () => write(anyStream())))
    stores.double.faults.reset = () => undefined
    const stored = idsOf(await collect(store.readAll(beforeAllEvents)))
    expect(counted.appends).toBe(1000)
    expect(counted.resets).toBeGreaterThan(20)
    expect({
      duplicates: stored.length - new Set(stored).size,
      lost: acknowledged.filter((id) => !stored.includes(id)).length,
      unacknowledged: stored.length - acknowledged.length,
    }).toEqual({ duplicates: 0, lost: 0, unacknowledged: 0 })
  })
})

describe('F7: EventStoreDB stands still', () => {
  const deadlines = { append_ms: 600, answer_ms: 300, server_ms: 700, read_ms: 400 }

  it('refuses appends within their deadline, and takes none of them when it goes on later than they were meant for', async () => {
    const store = await stores.open({ deadlines })
    const held = await store.append(anyStream(), noStream, newEvents(1))
    stores.double.faults.standStill()
    const start_ms = performance.now()
    const stream = anyStream()
    const appends = Array.from({ length: 300 }, (_, index) =>
      store.append(index < 150 ? anyStream() : stream, noStream, newEvents(1)),
    )
    const results = await Promise.allSettled(appends)
    // One after the other they would take minutes.
    expect(performance.now() - start_ms).toBeLessThan(paced(30_000))
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'EventStoreUnavailable' } })
    }
    await expect(store.end()).rejects.toMatchObject({ name: 'EventStoreUnavailable' })
    await wait(800)
    stores.double.faults.goOn()
    const other = await stores.open()
    expect(await other.end()).toBe('position' in held && held.position)
    expect(await other.append(anyStream(), noStream, newEvents(1))).toMatchObject({ outcome: 'appended' })
  })

  it('and takes none that waited for its turn, and was refused before the server went on', async () => {
    const store = await stores.open({ deadlines })
    stores.double.faults.standStill()
    const stream = anyStream()
    const first = store.append(stream, noStream, newEvents(1))
    await wait(200)
    const tried = await Promise.allSettled([first, store.append(stream, noStream, newEvents(1))])
    for (const result of tried) expect(result).toMatchObject({ reason: { name: 'EventStoreUnavailable' } })
    // The second one was sent when the first had failed, a moment before its own deadline.
    await wait(deadlines.server_ms - deadlines.append_ms + 50)
    stores.double.faults.goOn()
    const other = await stores.open()
    expect(await collect(other.readAll(beforeAllEvents))).toEqual([])
  })

  it('and takes some late all the same: the same append again then answers that it is there', async () => {
    const store = await stores.open({ deadlines: { ...deadlines, server_ms: 60_000 } })
    stores.double.faults.standStill()
    const appends = Array.from({ length: 100 }, () => ({ stream: anyStream(), events: newEvents(2) }))
    const tried = await Promise.allSettled(appends.map(({ stream, events }) => store.append(stream, noStream, events)))
    expect(tried.every(({ status }) => status === 'rejected')).toBe(true)
    stores.double.faults.goOn()
    const other = await stores.open()
    const again = await Promise.all(appends.map(({ stream, events }) => other.append(stream, noStream, events)))
    expect(new Set(again.map(({ outcome }) => outcome))).toEqual(new Set(['repeated']))
    expect(await collect(other.readAll(beforeAllEvents))).toHaveLength(200)
  })
})

describe('EventStoreDB that is stopped', () => {
  it('refuses appends and reads until it is back, and then takes them over the same store', async () => {
    const store = await stores.open({ deadlines: { append_ms: 300, read_ms: 300 } })
    await stores.double.stop()
    const append = store.append(anyStream(), noStream, newEvents(1))
    await expect(append).rejects.toMatchObject({ name: 'EventStoreUnavailable' })
    await expect(collect(store.readAll(beforeAllEvents))).rejects.toMatchObject({ name: 'EventStoreUnavailable' })
    await stores.double.start()
    expect(await appendUntilKnown(store, anyStream(), noStream, [newEvent()])).toMatchObject({ outcome: 'appended' })
  })

  it('is waited for by an append that has the time', async () => {
    const store = await stores.open()
    await stores.double.stop()
    const append = store.append(anyStream(), noStream, newEvents(1))
    await wait(200)
    await stores.double.start()
    expect(await append).toMatchObject({ outcome: 'appended' })
  })

  it('can not be opened', async () => {
    await stores.double.stop()
    await expect(stores.open({ deadlines: { read_ms: 200 } })).rejects.toMatchObject({ name: 'EventStoreUnavailable' })
  })
})
