import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { aborted, pause, unlessAborted } from '../../../application/concurrency/pauses.ts'

const hour_ms = 3_600_000
const forever = new Promise<void>(() => undefined)

function listeners(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length
}

describe('a pause', () => {
  it('lasts its time, and removes its listener from the signal', async () => {
    const { signal } = new AbortController()
    const since = performance.now()
    await pause(20, signal)
    // A timer may be a millisecond early.
    expect(performance.now() - since).toBeGreaterThanOrEqual(19)
    expect(listeners(signal)).toBe(0)
  })

  it('ends as soon as its signal aborts, and at once if it has', async () => {
    const end = new AbortController()
    const paused = pause(hour_ms, end.signal)
    end.abort()
    await paused
    await pause(hour_ms, end.signal)
  })
})

describe('a wait for a signal', () => {
  it('lasts until it aborts', async () => {
    const end = new AbortController()
    let over = false
    const waiting = aborted(end.signal).then(() => (over = true))
    await new Promise(setImmediate)
    expect(over).toBe(false)
    end.abort()
    await waiting
    await aborted(end.signal)
  })
})

describe('a wait for a promise with a signal', () => {
  it('ends as the promise does, and removes its listener from the signal', async () => {
    const { signal } = new AbortController()
    await unlessAborted(Promise.resolve(), signal)
    await expect(unlessAborted(Promise.reject(new Error('lost')), signal)).rejects.toThrow('lost')
    expect(listeners(signal)).toBe(0)
  })

  it('ends once the signal aborts', async () => {
    const end = new AbortController()
    const waiting = unlessAborted(forever, end.signal)
    end.abort()
    await waiting
    await unlessAborted(forever, end.signal)
  })
})
