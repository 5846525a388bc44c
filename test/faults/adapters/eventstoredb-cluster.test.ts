import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEventStoreDb, type EventStoreDb } from '../../../adapters/event-store/eventstoredb/open-event-store.ts'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.ts'
import { beforeAll as beforeAllEvents, noStream } from '../../../domain/kernel/position.ts'
import { anyStream, collect, idsOf, newEvent, newEvents, take } from '../../contract/sample-events.ts'
import { startClusterDouble, type ClusterDouble } from '../../support/eventstoredb-double/cluster.ts'

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

  it('is found behind a name, at whichever address it answers', async () => {
    cluster.elect(2)
    const port = new URL(cluster.nodes[1]?.url ?? '').port
    const url = `esdb+discover://localhost:${port}?tls=false`
    const one = await openEventStoreDb({ url, keys: memoryPersonalDataKeys() })
    expect(await one.append(anyStream(), noStream, newEvents(1))).toMatchObject({ outcome: 'appended' })
    await one.close()
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

  it('of which two nodes are killed has no leader and refuses appends and reads, and takes them once there is one again', async () => {
    const impatient = await openEventStoreDb({
      url: cluster.url,
      keys: memoryPersonalDataKeys(),
      deadlines: { append_ms: 500, read_ms: 500 },
    })
    const following = impatient.follow(beforeAllEvents, { signal: new AbortController().signal, maxEvents: 10 })
    const followed = following[Symbol.asyncIterator]()
    const [first, second] = [newEvents(1), newEvents(1)]
    await impatient.append(anyStream(), noStream, first)
    expect(idsOf((await followed.next()).value ?? [])).toEqual(idsOf(first))
    const next = followed.next()
    cluster.elect(undefined)
    const stream = anyStream()
    const refused = await Promise.allSettled([impatient.append(stream, noStream, second), impatient.end()])
    expect(refused).toMatchObject([1, 2].map(() => ({ reason: { name: 'EventStoreUnavailable' } })))
    // The follower's subscription breaks while a search fails: this must not cause an unhandled error.
    const asked = impatient.end()
    await Promise.all([cluster.nodes[0]?.stop(), cluster.nodes[1]?.stop(), expect(asked).rejects.toThrow(/leads/)])
    const waiting = store.append(stream, noStream, second)
    cluster.elect(2)
    expect(await waiting).toMatchObject({ outcome: 'appended' })
    expect(await impatient.append(stream, noStream, second)).toMatchObject({ outcome: 'repeated' })
    expect(idsOf((await next).value ?? [])).toEqual(idsOf(second))
    await impatient.close()
  })

  it('of which all nodes stop and start again is found again', async () => {
    await Promise.all(cluster.nodes.map((node) => node.stop()))
    const append = store.append(anyStream(), noStream, newEvents(1))
    cluster.elect(undefined)
    await Promise.all(cluster.nodes.map((node) => node.start()))
    cluster.elect(1)
    expect(await append).toMatchObject({ outcome: 'appended' })
  })

  it('without any node that answers is unavailable within the deadline', async () => {
    for (const node of cluster.nodes) await node.stop()
    const deadlines = { read_ms: 400 }
    const opened = openEventStoreDb({ url: cluster.url, keys: memoryPersonalDataKeys(), deadlines })
    await expect(opened).rejects.toMatchObject({ name: 'EventStoreUnavailable' })
  })
})

describe('a node of EventStoreDB that hangs while it leads, or whose host is gone without a word,', () => {
  it('is left for the next leader, by appends, reads and followers', async () => {
    const notices: string[] = []
    const follower = await openEventStoreDb({
      url: cluster.url,
      keys: memoryPersonalDataKeys(),
      onNotice: (text) => notices.push(text),
    })
    const followed = take(follower.follow(beforeAllEvents, { signal: new AbortController().signal, maxEvents: 10 }), 2)
    const [stream, events] = [anyStream(), newEvents(2)]
    await store.append(stream, noStream, events.slice(0, 1))
    cluster.nodes[0]?.hang()
    const append = store.append(stream, 0, events.slice(1))
    cluster.elect(1)
    expect(await append).toMatchObject({ outcome: 'appended', revision: 1 })
    expect(idsOf(await followed)).toEqual(idsOf(events))
    expect(idsOf(await collect(follower.readStream(stream, noStream)))).toEqual(idsOf(events))
    expect(notices).toEqual([expect.stringMatching(/^Left the node 127\.0\.0\.1:\d+: /)])
    await follower.close()
  })

  it('is not gone to while the others tell that it leads, and is found where it leads again', async () => {
    cluster.nodes[0]?.hang()
    const deadlines = { append_ms: 4000, read_ms: 4000 }
    const opened = openEventStoreDb({ url: cluster.url, keys: memoryPersonalDataKeys(), deadlines })
    await expect(opened).rejects.toMatchObject({ name: 'EventStoreUnavailable' })
    const append = store.append(anyStream(), noStream, newEvents(1))
    cluster.nodes[0]?.goOn()
    expect(await append).toMatchObject({ outcome: 'appended' })
    const again = await openEventStoreDb({ url: cluster.url, keys: memoryPersonalDataKeys(), deadlines })
    expect(await again.append(anyStream(), noStream, newEvents(1))).toMatchObject({ outcome: 'appended' })
    await again.close()
  })

  it('is passed over by a process that starts beside it, however many hang', async () => {
    const large = await startClusterDouble(5)
    for (const node of large.nodes.slice(0, 2)) node.hang()
    large.elect(4)
    const one = await openEventStoreDb({ url: large.url, keys: memoryPersonalDataKeys() })
    expect(await one.append(anyStream(), noStream, newEvents(1))).toMatchObject({ outcome: 'appended' })
    await one.close()
    await large.close()
  })

  it('that answers pings, and no calls, is left as well', async () => {
    cluster.nodes[0]?.faults.standStill()
    const append = store.append(anyStream(), noStream, newEvents(1))
    cluster.elect(2)
    expect(await append).toMatchObject({ outcome: 'appended' })
    cluster.nodes[0]?.faults.goOn()
  })
})
