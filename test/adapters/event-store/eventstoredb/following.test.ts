import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventStore, RecordedEvent } from '../../../../application/ports/event-store.ts'
import { beforeAll as beforeAllEvents, noStream } from '../../../../domain/kernel/position.ts'
import { anyStream, ascending, collect, idsOf, newEvent, newEvents, take } from '../../../contract/sample-events.ts'
import { openStores, seededChance, type OpenStores } from './open-stores.ts'

let stores: OpenStores
beforeEach(async () => {
  stores = await openStores()
})
afterEach(() => stores.close())

const follow = (store: EventStore, after = beforeAllEvents, signal = new AbortController().signal, maxEvents = 100) =>
  store.follow(after, { signal, maxEvents })

/** Checks every 5 ms until it is true. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await wait(5)
}

describe('a follower of EventStoreDB', () => {
  it('goes on across restarts of the server, and sees each event once and in order', async () => {
    const errors: unknown[] = []
    const [writer, reader] = [await stores.open(), await stores.open({ onError: (error) => errors.push(error) })]
    const written: string[] = []
    const followed = take(follow(reader), 300)
    for (let turn = 0; turn < 300; turn += 1) {
      if (turn % 60 === 30) {
        await stores.double.stop()
        setTimeout(() => void stores.double.start(), 40)
      }
      const event = newEvent()
      expect(await writer.append(anyStream(), noStream, [event])).toMatchObject({ outcome: 'appended' })
      written.push(event.metadata.eventId)
    }
    const seen = await followed
    expect(idsOf(seen)).toEqual(written)
    expect(ascending(seen.map(({ position }) => position))).toBe(true)
    expect(errors.length).toBeGreaterThan(0)
  })

  it('catches up through resets, whatever the moment and the pace of the consumer', async () => {
    const store = await stores.open()
    for (let batch = 0; batch < 3; batch += 1) await store.append(anyStream(), noStream, newEvents(500))
    const stop = new AbortController()
    const seen: RecordedEvent[] = []
    const random = seededChance()
    let pages = 0
    for await (const page of follow(store, beforeAllEvents, stop.signal, 70)) {
      seen.push(...page)
      pages += 1
      // At random, and once in any case.
      if (random.next() < 0.14 || pages === 10) stores.double.reset()
      if (random.next() < 0.2) await wait(5)
      if (seen.length >= 1500) stop.abort()
    }
    expect(stores.double.reads.subscribedAfter.length).toBeGreaterThan(1)
    expect(idsOf(seen)).toEqual(idsOf(await collect(store.readAll(beforeAllEvents))))
  })

  it('begins again after what the consumer has finished, not after what it was given', async () => {
    const store = await stores.open()
    await store.append(anyStream(), noStream, newEvents(30))
    const stop = new AbortController()
    const pages: (readonly RecordedEvent[])[] = []
    for await (const page of follow(store, beforeAllEvents, stop.signal, 10)) {
      pages.push(page)
      if (pages.length === 2) {
        stores.double.reset()
        await wait(50)
      }
      if (pages.flat().length === 30) stop.abort()
    }
    const all = await collect(store.readAll(beforeAllEvents))
    expect(pages.flat()).toEqual(all)
  })

  it('is held up by nobody else who follows and is busy, and shares one subscription with everybody', async () => {
    const store = await stores.open()
    const busy = follow(store)[Symbol.asyncIterator]()
    const first = busy.next()
    const others = Array.from({ length: 3 }, () => take(follow(store), 10_000))
    await until(() => stores.double.reads.caughtUp === 1)
    for (let batch = 0; batch < 10; batch += 1) await store.append(anyStream(), noStream, newEvents(1000))
    const all = await collect(store.readAll(beforeAllEvents))
    for (const events of await Promise.all(others)) expect(events).toEqual(all)
    // More events arrived meanwhile than are kept for the follower, which reads the rest.
    const given = [...((await first).value ?? [])]
    while (given.length < all.length) given.push(...((await busy.next()).value ?? []))
    expect(given).toEqual(all)
    expect(stores.double.reads.subscribedAfter).toHaveLength(1)
    await busy.return?.()
  })

  it('begins again after a checkpoint where nothing of ours lies before it', async () => {
    const store = await stores.open()
    const { double } = stores
    await store.append(anyStream(), noStream, newEvents(1))
    const end = await store.end()
    const followed = take(follow(store), 2)
    await until(() => double.reads.caughtUp === 1)
    double.log.writeSystemEvents(10_000)
    await wait(200)
    double.reset()
    await until(() => double.reads.subscribedAfter.length === 2)
    expect(double.reads.subscribedAfter[1]).toBeGreaterThan(end)
    await store.append(anyStream(), noStream, newEvents(1))
    expect(await followed).toHaveLength(2)
  })

  it('does not take the place where the next event will begin, which a checkpoint names, for one that it has had', async () => {
    const store = await stores.open()
    const { double } = stores
    await store.append(anyStream(), noStream, newEvents(1))
    const followed = take(follow(store), 3)
    for (let subscription = 1; subscription <= 2; subscription += 1) {
      await until(() => double.reads.caughtUp === subscription)
      await wait(50)
      double.reset()
      await store.append(anyStream(), noStream, newEvents(1))
    }
    expect(await followed).toEqual(await collect(store.readAll(beforeAllEvents)))
  })

  it('loses nothing to checkpoints that run ahead of the consumer', async () => {
    const store = await stores.open()
    const { log, reset, reads } = stores.double
    for (let round = 0; round < 3; round += 1) {
      await store.append(anyStream(), noStream, newEvents(500))
      log.writeSystemEvents(5000)
    }
    const stop = new AbortController()
    const seen: RecordedEvent[] = []
    let pages = 0
    for await (const page of follow(store, beforeAllEvents, stop.signal, 50)) {
      seen.push(...page)
      pages += 1
      // By now the queue contains checkpoints far beyond this page.
      await wait(2)
      if (pages % 6 === 0) reset()
      if (seen.length >= 1500) stop.abort()
    }
    expect(reads.subscribedAfter.length).toBeGreaterThan(3)
    expect(idsOf(seen)).toEqual(idsOf(await collect(store.readAll(beforeAllEvents))))
  })

  it('loses nothing to checkpoints that overtake events, as those of servers before 23.6 do', async () => {
    const store = await stores.open()
    const { log, faults, reset } = stores.double
    faults.checkpointsAhead_ms = 20
    for (let round = 0; round < 6; round += 1) {
      log.writeSystemEvents(1999 - (log.events.length % 2000))
      await store.append(anyStream(), noStream, newEvents(1))
    }
    const random = seededChance()
    const breaking = setInterval(() => random.next() < 0.3 && reset(), 30)
    expect(await take(follow(store), 6)).toEqual(await collect(store.readAll(beforeAllEvents)))
    clearInterval(breaking)
  })

  it('waits for a server that stands still, and goes on with it', async () => {
    const errors: unknown[] = []
    const store = await stores.open({
      deadlines: { subscribe_ms: 100, read_ms: 200 },
      onError: (error) => errors.push(error),
    })
    await store.append(anyStream(), noStream, newEvents(5))
    stores.double.faults.standStill()
    const followed = take(follow(store), 5)
    await until(() => errors.length > 1)
    expect(errors[0]).toMatchObject({ name: 'EventStoreUnavailable' })
    stores.double.faults.goOn()
    expect(await followed).toHaveLength(5)
  })

  it('that the server cuts off as too slow reads on, which is no error', async () => {
    const [errors, notices]: [unknown[], string[]] = [[], []]
    const store = await stores.open({
      onError: (error) => errors.push(error),
      onNotice: (text) => notices.push(text),
    })
    stores.double.faults.slowAfter_events = 7
    const followed = take(follow(store), 100)
    await until(() => stores.double.reads.caughtUp === 1)
    for (let turn = 0; turn < 100; turn += 1) await store.append(anyStream(), noStream, newEvents(1))
    expect(await followed).toEqual(await collect(store.readAll(beforeAllEvents)))
    expect(errors).toEqual([])
    expect(stores.double.reads.subscribedAfter.length).toBeGreaterThan(2)
    // The others come within the ten seconds in which this is reported once.
    expect(notices).toEqual([expect.stringMatching(/that was behind: it reads on after \d+ \(1 since/)])
  })

  it('ends when the store is closed beside a server that is gone or stands still', async () => {
    for (const trouble of ['gone', 'still'] as const) {
      const store = await stores.open()
      const followed = collect(follow(store))
      await until(() => stores.double.reads.caughtUp > 0)
      if (trouble === 'gone') await stores.double.stop()
      else stores.double.faults.standStill()
      stores.double.reset()
      await wait(150)
      await store.close()
      expect(await followed).toEqual([])
      if (trouble === 'gone') await stores.double.start()
    }
  })

  it('ends when the store is closed', async () => {
    const store = await stores.open()
    const followed = collect(follow(store))
    await wait(20)
    await store.close()
    expect(await followed).toEqual([])
  })
})
