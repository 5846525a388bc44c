import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEventStoreDb, type EventStoreDb } from '../../../../adapters/event-store/eventstoredb/open-event-store.js'
import { memoryPersonalDataKeys } from '../../../../adapters/personal-data/memory-keys.js'
import { beforeAll as beforeAllEvents, noStream } from '../../../../application/ports/event-store.js'
import { anyStream, collect, idsOf, newEvent, newEvents, take } from '../../../contract/sample-events.js'
import { startClusterDouble, type ClusterDouble } from '../../../support/eventstoredb-double/cluster.js'

let cluster: ClusterDouble
let store: EventStoreDb
beforeEach(async () => {
  cluster = await startClusterDouble(3)
  store = await openEventStoreDb({ url: cluster.url, keys: memoryPersonalDataKeys() })
})
afterEach(async () => {
  await store.close()
  await cluster.close()
})

describe('a cluster of EventStoreDB', () => {
  it('is served by its leader, whichever node is asked first', async () => {
    for (const node of cluster.nodes) {
      const one = await openEventStoreDb({ url: node.url, keys: memoryPersonalDataKeys() })
      const [stream, events] = [anyStream(), newEvents(2)]
      expect(await one.append(stream, noStream, events)).toMatchObject({ outcome: 'appended' })
      expect(idsOf(await collect(one.readStream(stream, noStream)))).toEqual(idsOf(events))
      await one.close()
    }
  })

  it('may elect another leader at any time: appends and reads turn to it, and none is lost or written twice', async () => {
    const written: string[] = []
    const followed = take(store.follow(beforeAllEvents, { signal: new AbortController().signal, maxEvents: 10 }), 120)
    for (let turn = 0; turn < 120; turn += 1) {
      if (turn % 20 === 10) cluster.elect(((turn / 10) % 3) | 0)
      const event = newEvent()
      expect(await store.append(anyStream(), noStream, [event])).toMatchObject({ outcome: 'appended' })
      written.push(event.metadata.eventId)
    }
    expect(idsOf(await collect(store.readAll(beforeAllEvents)))).toEqual(written)
    expect(idsOf(await followed)).toEqual(written)
  })

  it('goes on without a leader that is gone, once another one leads', async () => {
    const stream = anyStream()
    const events = newEvents(6)
    await store.append(stream, noStream, events.slice(0, 2))
    await cluster.nodes[0]?.stop()
    const append = store.append(stream, 1, events.slice(2, 4))
    cluster.elect(1)
    expect(await append).toMatchObject({ outcome: 'appended', revision: 3 })
    await cluster.nodes[0]?.start()
    cluster.elect(0)
    expect(await store.append(stream, 3, events.slice(4))).toMatchObject({ outcome: 'appended', revision: 5 })
    expect(idsOf(await collect(store.readStream(stream, noStream)))).toEqual(idsOf(events))
  })

  it('without any node that answers is unavailable within the deadline', async () => {
    for (const node of cluster.nodes) await node.stop()
    const deadlines = { read_ms: 400 }
    const opened = openEventStoreDb({ url: cluster.url, keys: memoryPersonalDataKeys(), deadlines })
    await expect(opened).rejects.toMatchObject({ name: 'EventStoreUnavailable' })
  })
})
