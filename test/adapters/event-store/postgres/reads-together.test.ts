import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PostgresEventStore } from '../../../../adapters/event-store/postgres/open-event-store.ts'
import { readsTogether_max } from '../../../../adapters/event-store/postgres/reads-together.ts'
import { noStream } from '../../../../domain/kernel/position.ts'
import { UnreadableEvent } from '../../../../application/failures/unreadable-event.ts'
import { anyStream, collect, idsOf, newEvents } from '../../../contract/sample-events.ts'
import { hearStatements } from '../../../support/statements.ts'
import { openStores, type OpenStores } from './open-stores.ts'

let stores: OpenStores
let store: PostgresEventStore
beforeAll(async () => {
  stores = await openStores()
  store = await stores.open()
})
afterAll(() => stores.close())

describe('streams that are read at the same moment', () => {
  it.each([
    [1, 1],
    [2, 1],
    [readsTogether_max, 1],
    [readsTogether_max + 1, 2],
  ])('are %i, and take %i statements', async (streams_count, statements_count) => {
    const streams = Array.from({ length: streams_count }, anyStream)
    const events = streams.map(() => newEvents(2))
    await Promise.all(streams.map((stream, index) => store.append(stream, noStream, events[index] ?? [])))
    const heard: string[] = []
    const stop = hearStatements((statement) => {
      if (/from event_store\.events where stream = /.test(statement)) heard.push(statement)
    })
    try {
      const read = await Promise.all(streams.map((stream) => collect(store.readStream(stream, noStream))))
      expect(read.map(idsOf)).toEqual(events.map(idsOf))
    } finally {
      stop()
    }
    expect(heard).toHaveLength(statements_count)
  })

  it('are refused alone where one of them can not be read', async () => {
    const [broken, sound] = [anyStream(), anyStream()]
    for (const stream of [broken, sound]) await store.append(stream, noStream, newEvents(1))
    await stores.database.pool.query(`update event_store.events set type = 'Unknown' where stream = $1`, [broken])
    const [one, other] = await Promise.allSettled(
      [broken, sound].map((stream) => collect(store.readStream(stream, noStream))),
    )
    expect(one).toMatchObject({ status: 'rejected', reason: expect.any(UnreadableEvent) })
    expect(other).toMatchObject({ status: 'fulfilled', value: [{ stream: sound }] })
  })
})
