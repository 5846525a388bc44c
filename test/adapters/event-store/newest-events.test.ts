import { describe, expect, it } from 'vitest'
import { newestEvents, newestEvents_max } from '../../../adapters/event-store/newest-events.ts'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import { anyStream, newEvent } from '../../contract/sample-events.ts'

const at = (...positions: readonly number[]): readonly RecordedEvent[] =>
  positions.map((position) => ({ ...newEvent(), stream: anyStream(), revision: 0, position: BigInt(position) }))
const positionsOf = (events: readonly RecordedEvent[]): readonly number[] =>
  events.map(({ position }) => Number(position))

/** What is kept for a follower that has finished a position. */
function keptFor(position: number) {
  const newest = newestEvents()
  const place = { position: BigInt(position) }
  newest.join(place)
  const after = (other: number, limit = 100) => positionsOf(newest.after(BigInt(other), limit))
  return { newest, place, after }
}

describe('the newest events of a store', () => {
  it('go on where they ended, and are given from any place among them', () => {
    const { newest, after } = keptFor(4)
    newest.extend(4n, at(5, 7))
    newest.extend(7n, at(8))
    expect(after(4)).toEqual([5, 7, 8])
    expect(after(5)).toEqual([7, 8])
    expect(after(6)).toEqual([7, 8])
    expect(after(4, 2)).toEqual([5, 7])
    expect(after(8)).toEqual([])
  })

  it('are not given to a follower that is further back: others may be missing in between', () => {
    const { newest, after } = keptFor(4)
    newest.extend(4n, at(5))
    expect(after(3)).toEqual([])
  })

  it('begin anew where others were written in between', () => {
    const { newest, after } = keptFor(4)
    newest.extend(4n, at(5))
    newest.extend(9n, at(10))
    expect(after(4)).toEqual([])
    expect(after(9)).toEqual([10])
  })

  it('are not doubled by a follower that also reads them from the store', () => {
    const { newest, after } = keptFor(4)
    newest.extend(4n, at(5, 6))
    newest.extend(4n, at(5))
    newest.extend(5n, at(6, 7))
    expect(after(4)).toEqual([5, 6, 7])
  })

  it('are left as they are by who reads older ones', () => {
    const { newest, after } = keptFor(4)
    newest.extend(4n, at(5))
    newest.extend(0n, at(1, 2))
    newest.extend(0n, at(1, 9))
    expect(after(4)).toEqual([5])
    expect(after(0)).toEqual([])
  })

  it('are kept until the slowest has had them', () => {
    const { newest, place, after } = keptFor(4)
    newest.join({ position: 6n })
    newest.extend(4n, at(5, 6))
    place.position = 5n
    newest.extend(6n, at(7))
    expect(after(4)).toEqual([])
    expect(after(5)).toEqual([6, 7])
    newest.leave(place)
    expect(after(5)).toEqual([])
    expect(after(6)).toEqual([7])
  })

  it('are bounded, however far a follower lags', () => {
    const { newest, after } = keptFor(0)
    newest.extend(0n, at(...Array.from({ length: newestEvents_max + 10 }, (_, index) => index + 1)))
    expect(after(0)).toEqual([])
    expect(after(10, newestEvents_max)).toHaveLength(newestEvents_max)
  })
})
