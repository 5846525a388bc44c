import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { beforeAll as beforeAllEvents, noStream } from '../../../../../domain/kernel/position.ts'
import type { StoredEvent, StoredEvents } from '../../../../../application/ports/stored-events.ts'
import { HistoryNotContinued } from '../../../../../application/failures/history-not-continued.ts'
import { anyStream, idsOf, metadata, newEvents } from '../../../../contract/sample-events.ts'
import { appendSize_max } from '../../../../support/eventstoredb-double/faults.ts'
import { openStores, seededChance, type OpenStores } from '../open-stores.ts'

let stores: OpenStores
beforeEach(async () => {
  stores = await openStores()
})
afterEach(() => stores.close())

/** The events of another store, with its positions: `streams` streams that take turns, some with several events at once. */
function history(count: number, streams = 40): readonly StoredEvent[] {
  const names = Array.from({ length: streams }, () => anyStream())
  const revisions = new Map<string, number>()
  return Array.from({ length: count }, (_, index) => {
    const stream = names[Math.floor(index / 3) % streams] ?? anyStream()
    const revision = (revisions.get(stream) ?? noStream) + 1
    revisions.set(stream, revision)
    return stored(index + 1, stream, revision)
  })
}

function stored(position: number, stream: string, revision: number, data: object = { uses: position }): StoredEvent {
  const { eventId, ...rest } = metadata()
  const kept = { schemaVersion: 1, ...rest }
  return { position: BigInt(position), stream, revision, eventId, type: 'InviteRedeemed', data, metadata: kept }
}

async function all(of: StoredEvents): Promise<readonly StoredEvent[]> {
  const found: StoredEvent[] = []
  for await (const page of of.readAll(beforeAllEvents)) found.push(...page)
  return found
}

const withoutPositions = (events: readonly StoredEvent[]): readonly object[] =>
  events.map(({ position: _, ...event }) => event)

describe('an import into EventStoreDB', () => {
  it('keeps the order of all events, and writes those of one stream that follow one another together', async () => {
    const { stored: target } = await stores.open()
    const events = history(1000)
    let appends = 0
    stores.double.faults.reset = () => {
      appends += 1
      return undefined
    }
    const end = await target.append(beforeAllEvents, events)
    expect(withoutPositions(await all(target))).toEqual(withoutPositions(events))
    expect(await target.end()).toBe(end)
    // Three at a time, and so a third as many appends.
    expect(appends).toBe(334)
  })

  it('writes nothing twice and nothing out of order, wherever the connection breaks', async () => {
    const { stored: target } = await stores.open()
    const events = history(1000)
    const random = seededChance()
    let resets = 0
    stores.double.faults.reset = () => {
      const fault = random.next() < 0.1 ? 'before' : random.next() < 0.1 ? 'after' : undefined
      if (fault) resets += 1
      return fault
    }
    await target.append(beforeAllEvents, events)
    expect(resets).toBeGreaterThan(20)
    expect(withoutPositions(await all(target))).toEqual(withoutPositions(events))
  })

  it('that was given up goes on after what is there, with that which came through late', async () => {
    const deadlines = { append_ms: 300, answer_ms: 200, server_ms: 60_000, read_ms: 2000 }
    const { stored: target } = await stores.open({ deadlines })
    const events = history(300)
    let appends = 0
    stores.double.faults.reset = () => {
      appends += 1
      if (appends === 40) stores.double.faults.standStill()
      return undefined
    }
    await expect(target.append(beforeAllEvents, events)).rejects.toMatchObject({ name: 'EventStoreUnavailable' })
    stores.double.faults.reset = () => undefined
    stores.double.faults.goOn()
    // Another process, which knows nothing of the first one's appends.
    const { stored: again } = await stores.open()
    await expect.poll(() => again.end()).toBeGreaterThan(beforeAllEvents)
    await again.append(beforeAllEvents, events)
    expect(withoutPositions(await all(again))).toEqual(withoutPositions(events))
    await expect(again.append(beforeAllEvents, history(3))).rejects.toThrow('somebody else appends')
  })

  it('is refused where somebody else appends meanwhile, and where a stream has another end', async () => {
    const store = await stores.open()
    const { stored: target } = await stores.open()
    const events = history(30, 5)
    const end = await target.append(beforeAllEvents, events.slice(0, 15))
    await store.append(anyStream(), noStream, newEvents(1))
    await expect(target.append(end, events.slice(15))).rejects.toThrow('somebody else appends')
    const stream = anyStream()
    await store.append(stream, noStream, newEvents(2))
    const newest = await target.end()
    for (const revision of [0, 1, 3]) {
      const append = target.append(newest, [stored(100, stream, revision)])
      await expect(append).rejects.toThrow(HistoryNotContinued)
      await expect(append).rejects.toThrow(`Revision ${revision} of ${stream} does not come next: `)
    }
    expect(await all(target)).toHaveLength(18)
  })

  it('takes events up to the size that the server takes, and says which can not be stored', async () => {
    const { stored: target } = await stores.open()
    const text = 'x'.repeat(200 * 1024)
    const stream = anyStream()
    const large = Array.from({ length: 8 }, (_, revision) => stored(revision + 1, stream, revision, { text }))
    const end = await target.append(beforeAllEvents, large)
    expect(withoutPositions(await all(target))).toEqual(withoutPositions(large))
    const tooLarge = stored(9, stream, 8, { text: 'x'.repeat(appendSize_max) })
    await expect(target.append(end, [tooLarge])).rejects.toThrow("Events can't be stored")
    await expect(target.append(end, [{ ...tooLarge, stream: 'poll-1', revision: 0 }])).rejects.toThrow('poll-1')
    expect(await target.end()).toBe(end)
  })

  it('leaves ids, times and metadata as they were, which the store then knows again', async () => {
    const store = await stores.open()
    const events = history(6, 1)
    await store.stored.append(beforeAllEvents, events)
    const [first] = events
    expect(await store.findEvent(anyStream(), randomUUID())).toBeUndefined()
    const found = await store.stored.find(first?.stream ?? '', 0)
    expect(found).toMatchObject({ eventId: first?.eventId, metadata: first?.metadata })
    const read: string[] = []
    for await (const page of store.readAll(beforeAllEvents)) read.push(...idsOf(page))
    expect(read).toEqual(events.map(({ eventId }) => eventId))
  })
})

describe('a stored event of EventStoreDB', () => {
  it('is found by its position and by its revision, and nowhere else', async () => {
    const { stored: target } = await stores.open()
    stores.double.log.writeSystemEvents(10)
    await target.append(beforeAllEvents, history(9, 2))
    for (const event of await all(target)) {
      expect(await target.at(event.position)).toEqual(event)
      expect(await target.at(event.position + 1n)).toBeUndefined()
      expect(await target.find(event.stream, event.revision)).toEqual(event)
    }
    expect(await target.at(0n)).toBeUndefined()
    expect(await target.at(beforeAllEvents)).toBeUndefined()
    expect(await target.find('$stats-127.0.0.1:2113', 0)).toBeUndefined()
    expect(await target.find(anyStream(), 0)).toBeUndefined()
  })
})
