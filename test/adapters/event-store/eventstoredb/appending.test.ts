import { EventStoreDBClient } from '@eventstore/db-client'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventStore } from '../../../../application/ports/event-store.ts'
import { beforeAll as beforeAllEvents, noStream } from '../../../../domain/kernel/position.ts'
import { anyStream, collect, idsOf, newEvent, newEvents } from '../../../contract/sample-events.ts'
import { openStores, type OpenStores } from './open-stores.ts'

let stores: OpenStores
beforeEach(async () => {
  stores = await openStores()
})
afterEach(() => stores.close())

describe('several processes on EventStoreDB', () => {
  it('recognise an append that the other one repeats, though the server answers a repetition with success', async () => {
    const [one, other] = [await stores.open(), await stores.open()]
    for (let round = 0; round < 20; round += 1) {
      const stream = anyStream()
      const events = newEvents(2)
      const results = await Promise.all([one.append(stream, noStream, events), other.append(stream, noStream, events)])
      expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(['appended', 'repeated'])
      expect(new Set(results.map((result) => 'position' in result && result.position)).size).toBe(1)
      expect(idsOf(await collect(one.readStream(stream, noStream)))).toEqual(idsOf(events))
    }
  })

  it.each([-1, 0, 1, 3, 9])(
    'recognise what another one wrote long before, whether %i is expected now or any other revision',
    async (expected) => {
      const stream = anyStream()
      const one = await stores.open()
      await one.append(stream, noStream, newEvents(1))
      const events = newEvents(2)
      const first = await one.append(stream, 0, events)
      await one.append(stream, 2, newEvents(1))
      expect(await (await stores.open()).append(stream, expected, events)).toEqual({ ...first, outcome: 'repeated' })
      await expect((await stores.open()).append(stream, expected, [newEvent(), ...events])).rejects.toThrow(
        /event ids are taken/,
      )
      expect(await collect(one.readStream(stream, noStream))).toHaveLength(4)
    },
  )

  it('append to one stream without ever taking each other’s revision', async () => {
    const [one, other] = [await stores.open(), await stores.open()]
    const stream = anyStream()
    let appended = 0
    const write = async (store: EventStore): Promise<void> => {
      let revision = noStream
      for (let turn = 0; turn < 25; turn += 1) {
        const result = await store.append(stream, revision, [newEvent()])
        if (result.outcome === 'appended') appended += 1
        revision = result.revision
      }
    }
    await Promise.all([write(one), write(other), write(one), write(other)])
    const revisions = (await collect(one.readStream(stream, noStream))).map(({ revision }) => revision)
    expect(revisions).toEqual(Array.from({ length: appended }, (_, revision) => revision))
  })
})

