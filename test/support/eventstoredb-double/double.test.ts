import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  START,
  StreamNotFoundError,
  streamNameFilter,
  WrongExpectedVersionError,
  type AllStreamSubscription,
} from '@eventstore/db-client'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startEventStoreDouble, type EventStoreDouble } from './double.ts'

let double: EventStoreDouble
let client: EventStoreDBClient
beforeEach(async () => {
  double = await startEventStoreDouble()
  client = EventStoreDBClient.connectionString(double.url)
})
afterEach(async () => {
  await client.dispose()
  await double.close()
})

const event = (count: number) => jsonEvent({ id: randomUUID(), type: 'Counted', data: { count } })
const events = (count: number) => Array.from({ length: count }, (_, index) => event(index))

/** The counts of the first events of a subscription. */
async function counts(subscription: AllStreamSubscription, length: number): Promise<readonly unknown[]> {
  const seen: unknown[] = []
  for await (const { event: read } of subscription) {
    seen.push(read?.data)
    if (seen.length === length) break
  }
  await subscription.unsubscribe()
  return seen
}

describe('the double of EventStoreDB, for the methods of the real client,', () => {
  describe.each(['BatchAppend', 'Append'])('over the RPC %s', (rpc) => {
    beforeEach(() => {
      double.faults.batchAppend = rpc === 'BatchAppend'
    })

    it('appends at the expected revision, and tells a wrong one', async () => {
      const first = await client.appendToStream('a-1', events(3), { expectedRevision: NO_STREAM })
      const second = await client.appendToStream('a-1', events(2), { expectedRevision: 2n })
      expect([first.nextExpectedRevision, second.nextExpectedRevision]).toEqual([2n, 4n])
      // Positions are byte offsets: the next one is always more than one higher.
      expect(second.position?.commit).toBeGreaterThan((first.position?.commit ?? 0n) + 100n)
      for (const expectedRevision of [NO_STREAM, 3n, 9n] as const) {
        const wrong = client.appendToStream('a-1', events(1), { expectedRevision })
        await expect(wrong).rejects.toBeInstanceOf(WrongExpectedVersionError)
        await expect(wrong).rejects.toMatchObject({ actualVersion: 4n })
      }
      const missing = client.appendToStream('a-2', events(1), { expectedRevision: 0n })
      await expect(missing).rejects.toMatchObject({ actualVersion: 'no_stream' })
    })

    it('answers the same events at the same place with success, and writes them once', async () => {
      const same = events(2)
      const first = await client.appendToStream('a-1', same, { expectedRevision: NO_STREAM })
      await client.appendToStream('a-1', events(1), { expectedRevision: 1n })
      expect(await client.appendToStream('a-1', same, { expectedRevision: NO_STREAM })).toEqual(first)
      expect(double.log.of('a-1')).toHaveLength(3)
    })
  })

  it('reads streams both ways, in part, and none that does not exist', async () => {
    await client.appendToStream('a-1', events(20))
    const read = async (options: Parameters<EventStoreDBClient['readStream']>[1]): Promise<readonly number[]> => {
      const revisions: number[] = []
      for await (const { event: one } of client.readStream('a-1', options)) revisions.push(Number(one?.revision))
      return revisions
    }
    expect(await read({ fromRevision: 17n })).toEqual([17, 18, 19])
    expect(await read({ fromRevision: START, maxCount: 2 })).toEqual([0, 1])
    expect(await read({ fromRevision: END, direction: BACKWARDS, maxCount: 2 })).toEqual([19, 18])
    expect(await read({ fromRevision: 1n, direction: BACKWARDS })).toEqual([1, 0])
    await expect(client.readStream('a-2')[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(StreamNotFoundError)
  })

  it('reads all streams from a position on, with the event there, and its own events among them', async () => {
    const { position } = await client.appendToStream('a-1', events(1))
    await client.appendToStream('b-1', events(1))
    const read: (string | undefined)[] = []
    for await (const { event: one } of client.readAll({ fromPosition: position ?? START })) read.push(one?.streamId)
    expect(read).toEqual(['a-1', 'b-1'])
    const all: (string | undefined)[] = []
    for await (const { event: one } of client.readAll()) all.push(one?.streamId)
    expect(all.length).toBeGreaterThan(2)
    const nowhere = client.readAll({ fromPosition: { commit: 1n, prepare: 1n } })
    await expect(nowhere[Symbol.asyncIterator]().next()).rejects.toThrow(/Invalid position/)
  })

  it('serves subscriptions after a position, through a filter, with checkpoints, and says when they have caught up', async () => {
    const { position } = await client.appendToStream('a-1', events(3))
    await client.appendToStream('b-1', events(100))
    const checkpoints: bigint[] = []
    const filter = streamNameFilter({
      prefixes: ['a-'],
      maxSearchWindow: 10,
      checkpointReached: async (_, { commit }) => void checkpoints.push(commit),
    })
    const subscription = client.subscribeToAll({ fromPosition: position ?? START, filter })
    const seen = counts(subscription, 1)
    await once(subscription, 'caughtUp')
    // One for every ten events, and one when it had caught up, at the position of the next event.
    expect(checkpoints).toHaveLength(11)
    const { position: next } = await client.appendToStream('a-2', event(7))
    expect(checkpoints.at(-1)).toBe(next?.commit)
    expect(await seen).toEqual([{ count: 7 }])
  })

  it('answers a read from where nothing begins as servers up to 24 may', async () => {
    double.faults.nothingBegins = 'error'
    const nowhere = client.readAll({ fromPosition: { commit: 1n, prepare: 1n } })
    await expect(nowhere[Symbol.asyncIterator]().next()).rejects.toThrow('Unexpected FilteredReadAllResult: Error')
  })

  it('ends the subscription of a reader that is behind, as servers up to 23.10 do', async () => {
    double.faults.slowAfter_events = 2
    await client.appendToStream('a-1', events(5))
    const subscription = client.subscribeToAll({ filter: streamNameFilter({ prefixes: ['a-'] }) })
    const broken = once(subscription, 'error')
    await once(subscription, 'caughtUp')
    await client.appendToStream('a-1', events(3))
    expect((await broken)[0]).toMatchObject({ message: expect.stringMatching(/Consumer too slow/) })
    expect(double.reads.sentEvents).toBe(7)
  })

  it('leaves events out of a subscription, which reads have', async () => {
    double.faults.skips = ({ stream, revision }) => stream === 'a-1' && revision === 1
    await client.appendToStream(
      'a-1',
      events(4).map((one, index) => ({ ...one, data: { count: index } })),
    )
    const subscription = client.subscribeToAll({ filter: streamNameFilter({ prefixes: ['a-'] }) })
    expect(await counts(subscription, 3)).toEqual([0, 2, 3].map((count) => ({ count })))
    expect(double.log.of('a-1')).toHaveLength(4)
  })

  it('serves nothing as a node of a cluster without a leader', async () => {
    double.faults.leaderless = true
    await expect(client.appendToStream('a-1', event(1))).rejects.toThrow('Server Is Not Ready')
    await expect(client.readAll()[Symbol.asyncIterator]().next()).rejects.toThrow('Server Is Not Ready')
  })

  it('ends subscriptions when it stops, and takes new connections when it is back', async () => {
    const subscription = client.subscribeToAll()
    subscription.on('error', () => undefined)
    await once(subscription, 'caughtUp')
    const broken = once(subscription, 'error')
    await double.stop()
    await broken
    await expect(client.appendToStream('a-1', event(1))).rejects.toThrow(/UNAVAILABLE|No connection/)
    await double.start()
    await expect
      .poll(() =>
        client.appendToStream('a-1', event(1)).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
  })
})
