import { describe, expect, it } from 'vitest'
import { newestEvents } from '../../../adapters/event-store/newest-events.ts'
import { newsOf } from '../../../application/concurrency/news.ts'
import { followedPages } from '../../../adapters/event-store/pages.ts'
import { beforeAll as beforeAllEvents } from '../../../domain/kernel/position.ts'
import { collect } from '../../contract/sample-events.ts'

describe('a follower that waits', () => {
  /** How often an empty store is read in 100 ms. */
  async function readsOfNothing(poll_ms: number, announced: bigint): Promise<number> {
    const news = newsOf(beforeAllEvents, poll_ms)
    news.announce(announced)
    let reads = 0
    const readPage = async () => {
      reads += 1
      return []
    }
    const options = { signal: AbortSignal.timeout(100), maxEvents: 10 }
    const followed = followedPages(beforeAllEvents, options, { readPage, news, newest: newestEvents() })
    expect(await collect(followed)).toEqual([])
    return reads
  }

  it('reads again at each poll, and no more often', async () => {
    const reads = await readsOfNothing(20, beforeAllEvents)
    expect(reads).toBeGreaterThan(1)
    expect(reads).toBeLessThanOrEqual(6)
  })

  it('does not spin for an announced position that is not there to read', async () => {
    expect(await readsOfNothing(3_600_000, 999_999n)).toBe(1)
  })
})
