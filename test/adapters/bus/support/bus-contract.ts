import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventBus } from '../../../../application/ports/event-bus.ts'
import type { EventStore, NewEvent } from '../../../../application/ports/event-store.ts'
import { beforeAll, noStream } from '../../../../domain/kernel/position.ts'
import { anyStream, collect, newEvent, newEvents } from '../../../contract/sample-events.ts'
import { faultsIn, listen, noFaults } from './heard.ts'

export interface OpenBus {
  readonly bus: Pick<EventBus, 'subscribe'>
  /** The bus carries what is appended here. */
  readonly store: EventStore
  /** Appends events to a new stream, and makes the bus carry them. */
  tell(events: readonly NewEvent[]): Promise<bigint>
  close(): Promise<void>
}

/** Appends to a stream that no other test uses, and returns the position of the last event. */
export async function appendAnywhere(store: EventStore, events: readonly NewEvent[]): Promise<bigint> {
  await store.append(anyStream(), noStream, events)
  return store.end()
}

/** The behaviour of every bus towards its subscribers. `open` returns a bus, with an empty store behind it, for each test. */
export function busContract(name: string, open: () => Promise<OpenBus>): void {
  describe(`${name}, as an event bus,`, () => {
    let opened: OpenBus
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.close())

    it('hands on whole events: stream, revision, position, type, data and metadata', async () => {
      const { bus, store, tell } = opened
      const heard = listen(bus)
      await heard.until(
        await tell([newEvent({ guildId: '17', uses: 1 }), newEvent({ text: 'snö ☃ 🦉' }, { reason: 'why' })]),
      )
      expect(heard.events).toEqual(await collect(store.readAll(beforeAll)))
    })

    it('hands on thousands of events once each, in their order', async () => {
      const { bus, store, tell } = opened
      const heard = listen(bus)
      for (let told = 0; told < 3000; told += 300) await tell(newEvents(300))
      await heard.until(await store.end())
      expect(await faultsIn(heard, store, beforeAll)).toEqual(noFaults)
    })

    it('hands the same to every subscriber, from its subscription on', async () => {
      const { bus, store, tell } = opened
      const early = listen(bus)
      const before = await tell(newEvents(3))
      await early.until(before)
      const late = listen(bus)
      const last = await tell(newEvents(3))
      await Promise.all([early.until(last), late.until(last)])
      expect(await faultsIn(early, store, beforeAll)).toEqual(noFaults)
      expect(await faultsIn(late, store, before)).toEqual(noFaults)
    })

    it('hands nothing to those who have unsubscribed', async () => {
      const { bus, store, tell } = opened
      const [stays, goes] = [listen(bus), listen(bus)]
      const before = await tell(newEvents(2))
      await Promise.all([stays.until(before), goes.until(before)])
      goes.unsubscribe()
      await stays.until(await tell(newEvents(2)))
      expect(await faultsIn(stays, store, beforeAll)).toEqual(noFaults)
      expect(goes.events).toHaveLength(2)
    })
  })
}
