import type { Rate } from '../../../application/ports/allowances.js'
import { fillingCalendar } from './filling-calendar.js'
import { charged, drip, type Verdict } from './leaky-bucket.js'

/** The buckets that are not full, at most `buckets_max` of them. */
export interface BucketTable {
  /** Takes one request from the bucket of a key. `now` is milliseconds of a clock that never steps back. */
  take(key: string, rate: Rate, now: number): Verdict
  /** Takes an amount from the bucket of a key, whatever is left in it; nothing where there is no space for the bucket. */
  charge(key: string, rate: Rate, amount: number, now: number): void
  /** Leaves a bucket at least so far from full as others say that it is: `owed_ms` milliseconds. */
  raise(key: string, rate: Rate, owed_ms: number, now: number): void
  /** Fills the bucket of a key, which is as good as dropping it. */
  reset(key: string): void
  /** What a take would come to, where there is space for the bucket. Takes nothing. */
  look(key: string, rate: Rate, now: number): Verdict
  readonly size: number
}

interface Entry {
  readonly fullAt: number
  readonly rate: Rate
}

/** What a key without a bucket is told where there is no space for one more. */
export const noSpace: Verdict = { admitted: false, remaining: 0, retryAfter_ms: 1000, fullAfter_ms: 1000 }

/** How many of the buckets that are full soonest are looked at for one that may go. */
const candidates_max = 64

/**
 * A bucket that is full again is one that nobody has used: it is dropped, and nothing is lost. Where the table is full of
 * others, the one that would be full soonest goes, but never one that has nothing left to give, since dropping it would let
 * an offender start anew; where there are only such, a key without a bucket is refused (abuse matrix, A33).
 */
export function bucketTable(buckets_max: number): BucketTable {
  const entries = new Map<string, Entry>()
  const calendar = fillingCalendar()

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
  function makeSpace(now: number): boolean {
    for (const key of calendar.soonest(candidates_max)) {
      const entry = entries.get(key)
      if (!entry || !drip(entry.rate, entry.fullAt, now).verdict.admitted) continue
      drop(key, entry)
      return true
    }
    return false
  }

  /** Whether the bucket of a key is kept, or may be. */
  function hasSpace(key: string, now: number): boolean {
    for (const full of calendar.takeUpTo(now)) entries.delete(full)
    return entries.has(key) || entries.size < buckets_max || makeSpace(now)
  }

  return {
    take(key, rate, now) {
      if (!hasSpace(key, now)) return noSpace
      const known = entries.get(key)
      const { verdict, fullAt } = drip(rate, known?.fullAt ?? now, now)
      if (verdict.admitted) keep(key, { fullAt, rate })
      return verdict
    },
    charge(key, rate, amount, now) {
      if (hasSpace(key, now)) keep(key, { fullAt: charged(rate, entries.get(key)?.fullAt ?? now, now, amount), rate })
    },
    raise(key, rate, owed_ms, now) {
      const fullAt = now + owed_ms
      if (hasSpace(key, now) && fullAt > (entries.get(key)?.fullAt ?? now)) keep(key, { fullAt, rate })
    },
    reset(key) {
      const known = entries.get(key)
      if (known) drop(key, known)
    },
    look: (key, rate, now) => drip(rate, entries.get(key)?.fullAt ?? now, now).verdict,
    get size() {
      return entries.size
    },
  }
}
