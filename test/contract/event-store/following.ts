import { describe, expect, it } from 'vitest'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import { noStream } from '../../../domain/kernel/position.ts'
import type { OpenEventStore } from './open-event-store.ts'
import { anyStream, ascending, collect, idsOf, newEvent, newEvents, take } from '../sample-events.ts'
import { paced } from '../../support/pace.ts'

const maxEvents = 100

export function following(opened: () => OpenEventStore): void {
  const follow = (after: bigint, signal = new AbortController().signal, limit = maxEvents) =>
    opened().store.follow(after, { signal, maxEvents: limit })

  describe('following', () => {
    it('returns what is there already, then what comes', async () => {
      const { store, before } = opened()
      const old = newEvents(3)
      await store.append(anyStream(), noStream, old)
      const stop = new AbortController()
      const seen: RecordedEvent[] = []
      const young = newEvents(2)
      let appended = false
      for await (const page of follow(before, stop.signal)) {
        seen.push(...page)
        if (seen.length === 3 && !appended) {
          appended = true
          setTimeout(() => void store.append(anyStream(), noStream, young), 20)
        }
        if (seen.length === 5) stop.abort()
      }
      expect(idsOf(seen)).toEqual(idsOf([...old, ...young]))
    })

    it('returns an append of this process well before any poll', async () => {
      const { store } = opened()
      const latencies_ms: number[] = []
      for (let round = 0; round < 5; round += 1) {
        const first = take(follow(await store.end()), 1)
        await new Promise((resolve) => setTimeout(resolve, 20))
        const start_ms = performance.now()
        await store.append(anyStream(), noStream, newEvents(1))
        await first
        latencies_ms.push(performance.now() - start_ms)
      }
      // The fastest one counts: a busy machine delays some, a poll would delay all.
      expect(Math.min(...latencies_ms)).toBeLessThan(paced(100))
    })

    it('returns at most a number of events at a time, and never none', async () => {
      const { store, before } = opened()
      await store.append(anyStream(), noStream, newEvents(95))
      const stop = new AbortController()
      const sizes: number[] = []
      for await (const page of follow(before, stop.signal, 10)) {
        sizes.push(page.length)
        if (sizes.reduce((sum, size) => sum + size, 0) === 95) stop.abort()
      }
      expect(Math.max(...sizes)).toBeLessThanOrEqual(10)
      expect(Math.min(...sizes)).toBeGreaterThan(0)
    })

    it('goes on after any position that it returned, without loss or repetition', async () => {
      const { store, before } = opened()
      const appends = Array.from({ length: 10 }, () => store.append(anyStream(), noStream, newEvents(7)))
      const seen: RecordedEvent[] = []
      while (seen.length < 70) {
        const page = await take(follow(seen.at(-1)?.position ?? before, undefined, 3), 1)
        seen.push(...page)
      }
      await Promise.all(appends)
      expect(seen).toEqual(await collect(store.readAll(before)))
    })

    it('ends without an error when its signal aborts, also while it waits, and at once if it had aborted before', async () => {
      const { store, before } = opened()
      await store.append(anyStream(), noStream, newEvents(1))
      const stop = new AbortController()
      const followed = collect(follow(before, stop.signal))
      setTimeout(() => stop.abort(), 100)
      expect(await followed).toHaveLength(1)
      expect(await collect(follow(before, AbortSignal.abort()))).toEqual([])
    })

    it('serves several followers, each from its own position', async () => {
      const { store, before } = opened()
      await store.append(anyStream(), noStream, newEvents(5))
      const middle = (await collect(store.readAll(before)))[2]?.position ?? 0n
      const followers = [take(follow(before), 8), take(follow(middle), 5), take(follow(await store.end()), 3)]
      await store.append(anyStream(), noStream, newEvents(3))
      const all = await collect(store.readAll(before))
      expect(await Promise.all(followers)).toEqual([all, all.slice(3), all.slice(5)])
    })

    it('skips no event of many writers at once, and keeps the order of positions and revisions', async () => {
      const { store, before } = opened()
      const [writers, each] = [16, 25]
      const followed = take(follow(before), writers * each)
      await Promise.all(
        Array.from({ length: writers }, async () => {
          const stream = anyStream()
          for (let revision = -1; revision < each - 1; revision += 1) await store.append(stream, revision, [newEvent()])
        }),
      )
      const seen = await followed
      expect(seen).toEqual(await collect(store.readAll(before)))
      expect(ascending(seen.map(({ position }) => position))).toBe(true)
      for (const stream of new Set(seen.map((event) => event.stream))) {
        const revisions = seen.filter((event) => event.stream === stream).map(({ revision }) => revision)
        expect(revisions).toEqual(Array.from({ length: each }, (_, revision) => revision))
      }
    })
  })
}
