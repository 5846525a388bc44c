import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ReadModelsBehind } from '../../../application/failures/read-models-behind.ts'
import { poll_ms, progress, readModelWait_ms_max } from '../../../projections/runner/progress.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('a waiter for a position', () => {
  it('is called once it is reached, and at once if it was reached already', async () => {
    const known = progress(() => undefined)
    const told: bigint[] = []
    for (const position of [2n, 1n, 3n]) void known.reached(position).then(() => told.push(position))
    known.note(2n)
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toStrictEqual([2n, 1n])
    known.note(1n)
    expect(known.position).toBe(2n)
    await known.reached(2n)
    known.note(5n)
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toStrictEqual([2n, 1n, 3n])
  })

  it('makes the position be looked up again and again, which nothing else does', async () => {
    const look = vi.fn<() => void>()
    const known = progress(look)
    await vi.advanceTimersByTimeAsync(1000)
    expect(look).toHaveBeenCalledTimes(0)
    const waiting = known.reached(1n)
    await vi.advanceTimersByTimeAsync(10 * poll_ms)
    expect(look).toHaveBeenCalledTimes(10)
    known.note(1n)
    await waiting
    await vi.advanceTimersByTimeAsync(1000)
    expect(look).toHaveBeenCalledTimes(10)
  })

  it('is rejected after 10 seconds, while others go on waiting', async () => {
    const known = progress(() => undefined)
    const turnedAway = known.reached(1n).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(readModelWait_ms_max - poll_ms)
    const later = known.reached(2n)
    await vi.advanceTimersByTimeAsync(2 * poll_ms)
    expect(await turnedAway).toBeInstanceOf(ReadModelsBehind)
    known.note(2n)
    await later
  })
})
