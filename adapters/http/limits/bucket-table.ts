import type { Rate } from '../../../application/ports/allowances.js'
import { drip, type Verdict } from './leaky-bucket.js'

/** The buckets that are not full, at most `buckets_max` of them. */
export interface BucketTable {
  /** Takes one request from the bucket of a key. `now` is milliseconds of a clock that never steps back. */
  take(key: string, rate: Rate, now: number): Verdict
  readonly size: number
}

interface Entry {
  readonly fullAt: number
  readonly rate: Rate
}

/** How many of the buckets that are full soonest are looked at for one that may go. */
const candidates_max = 64

/**
 * A bucket that is full again is one that nobody has used: it is dropped, and nothing is lost. Where the table is full of
 * others, the one that would be full soonest goes, but never one that has nothing left to give, since dropping it would let
 * an offender start anew; where there are only such, a key without a bucket is refused (abuse matrix, A33).
 */
export function bucketTable(buckets_max: number): BucketTable {
  const entries = new Map<string, Entry>()
  const calendar = keysBySecond()

  function keep(key: string, entry: Entry): void {
    const known = entries.get(key)
    if (known) calendar.remove(known.fullAt, key)
    entries.set(key, entry)
    calendar.add(entry.fullAt, key)
  }

  function drop(key: string, { fullAt }: Entry): void {
    entries.delete(key)
    calendar.remove(fullAt, key)
  }

  /** Drops one bucket that still has something to give. Says whether there was one. */
  function makeRoom(now: number): boolean {
    for (const key of calendar.soonest(candidates_max)) {
      const entry = entries.get(key)
      if (!entry || !drip(entry.rate, entry.fullAt, now).verdict.admitted) continue
      drop(key, entry)
      return true
    }
    return false
  }

  return {
    take(key, rate, now) {
      for (const full of calendar.takeUpTo(now)) entries.delete(full)
      const known = entries.get(key)
      if (!known && entries.size >= buckets_max && !makeRoom(now))
        return { admitted: false, remaining: 0, retryAfter_ms: 1000, fullAfter_ms: 1000 }
      const { verdict, fullAt } = drip(rate, known?.fullAt ?? now, now)
      if (verdict.admitted) keep(key, { fullAt, rate })
      return verdict
    },
    get size() {
      return entries.size
    },
  }
}

/** Keys by the second in which their bucket is full, so that those that are full soonest are found without a search. */
function keysBySecond() {
  const seconds = new Map<number, Set<string>>()
  let first = 0
  const secondOf = (ms: number): number => Math.ceil(ms / 1000)
  return {
    add(fullAt: number, key: string): void {
      const second = secondOf(fullAt)
      const keys = seconds.get(second)
      if (keys) keys.add(key)
      else seconds.set(second, new Set([key]))
    },
    remove(fullAt: number, key: string): void {
      const second = secondOf(fullAt)
      const keys = seconds.get(second)
      keys?.delete(key)
      if (keys?.size === 0) seconds.delete(second)
    },
    /** The keys whose second is over, taken out. */
    takeUpTo(now: number): readonly string[] {
      const over: string[] = []
      for (; first <= now / 1000 && seconds.size > 0; first += 1) {
        for (const key of seconds.get(first) ?? []) over.push(key)
        seconds.delete(first)
      }
      if (seconds.size === 0) first = Math.floor(now / 1000)
      return over
    },
    *soonest(limit: number): Generator<string> {
      let given = 0
      for (let second = first, left = seconds.size; left > 0; second += 1) {
        const keys = seconds.get(second)
        if (!keys) continue
        left -= 1
        for (const key of keys) {
          if (given === limit) return
          given += 1
          yield key
        }
      }
    },
  }
}
