import { describe, expect, it } from 'vitest'
import { noStream } from '../../../domain/kernel/position.ts'
import type { OpenEventStore } from './open-event-store.ts'
import { accountStream, anyAccount, anyStream, collect, newEvent, newEvents, registration } from '../sample-events.ts'

export function repeating(opened: () => OpenEventStore): void {
  describe('repeating an append', () => {
    it('writes nothing and returns the position of the events', async () => {
      const { store, before } = opened()
      const stream = anyStream()
      const events = newEvents(3)
      const first = await store.append(stream, noStream, events)
      expect(await store.append(stream, noStream, events)).toEqual({ ...first, outcome: 'repeated' })
      expect(await collect(store.readAll(before))).toHaveLength(3)
    })

    it('is recognised if the stream has moved on, whatever revision is expected now', async () => {
      const { store } = opened()
      const stream = anyStream()
      await store.append(stream, noStream, newEvents(1))
      const events = newEvents(2)
      const first = await store.append(stream, 0, events)
      expect(await store.append(stream, 2, events)).toEqual({ ...first, outcome: 'repeated' })
      await store.append(stream, 2, newEvents(4))
      await store.append(anyStream(), noStream, newEvents(1))
      for (const expected of [0, 2, 6]) {
        expect(await store.append(stream, expected, events)).toEqual({ ...first, outcome: 'repeated' })
      }
      expect(await collect(store.readStream(stream, noStream))).toHaveLength(7)
    })

    it('at the same moment writes the events once', async () => {
      const { store, before } = opened()
      const stream = anyStream()
      const events = newEvents(2)
      const results = await Promise.all(Array.from({ length: 8 }, () => store.append(stream, noStream, events)))
      expect(results.filter(({ outcome }) => outcome === 'appended')).toHaveLength(1)
      expect(results.filter(({ outcome }) => outcome === 'repeated')).toHaveLength(7)
      expect(new Set(results.map(({ revision }) => revision))).toEqual(new Set([1]))
      expect(await collect(store.readAll(before))).toHaveLength(2)
    })

    it('with other data under the same ids keeps what was written first', async () => {
      const { store } = opened()
      const stream = anyStream()
      const event = newEvent({ uses: 1 })
      await store.append(stream, noStream, [event])
      expect(await store.append(stream, noStream, [{ ...event, data: { uses: 2 } }])).toMatchObject({
        outcome: 'repeated',
      })
      expect(await collect(store.readStream(stream, noStream))).toMatchObject([{ data: { uses: 1 } }])
    })

    it('is recognised for personal data, which never encrypts to the same text twice', async () => {
      const { store } = opened()
      const account = anyAccount()
      const event = registration(account)
      await store.append(accountStream(account), noStream, [event])
      expect(await store.append(accountStream(account), noStream, [event])).toMatchObject({ outcome: 'repeated' })
    })

    it('in part, in another stream, or with one id twice is refused and writes nothing', async () => {
      const { store, before, knowsEventIdsOf } = opened()
      const stream = anyStream()
      const [one, two] = [newEvent(), newEvent()]
      await store.append(stream, noStream, [one])
      await expect(store.append(stream, 0, [one, two])).rejects.toThrow(/event ids are taken/)
      await expect(store.append(stream, 0, [two, one])).rejects.toThrow(/event ids are taken/)
      if (knowsEventIdsOf === 'all streams') {
        await expect(store.append(anyStream(), noStream, [one])).rejects.toThrow(/event ids are taken/)
      }
      await expect(store.append(anyStream(), noStream, [two, two])).rejects.toThrow(/event ids are taken/)
      expect(await collect(store.readAll(before))).toHaveLength(1)
    })
  })

  describe('finding an event', () => {
    it('returns the event of a stream that has an id', async () => {
      const { store } = opened()
      const stream = anyStream()
      const events = newEvents(3)
      await store.append(stream, noStream, events)
      const [, wanted] = await collect(store.readStream(stream, noStream))
      expect(wanted).toBeDefined()
      expect(await store.findEvent(stream, wanted?.metadata.eventId ?? '')).toEqual(wanted)
    })

    it('returns nothing for an unknown id, or one of another stream', async () => {
      const { store } = opened()
      const stream = anyStream()
      const event = newEvent()
      await store.append(stream, noStream, [event])
      expect(await store.findEvent(stream, newEvent().metadata.eventId)).toBeUndefined()
      expect(await store.findEvent(anyStream(), event.metadata.eventId)).toBeUndefined()
    })
  })
}
