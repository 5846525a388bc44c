import { describe, expect, it } from 'vitest'
import type { NewEvent } from '../../../application/ports/event-store.ts'
import { beforeAll, noStream } from '../../../domain/kernel/position.ts'
import { readPageEvents } from '../../../adapters/event-store/pages.ts'
import type { OpenEventStore } from './open-event-store.ts'
import { anyAccount, anyStream, ascending, collect, idsOf, newEvent, newEvents } from '../sample-events.ts'

/** JSON that some stores change: numbers in text, odd names, text beyond ASCII, escapes. */
const difficult = {
  id: '1234567890123456789',
  looksLikeATime: '2026-11-20T12:00:00.000Z',
  negative: -0.5,
  large: 9_007_199_254_740_991,
  nothing: null,
  empty: { list: [], object: {}, text: '' },
  nested: [[{ deep: [true, false] }]],
  $sealed: 'not a sealed value',
  __proto: 1,
  text: 'ẞ 🦊 \u0001 \\u0000 \\ud800 "quoted" \n',
}

export function reading(opened: () => OpenEventStore): void {
  describe('reading a stream', () => {
    it('returns what was appended, oldest first, and nothing of other streams', async () => {
      const { store } = opened()
      const [stream, other] = [anyStream(), anyStream()]
      const events = [
        newEvent(difficult, { reason: 'because', actor: { kind: 'account', id: anyAccount() } }),
        newEvent({}),
      ]
      await store.append(stream, noStream, events)
      await store.append(other, noStream, newEvents(1))
      const read = await collect(store.readStream(stream, noStream))
      expect(read).toMatchObject(events.map((event, revision) => ({ ...event, stream, revision })))
      expect(read.map(({ data }) => data)).toStrictEqual(events.map(({ data }) => data))
      expect(read.map(({ metadata }) => metadata)).toStrictEqual(events.map(({ metadata }) => metadata))
    })

    it('returns one event of a stream by its revision, together with others and alone', async () => {
      const { store } = opened()
      const stream = anyStream()
      const events = newEvents(3)
      await store.append(stream, noStream, events)
      const all = await collect(store.readStream(stream, noStream))
      expect(await store.eventAt(stream, 1)).toEqual(all[1])
      expect(await Promise.all([0, 1, 2, 3].map((revision) => store.eventAt(stream, revision)))).toEqual([
        ...all,
        undefined,
      ])
      expect(await store.eventAt(anyStream(), 0)).toBeUndefined()
    })

    it('goes on after a revision, in pages of a bounded size', async () => {
      const { store } = opened()
      const stream = anyStream()
      const events = [...newEvents(700), ...newEvents(700)]
      await store.append(stream, noStream, events.slice(0, 700))
      await store.append(stream, 699, events.slice(700))
      const pages: number[] = []
      for await (const page of store.readStream(stream, 99)) pages.push(page.length)
      expect(Math.max(...pages)).toBeLessThanOrEqual(readPageEvents)
      expect(Math.min(...pages)).toBeGreaterThan(0)
      expect(idsOf(await collect(store.readStream(stream, 99)))).toEqual(idsOf(events.slice(100)))
      expect(await collect(store.readStream(stream, 1399))).toEqual([])
    })

    it('returns nothing for a stream that does not exist', async () => {
      expect(await collect(opened().store.readStream(anyStream(), noStream))).toEqual([])
    })

    it('returns for each of many streams at the same moment what it returns for one', async () => {
      const { store } = opened()
      const streams = Array.from({ length: 5 }, anyStream)
      for (const [index, stream] of streams.slice(1).entries())
        await store.append(stream, noStream, newEvents(index === 0 ? readPageEvents + 1 : index))
      const asked = streams.flatMap((stream) => [noStream, 0, 1].map((after) => ({ stream, after })))
      const alone: (readonly string[])[] = []
      for (const { stream, after } of asked) alone.push(idsOf(await collect(store.readStream(stream, after))))
      const together = await Promise.all(asked.map(({ stream, after }) => collect(store.readStream(stream, after))))
      expect(together.map(idsOf)).toEqual(alone)
      expect(alone.map(({ length }) => length).slice(0, 6)).toEqual([0, 0, 0, 501, 500, 499])
    })

    it('returns objects that nobody else holds', async () => {
      const { store } = opened()
      const stream = anyStream()
      const data = { list: ['kept'] }
      await store.append(stream, noStream, [newEvent(data)])
      data.list.push('changed after the append')
      const [read] = await collect(store.readStream(stream, noStream))
      Object.assign(read?.data ?? {}, { list: ['changed after a read'] })
      expect(await collect(store.readStream(stream, noStream))).toMatchObject([{ data: { list: ['kept'] } }])
    })
  })

  describe('the event at a position', () => {
    it('is identified by its id, and there is none if no event begins there', async () => {
      const { store, before } = opened()
      for (let round = 0; round < 3; round += 1) await store.append(anyStream(), noStream, newEvents(2))
      const ids = new Map((await collect(store.readAll(before))).map(({ position, metadata }) => [position, metadata]))
      for (const position of [...ids.keys()].flatMap((at) => [at, at + 1n])) {
        expect(await store.eventIdAt(position)).toBe(ids.get(position)?.eventId)
      }
      expect(await store.eventIdAt(beforeAll)).toBeUndefined()
      expect(await store.eventIdAt(1_000_000_000_000n)).toBeUndefined()
    })
  })

  describe('reading all events', () => {
    it('returns those of all streams in the order of their positions, each stream in the order of its revisions', async () => {
      const { store, before } = opened()
      const streams = Array.from({ length: 7 }, anyStream)
      const appended: NewEvent[] = []
      for (let round = 0; round < 3; round += 1) {
        for (const stream of streams) {
          const events = newEvents(2)
          await store.append(stream, round * 2 - 1, events)
          appended.push(...events)
        }
      }
      const read = await collect(store.readAll(before))
      expect(idsOf(read)).toEqual(idsOf(appended))
      expect(ascending(read.map(({ position }) => position))).toBe(true)
      for (const stream of streams) {
        expect(read.filter((event) => event.stream === stream).map(({ revision }) => revision)).toEqual([
          0, 1, 2, 3, 4, 5,
        ])
      }
    })

    it('goes on after any position, in pages of a bounded size', async () => {
      const { store, before } = opened()
      await Promise.all(Array.from({ length: 3 }, () => store.append(anyStream(), noStream, newEvents(400))))
      const all = await collect(store.readAll(before))
      expect(all).toHaveLength(1200)
      for (const index of [0, 499, 500, 1198, 1199]) {
        expect(idsOf(await collect(store.readAll(all[index]?.position ?? 0n)))).toEqual(idsOf(all.slice(index + 1)))
      }
      for await (const page of store.readAll(before)) {
        expect(page.length).toBeLessThanOrEqual(readPageEvents)
        expect(page.length).toBeGreaterThan(0)
      }
    })

    it('returns the position with which the append was answered', async () => {
      const { store, before } = opened()
      const result = await store.append(anyStream(), noStream, newEvents(2))
      expect(result).toMatchObject({ position: (await collect(store.readAll(before))).at(-1)?.position })
    })

    it('ends before everything in an empty store, and otherwise at the newest event', async () => {
      const { store, before } = opened()
      expect(await store.end()).toBe(before)
      expect(await collect(store.readAll(before))).toEqual([])
      await store.append(anyStream(), noStream, newEvents(2))
      const newest = await store.append(anyStream(), noStream, newEvents(2))
      expect(newest).toMatchObject({ position: await store.end() })
      expect(await collect(store.readAll(await store.end()))).toEqual([])
    })
  })
}
