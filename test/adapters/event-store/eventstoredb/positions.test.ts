import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventStoreDb } from '../../../../adapters/event-store/eventstoredb/open-event-store.ts'
import { beforeAll as beforeAllEvents, noStream } from '../../../../domain/kernel/position.ts'
import { anyStream, collect, newEvents } from '../../../contract/sample-events.ts'
import { openStores, type OpenStores } from './open-stores.ts'

let stores: OpenStores
let store: EventStoreDb
let event: { readonly id: string | undefined; readonly position: bigint }
beforeEach(async () => {
  stores = await openStores()
  store = await stores.open({ deadlines: { read_ms: 2000 } })
  await store.append(anyStream(), noStream, newEvents(2))
  const [first] = await collect(store.readAll(beforeAllEvents))
  event = { id: first?.metadata.eventId, position: first?.position ?? 0n }
})
afterEach(() => stores.close())

describe('a position of EventStoreDB', () => {
  it.each(['invalid position', 'error'] as const)(
    'where no event begins has none, where the server says "%s"',
    async (nothingBegins) => {
      stores.double.faults.nothingBegins = nothingBegins
      expect(await store.eventIdAt(event.position + 1n)).toBeUndefined()
      expect(await store.stored.at(event.position + 1n)).toBeUndefined()
      expect(await store.eventIdAt(event.position)).toBe(event.id)
    },
  )

  it('is not taken for one without an event where the server can not read at all', async () => {
    stores.double.faults.failsReads = true
    const asked = store.eventIdAt(event.position)
    await expect(asked).rejects.toMatchObject({ name: 'EventStoreUnavailable' })
    await expect(asked).rejects.toThrow('could not read')
    stores.double.faults.failsReads = false
    expect(await store.eventIdAt(event.position)).toBe(event.id)
  })

  it('is not taken for one without an event where the server gives no answer', async () => {
    const hurried = await stores.open({ deadlines: { read_ms: 500 } })
    stores.double.faults.standStill()
    await expect(hurried.eventIdAt(event.position + 1n)).rejects.toMatchObject({ name: 'EventStoreUnavailable' })
    stores.double.faults.goOn()
    expect(await store.eventIdAt(event.position)).toBe(event.id)
  })
})
