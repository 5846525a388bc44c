import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  batchCharacters_max,
  batchRequests_max,
  groupCommitter,
  queueRequests_max,
  type AppendRequest,
} from '../../../../adapters/event-store/postgres/group-committer.ts'
import type { AppendResult } from '../../../../application/ports/event-store.ts'
import { noStream } from '../../../../domain/kernel/position.ts'
import { streamName } from '../../../../domain/streams.ts'
import { anyStream, collect, idsOf, newEvent, newEvents } from '../../../contract/sample-events.ts'
import { openStores, type OpenStores } from './open-stores.ts'

const request = (name: string, characters = 2): AppendRequest => ({
  stream: name,
  firstEventId: name,
  json: 'x'.repeat(characters),
})
const appended = (revision: number): AppendResult => ({ outcome: 'appended', revision, position: BigInt(revision) })

/** A committer whose batches are recorded and written at once. A request named `bad` fails in any batch. */
function committer(settings: { readonly queueRequests_max?: number } = {}) {
  const batches: (readonly string[])[] = []
  const committed = groupCommitter({
    async write(batch) {
      batches.push(batch.map(({ stream }) => stream))
      if (batch.some(({ stream }) => stream === 'lost')) throw new Error('the connection broke')
      if (batch.some(({ stream }) => stream === 'bad')) throw new RangeError('bad data')
      return batch.map(() => appended(0))
    },
    faultOf: (error) => (error instanceof RangeError ? error.message : undefined),
    ...settings,
  })
  const send = (...names: string[]) => Promise.allSettled(names.map((name) => committed.append(request(name))))
  return { committed, batches, send }
}

const statuses = (results: readonly PromiseSettledResult<unknown>[]): readonly string[] =>
  results.map(({ status }) => status)

