import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { appendRequest } from '../../../../adapters/event-store/postgres/append-batch.ts'
import { eventCodec } from '../../../../adapters/event-store/codec.ts'
import { beforeAll as beforeAllEvents, noStream } from '../../../../domain/kernel/position.ts'
import { anyStream, newEvents, take } from '../../../contract/sample-events.ts'
import { memoryPersonalDataKeys } from '../../../support/memory/memory-keys.ts'
import { countingReads, openStores, type OpenStores } from './open-stores.ts'

const never_ms = 3_600_000

let stores: OpenStores
beforeEach(async () => {
  stores = await openStores()
})
afterEach(() => stores.close())

describe('a process that did not hear of an append', () => {
  it('reads the events once it looks for the end', async () => {
    const database = countingReads(stores.database)
    const one = await stores.open({ poll_ms: never_ms, database })
    const followed = take(one.follow(beforeAllEvents, { signal: new AbortController().signal, maxEvents: 500 }), 2)
    await expect.poll(database.reads).toBeGreaterThan(0)
    await one.lookForEnd(stores.database)
    const before = database.reads()
    const stream = anyStream()
    const encoded = await eventCodec(memoryPersonalDataKeys()).encode(stream, newEvents(2))
    const { json } = appendRequest(stream, noStream, encoded)
    // As a process of the version before writes where it has heard of no other.
    const unannounced = `[{"quiet":true,${json.slice(1)}]`
    await stores.database.pool.query('select from event_store.append_events($1::jsonb)', [unannounced])
    expect(database.reads()).toBe(before)
    await one.lookForEnd(stores.database)
    expect(await followed).toHaveLength(2)
    expect(database.reads()).toBe(before + 1)
  })
})