describe('an append to EventStoreDB', () => {
  it('that comes too late is answered with the true revision, though reads lag behind what is committed', async () => {
    const [one, other] = [await stores.open(), await stores.open()]
    const stream = anyStream()
    stores.double.log.readLag_ms = 150
    await one.append(stream, noStream, newEvents(3))
    expect(await other.append(stream, noStream, newEvents(1))).toEqual({ outcome: 'conflict', revision: 2 })
    const again = newEvents(2)
    await one.append(stream, 2, again)
    expect(await other.append(stream, 1, again)).toMatchObject({ outcome: 'repeated', revision: 4 })
  })

  it('is JSON with our metadata and the id of the event in it', async () => {
    const store = await stores.open()
    const stream = anyStream()
    const event = newEvent({ text: 'ẞ 🦊', uses: 3 })
    await store.append(stream, noStream, [event])
    const client = EventStoreDBClient.connectionString(stores.double.url)
    for await (const { event: stored } of client.readStream(stream)) {
      expect(stored).toMatchObject({ isJson: true, type: event.type, data: event.data })
      expect(stored?.metadata).toEqual({ schemaVersion: 1, ...event.metadata })
    }
    await client.dispose()
  })

  it('of an event that was written by others under its own id is recognised by that', async () => {
    const store = await stores.open()
    const stream = anyStream()
    const event = newEvent()
    const { eventId, ...metadata } = event.metadata
    const data = Buffer.from(JSON.stringify(event.data))
    const record = { id: eventId, type: event.type, contentType: 'application/json', data }
    stores.double.log.commit(stream, 'no_stream', [
      { ...record, metadata: Buffer.from(JSON.stringify({ schemaVersion: 1, ...metadata })) },
    ])
    expect(await store.findEvent(stream, eventId)).toMatchObject({ metadata: { eventId }, revision: 0 })
    expect(await store.append(stream, 0, [event])).toMatchObject({ outcome: 'repeated', revision: 0 })
  })

  it('of more than a server is set to take is refused, and those beside it are not', async () => {
    stores.double.faults.appendSize_max = 10_000
    const store = await stores.open()
    const stream = anyStream()
    const [tooLarge, small] = await Promise.allSettled([
      store.append(stream, noStream, [newEvent({ text: 'x'.repeat(10_000) })]),
      store.append(anyStream(), noStream, newEvents(1)),
    ])
    expect(tooLarge).toMatchObject({ status: 'rejected', reason: { name: 'AppendTooLarge' } })
    expect(small).toMatchObject({ status: 'fulfilled' })
    expect(await collect(store.readStream(stream, noStream))).toEqual([])
  })

  it('takes a server that answers only in a while for what it is: slow', async () => {
    const store = await stores.open()
    stores.double.faults.answerDelay_ms = 300
    expect(await store.append(anyStream(), noStream, newEvents(1))).toMatchObject({ outcome: 'appended' })
  })

  it('is not harmed by the broken connection of another store in the process', async () => {
    const others = await openStores()
    const [store, other] = [await stores.open(), await others.open({ deadlines: { append_ms: 300 } })]
    const appends = Array.from({ length: 200 }, () => store.append(anyStream(), noStream, newEvents(1)))
    const doomed = Promise.allSettled(
      Array.from({ length: 200 }, () => other.append(anyStream(), noStream, newEvents(1))),
    )
    await wait(1)
    await others.double.stop()
    const results = await Promise.all(appends)
    expect(results.every(({ outcome }) => outcome === 'appended')).toBe(true)
    await doomed
    await others.close()
  })

  it('is refused once the store is closed, which waits for those under way', async () => {
    const store = await stores.open()
    stores.double.faults.answerDelay_ms = 50
    const underWay = store.append(anyStream(), noStream, newEvents(1))
    await wait(10)
    const closed = store.close()
    await expect(store.append(anyStream(), noStream, newEvents(1))).rejects.toMatchObject({ name: 'EventStoreClosed' })
    expect(await underWay).toMatchObject({ outcome: 'appended' })
    await closed
    await expect(store.end()).rejects.toMatchObject({ name: 'EventStoreClosed' })
  })
})

describe('reading EventStoreDB', () => {
  it('gives nothing of streams that are not ours, the server’s own least of all', async () => {
    const store = await stores.open()
    const { log } = stores.double
    const foreign = { id: crypto.randomUUID(), type: 'X', contentType: 'application/json', data: Buffer.from('{}') }
    log.commit('poll-1', 'any', [{ ...foreign, metadata: Buffer.from('{}') }])
    expect(await store.end()).toBe(beforeAllEvents)
    const events = newEvents(3)
    for (const event of events) {
      log.writeSystemEvents(700)
      await store.append(anyStream(), noStream, [event])
    }
    const end = await store.end()
    log.writeSystemEvents(700)
    expect(await store.end()).toBe(end)
    expect(idsOf(await collect(store.readAll(beforeAllEvents)))).toEqual(idsOf(events))
  })

  it('is tried again when its connection breaks', async () => {
    const store = await stores.open()
    await store.append(anyStream(), noStream, newEvents(1000))
    for (let round = 0; round < 10; round += 1) {
      const read = collect(store.readAll(beforeAllEvents))
      await wait(2 * round)
      stores.double.reset()
      expect(await read).toHaveLength(1000)
    }
  })
})