describe('the group committer', () => {
  it('writes together what arrives together, and next what arrives meanwhile', async () => {
    const { send, batches } = committer()
    const first = send('a', 'b')
    await Promise.all([first, first.then(() => send('c', 'd')), send('e')])
    expect(batches).toEqual([
      ['a', 'b', 'e'],
      ['c', 'd'],
    ])
  })

  it('puts at most 256 requests into a batch', async () => {
    const { send, batches } = committer()
    await send(...Array.from({ length: 600 }, (_, index) => `${index}`))
    expect(batches.map((batch) => batch.length)).toEqual([
      batchRequests_max,
      batchRequests_max,
      600 - 2 * batchRequests_max,
    ])
  })

  it('puts at most so many characters into a batch, but always one request', async () => {
    const { committed, batches } = committer()
    const third = Math.ceil(batchCharacters_max / 3)
    const sizes = [third, third, third, third * 4, 2]
    await Promise.all(sizes.map((size, index) => committed.append(request(`${index}`, size))))
    expect(batches).toEqual([['0', '1'], ['2'], ['3'], ['4']])
  })

  it('never puts a request and its repetition into one batch', async () => {
    const { send, batches } = committer()
    await send('a', 'b', 'a', 'c', 'a')
    expect(batches).toEqual([['a', 'b'], ['a', 'c'], ['a']])
  })

  it('refuses one more than may wait, and takes more once there is room', async () => {
    const { send } = committer({ queueRequests_max: 3 })
    const results = await send('a', 'b', 'c', 'd')
    expect(statuses(results)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
    expect(results[3]).toMatchObject({ reason: { name: 'EventStoreOverloaded' } })
    expect(statuses(await send('d'))).toEqual(['fulfilled'])
    expect(queueRequests_max).toBe(10_000)
  })

  it('writes one by one what failed together for the data of one, and refuses that one by its stream', async () => {
    const { send, batches } = committer()
    const results = await send('a', 'bad', 'b')
    expect(statuses(results)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(results[1]).toMatchObject({
      reason: { name: 'UnstorableEvents', message: expect.stringContaining('"bad": bad data') },
    })
    expect(batches).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']])
  })

  it('rejects a whole batch of which nobody knows what became, and goes on with the next', async () => {
    const { send, batches } = committer()
    expect(statuses(await send('a', 'lost'))).toEqual(['rejected', 'rejected'])
    expect(statuses(await send('a'))).toEqual(['fulfilled'])
    expect(batches).toEqual([['a', 'lost'], ['a']])
  })

  it('writes what waits before it closes, and takes nothing after', async () => {
    const { send, committed, batches } = committer()
    const waiting = send('a', 'b')
    await committed.close()
    expect(batches).toEqual([['a', 'b']])
    expect(statuses(await waiting)).toEqual(['fulfilled', 'fulfilled'])
    expect(await send('c')).toMatchObject([{ status: 'rejected', reason: { name: 'EventStoreClosed' } }])
  })
})

describe('one batch on Postgres', () => {
  let stores: OpenStores
  beforeEach(async () => {
    stores = await openStores()
  })
  afterEach(() => stores.close())

  it('is one transaction, in which a conflict and a repetition fail none of their neighbours', async () => {
    const store = await stores.open()
    const [busy, known] = [anyStream(), anyStream()]
    const before = newEvents(2)
    await store.append(busy, noStream, newEvents(1))
    await store.append(known, noStream, before)
    const neighbours = Array.from({ length: 5 }, anyStream)
    const results = await Promise.all([
      store.append(busy, noStream, newEvents(1)),
      ...neighbours.map((stream) => store.append(stream, noStream, newEvents(3))),
      store.append(known, noStream, before),
      store.append(busy, 0, newEvents(1)),
    ])
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'conflict',
      ...neighbours.map(() => 'appended'),
      'repeated',
      'appended',
    ])
    const { rows } = await stores.database.pool.query(
      'select count(*)::int as events, count(distinct xmin::text)::int as transactions from event_store.events',
    )
    expect(rows).toEqual([{ events: 19, transactions: 3 }])
  })

  it('lets several requests for one stream work in order, each on what the one before left', async () => {
    const store = await stores.open()
    const [stream, other] = [anyStream(), anyStream()]
    const events = newEvents(4)
    const results = await Promise.all([
      store.append(stream, noStream, events.slice(0, 2)),
      store.append(other, noStream, newEvents(1)),
      store.append(stream, noStream, newEvents(1)),
      store.append(stream, 1, events.slice(2, 3)),
      store.append(stream, 3, newEvents(1)),
      store.append(stream, 2, events.slice(3)),
    ])
    expect(results.map(({ outcome, revision }) => [outcome, revision])).toEqual([
      ['appended', 1],
      ['appended', 0],
      ['conflict', 1],
      ['appended', 2],
      ['conflict', 2],
      ['appended', 3],
    ])
    const read = await collect(store.readStream(stream, noStream))
    expect(idsOf(read)).toEqual(idsOf(events))
    const positions = results.flatMap((result) => (result.outcome === 'conflict' ? [] : [result.position]))
    expect(positions).toEqual([read[1]?.position, expect.anything(), read[2]?.position, read[3]?.position])
  })

  it('goes on without a request that Postgres refuses for its data', async () => {
    const store = await stores.open()
    const taken = newEvent()
    await store.append(anyStream(), noStream, [taken])
    const tooLong = streamName('invite', randomBytes(8000).toString('hex'))
    const results = await Promise.allSettled([
      store.append(anyStream(), noStream, newEvents(1)),
      store.append(tooLong, noStream, [newEvent()]),
      store.append(anyStream(), noStream, [newEvent(), taken]),
      store.append(anyStream(), noStream, [newEvent({}, { eventId: 'not a uuid' })]),
      store.append(anyStream(), noStream, newEvents(1)),
    ])
    expect(statuses(results)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled'])
    expect(results[1]).toMatchObject({ reason: { message: expect.stringContaining('index row') } })
    expect(results[2]).toMatchObject({ reason: { message: expect.stringContaining('event ids are taken') } })
    expect(results[3]).toMatchObject({ reason: { message: expect.stringContaining('uuid') } })
    expect(await collect(store.readAll(-1n))).toHaveLength(3)
  })

  it('is refused for overload where too many wait, and leaves nothing of what it refused', async () => {
    const store = await stores.open({ queueRequests_max: 10 })
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, () => store.append(anyStream(), noStream, newEvents(2))),
    )
    const refused = results.filter(({ status }) => status === 'rejected')
    expect(refused).not.toEqual([])
    for (const result of refused) expect(result).toMatchObject({ reason: { name: 'EventStoreOverloaded' } })
    expect(await collect(store.readAll(-1n))).toHaveLength((30 - refused.length) * 2)
  })
})
