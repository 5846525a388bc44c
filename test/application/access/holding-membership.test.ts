import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inProcessLocks } from '../../../adapters/locks/in-process-locks.ts'
import { holdingMembership } from '../../../application/access/holding-membership.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import { ada, home } from '../../../domain/testing/people.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Holds Ada's membership with the locks of one process, where others wait for their turn. */
function holder() {
  const locks = inProcessLocks()
  return (act: () => Promise<string>) => holdingMembership({ locks }, home, ada, act)
}

describe('holding a membership', () => {
  it('lets one act at a time through, and the next after it', async () => {
    const hold = holder()
    const done: string[] = []
    let end = (): void => undefined
    const first = hold(() => new Promise((resolve) => (end = () => resolve('first'))))
    const second = hold(async () => 'second').then((name) => done.push(name))
    await vi.advanceTimersByTimeAsync(5000)
    expect(done).toStrictEqual([])
    end()
    expect(await first).toBe('first')
    await second
    expect(done).toStrictEqual(['second'])
  })

  it('ends at once if the act is refused', async () => {
    const hold = holder()
    await expect(hold(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    expect(await hold(async () => 'next')).toBe('next')
  })

  it('goes on for two seconds if it is not known what the act wrote, which is reported at once', async () => {
    const hold = holder()
    await expect(hold(() => Promise.reject(new Unavailable('no answer')))).rejects.toThrow('no answer')
    const done: string[] = []
    const next = hold(async () => 'next').then((name) => done.push(name))
    await vi.advanceTimersByTimeAsync(1990)
    expect(done).toStrictEqual([])
    await vi.advanceTimersByTimeAsync(20)
    await next
    expect(done).toStrictEqual(['next'])
  })
})
