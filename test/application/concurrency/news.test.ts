import { describe, expect, it } from 'vitest'
import { newsOf } from '../../../application/concurrency/news.ts'

const never = new AbortController().signal
const hour_ms = 3_600_000

/** Whether a promise has resolved by the next turn of the event loop. */
async function isOver(promise: Promise<void>): Promise<boolean> {
  let over = false
  void promise.then(() => (over = true))
  await new Promise(setImmediate)
  return over
}

describe('news of a number that only rises', () => {
  it('keeps the highest number, whatever is announced after it', () => {
    const news = newsOf<bigint>(-1n, hour_ms)
    expect(news.newest()).toBe(-1n)
    for (const position of [3n, 7n, 5n]) news.announce(position)
    expect(news.newest()).toBe(7n)
  })

  it('wakes those who wait for it, and nobody who waits for a newer one', async () => {
    const end = new AbortController()
    const news = newsOf<number>(0, hour_ms)
    const [early, late] = [news.after(0, end.signal), news.after(2, end.signal)]
    news.announce(2)
    expect([await isOver(early), await isOver(late)]).toEqual([true, false])
    news.announce(3)
    expect(await isOver(late)).toBe(true)
  })

  it('does not wait if the number is there already', async () => {
    const news = newsOf<number>(0, hour_ms)
    news.announce(1)
    expect(await isOver(news.after(0, never))).toBe(true)
  })

  it('waits no longer than the poll', async () => {
    await newsOf<number>(0, 1).after(0, never)
  })

  it('stops waiting once the signal aborts', async () => {
    const end = new AbortController()
    const waiting = newsOf<number>(0, hour_ms).after(0, end.signal)
    expect(await isOver(waiting)).toBe(false)
    end.abort()
    expect(await isOver(waiting)).toBe(true)
    expect(await isOver(newsOf<number>(0, hour_ms).after(0, end.signal))).toBe(true)
  })
})
