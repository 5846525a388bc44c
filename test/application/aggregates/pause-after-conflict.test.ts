import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { attempts_max } from '../../../application/aggregates/execute.ts'
import { conflictPause_ms, pauseAfterConflict } from '../../../application/aggregates/pause-after-conflict.ts'

describe('the pause of a command that lost a conflict', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })

  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  /** The wait after this many conflicts, with the given random number. */
  async function pause_ms(conflicts: number, drawn: number): Promise<number> {
    vi.spyOn(Math, 'random').mockReturnValue(drawn)
    const began = Date.now()
    const paused = pauseAfterConflict(conflicts).then(() => Date.now() - began)
    // Not "all timers": other files of this worker may have some that begin again for ever.
    await vi.advanceTimersByTimeAsync(conflictPause_ms.max)
    return paused
  }

  it('is zero after the first conflict', async () => {
    expect(await pause_ms(1, 0.99)).toBe(0)
  })

  it('at most doubles with each further conflict, up to a bound', async () => {
    const longest: number[] = []
    for (let conflicts = 2; conflicts <= attempts_max; conflicts += 1) longest.push(await pause_ms(conflicts, 1))
    const { first, max } = conflictPause_ms
    expect(longest.slice(0, 4)).toStrictEqual([first, first * 2, first * 4, first * 8])
    expect(longest.at(-1)).toBe(max)
    expect(Math.max(...longest)).toBe(max)
  })

  it('is a random part of that', async () => {
    expect(await pause_ms(20, 0.5)).toBe(conflictPause_ms.max / 2)
    expect(await pause_ms(20, 0)).toBeLessThanOrEqual(1)
  })
})
