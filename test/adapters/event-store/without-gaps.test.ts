import { beforeEach, describe, expect, it } from 'vitest'
import { memoryEventStore } from '../../support/memory/memory-event-store.ts'
import { EventsSkipped, withoutGaps } from '../../../adapters/event-store/without-gaps.ts'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.ts'
import type { EventStore, RecordedEvent } from '../../../application/ports/event-store.ts'
import { beforeAll as beforeAllEvents, noStream } from '../../../domain/kernel/position.ts'
import type { StreamName } from '../../../domain/streams.ts'
import { anyStream, newEvent, take } from '../../contract/sample-events.ts'

let store: EventStore
let skipped: EventsSkipped[]

beforeEach(() => {
  store = memoryEventStore({ keys: memoryPersonalDataKeys() })
  skipped = []
})

/** Appends one event to each of these streams in turn. */
async function happens(...streams: readonly StreamName[]): Promise<void> {
  const revisions = new Map<StreamName, number>()
  for (const stream of streams) {
    const result = await store.append(stream, revisions.get(stream) ?? noStream, [newEvent()])
    revisions.set(stream, result.revision)
  }
}

/** The store, but its followers do not get the events at these positions; one event a page. */
function leavingOut(...positions: readonly number[]): EventStore {
  return {
    ...store,
    async *follow(after, options) {
      for await (const page of store.follow(after, options)) {
        for (const event of page) if (!positions.includes(Number(event.position))) yield [event]
      }
    },
  }
}

/** The positions that a follower from the beginning gets. */
async function given(of: EventStore, count: number, streams_max?: number): Promise<readonly number[]> {
  const guarded = withoutGaps(of, {
    onSkipped: (error) => skipped.push(error),
    ...(streams_max !== undefined && { streams_max }),
  })
  const pages = guarded.follow(beforeAllEvents, { signal: new AbortController().signal, maxEvents: 100 })
  return (await take(pages, count)).map(({ position }: RecordedEvent) => Number(position))
}

describe('a follower of a store', () => {
  const [a, b, c] = [anyStream(), anyStream(), anyStream()]

  it('gets what the store gives, if that skips nothing', async () => {
    await happens(a, b, a, c, b)
    expect(await given(store, 5)).toStrictEqual([0, 1, 2, 3, 4])
    expect(skipped).toStrictEqual([])
  })

  it('gets what the store skipped as soon as its stream continues, and one notice of it', async () => {
    await happens(a, b, a, b, a)
    expect(await given(leavingOut(2), 5)).toStrictEqual([0, 1, 3, 2, 4])
    expect(skipped).toStrictEqual([new EventsSkipped(1, 0n, 4n)])
  })

  it('gets with it everything else that was skipped since, in other streams too, each stream in order', async () => {
    await happens(a, b, a, c, b, c, a)
    expect(await given(leavingOut(2, 3, 4), 7)).toStrictEqual([0, 1, 5, 2, 3, 4, 6])
  })

  it('gets nothing twice if the gap is long', async () => {
    await happens(a, ...Array.from({ length: 30 }, () => [b, c]).flat(), a, a)
    const positions = await given(leavingOut(10, 11, 61), 63)
    expect(positions.toSorted((one, other) => one - other)).toStrictEqual(Array.from({ length: 63 }, (_, at) => at))
  })

  it('begins anywhere in a stream', async () => {
    await happens(a, a, a)
    const pages = withoutGaps(store, { onSkipped: (error) => skipped.push(error) }).follow(0n, {
      signal: new AbortController().signal,
      maxEvents: 100,
    })
    expect((await take(pages, 2)).map(({ revision }) => revision)).toStrictEqual([1, 2])
    expect(skipped).toStrictEqual([])
  })

  describe('that begins where another one ended', () => {
    /** The positions that two followers get, the second one from a position. */
    async function givenTwice(of: EventStore, first: number, from: bigint, second: number) {
      const guarded = withoutGaps(of, { onSkipped: (error) => skipped.push(error) })
      const pages = (after: bigint) => guarded.follow(after, { signal: new AbortController().signal, maxEvents: 100 })
      const positions = (events: readonly RecordedEvent[]) => events.map(({ position }) => Number(position))
      return [positions(await take(pages(beforeAllEvents), first)), positions(await take(pages(from), second))]
    }

    it('gets what was skipped since, in streams that the other one has seen', async () => {
      await happens(a, b, a, b, a)
      expect(await givenTwice(leavingOut(2, 3), 2, 1n, 3)).toStrictEqual([
        [0, 1],
        [2, 3, 4],
      ])
      expect(skipped).toStrictEqual([new EventsSkipped(2, 1n, 4n)])
    })

    it('gets nothing again that stands before its beginning', async () => {
      await happens(a, a, b, a)
      expect(await givenTwice(leavingOut(1), 2, 2n, 1)).toStrictEqual([[0, 2], [3]])
      expect(skipped).toStrictEqual([])
    })

    it('knows nothing of what the other one has seen after that beginning', async () => {
      await happens(a, b, a, b, a)
      expect(await givenTwice(leavingOut(), 4, 0n, 4)).toStrictEqual([
        [0, 1, 2, 3],
        [1, 2, 3, 4],
      ])
      expect(skipped).toStrictEqual([])
    })
  })

  it('remembers a limited number of streams', async () => {
    await happens(a, b, c, a, a)
    // The first stream is forgotten before it continues.
    expect(await given(leavingOut(3), 4, 2)).toStrictEqual([0, 1, 2, 4])
    expect(skipped).toStrictEqual([])
  })
})
