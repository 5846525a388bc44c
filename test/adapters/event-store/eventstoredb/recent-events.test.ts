import { describe, expect, it } from 'vitest'
import { reachesBack, timeOfIds } from '../../../../adapters/event-store/eventstoredb/look-back.ts'
import {
  recentEvents,
  stretchEvents_max,
  type SeenEvent,
} from '../../../../adapters/event-store/eventstoredb/recent-events.ts'
import { uuid7 } from '../../../../application/commands/derive-id.ts'

const seen = (revision: number, recorded_ms = revision): SeenEvent => ({
  eventId: `event ${revision}`,
  storeId: `stored ${revision}`,
  revision,
  position: BigInt(revision * 100),
  recorded_ms,
})
const from = (first: number, last: number): readonly SeenEvent[] =>
  Array.from({ length: last - first + 1 }, (_, index) => seen(first + index))

describe('what is known of the newest events of a stream', () => {
  const known = (...notes: (readonly SeenEvent[])[]): readonly number[] => {
    const recent = recentEvents()
    for (const note of notes) recent.note('a', note)
    const stretch = recent.of('a')
    const revisions = [...(stretch?.events.values() ?? [])].map(({ revision }) => revision)
    expect([stretch?.first.revision, stretch?.last.revision]).toEqual([revisions.at(0), revisions.at(-1)])
    return revisions
  }

  it('grows at both ends, over what it has already', () => {
    expect(known(from(3, 5), from(6, 7))).toEqual([3, 4, 5, 6, 7])
    expect(known(from(3, 5), from(0, 2))).toEqual([0, 1, 2, 3, 4, 5])
    expect(known(from(3, 5), from(1, 8))).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(known(from(3, 5), from(4, 4))).toEqual([3, 4, 5])
    expect(known([])).toEqual([])
  })

  it('never has a gap: the newer part stays', () => {
    expect(known(from(3, 5), from(7, 8))).toEqual([7, 8])
    expect(known(from(7, 8), from(3, 5))).toEqual([7, 8])
  })

  it('is bounded', () => {
    const revisions = known(from(0, stretchEvents_max), from(stretchEvents_max + 1, stretchEvents_max + 9))
    expect(revisions).toHaveLength(stretchEvents_max)
    expect(revisions.at(0)).toBe(10)
  })

  it('reaches back to the beginning, to before a time, or as far as it is kept', () => {
    const of = (events: readonly SeenEvent[]) => {
      const recent = recentEvents()
      recent.note('a', events)
      return recent.of('a')
    }
    expect(reachesBack(of(from(0, 3)), 3, 0)).toBe(true)
    expect(reachesBack(of(from(0, 3)), 4, 0)).toBe(false)
    expect(reachesBack(of(from(1, 3)), 3, 0)).toBe(false)
    expect(reachesBack(of(from(1, 3)), 3, 2)).toBe(true)
    expect(reachesBack(of(from(1, stretchEvents_max)), 3, 0)).toBe(true)
    expect(reachesBack(undefined, 3, 0)).toBe(false)
  })
})

describe('the time in event ids', () => {
  it('is that of the earliest UUIDv7, and the beginning of time where one is none', () => {
    const [early, late] = [uuid7(1_700_000_000_000, Buffer.alloc(10, 7)), uuid7(1_800_000_000_000, Buffer.alloc(10))]
    expect(timeOfIds([late, early])).toBe(1_700_000_000_000)
    expect(timeOfIds([late, '6f2b1f04-6a6c-4f3c-9f0a-0123456789ab'])).toBe(0)
  })
})
