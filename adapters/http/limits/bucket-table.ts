import type { Rate } from '../../../application/ports/allowances.ts'
import { fillingCalendar } from './filling-calendar.ts'
import { charged, drip, type Verdict } from './leaky-bucket.ts'

/** The buckets that are not full, at most `buckets_max`. */
export interface BucketTable {
  /** Takes one request from the bucket of a key. `now` is in milliseconds, from a clock that never steps back. */
  take(key: string, rate: Rate, now: number): Verdict
  /** Takes an amount from the bucket of a key, even below empty. Does nothing if there is no space for the bucket. */
  charge(key: string, rate: Rate, amount: number, now: number): void
  /** Empties a bucket at least as far as others report it: `owed_ms` milliseconds from full. */
  raise(key: string, rate: Rate, owed_ms: number, now: number): void
  /** Fills the bucket of a key, which has the same effect as dropping it. */
  reset(key: string): void
  /** The verdict that a take would give if there is space for the bucket. Takes nothing. */
  look(key: string, rate: Rate, now: number): Verdict
  readonly size: number
}

interface Entry {
  readonly fullAt: number
  readonly rate: Rate
}

/** The verdict for a key without a bucket when the table has no space for one more. */
export const noSpace: Verdict = { admitted: false, remaining: 0, retryAfter_ms: 1000, fullAfter_ms: 1000 }

/** How many of the buckets that are full soonest are checked for one that may be dropped. */
const candidates_max = 64

/**
 * A full bucket equals an unused one, so it is dropped without loss. If the table is full of others, the one that would
 * be full soonest is dropped, but never an exhausted one, since that would give an offender a new start. If all are
 * exhausted, a key without a bucket is refused.
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

  /** Drops one bucket that still admits requests. Gives whether there was one. */
  function makeSpace(now: number): boolean {
    for (const key of calendar.soonest(candidates_max)) {
      const entry = entries.get(key)
      if (!entry || !drip(entry.rate, entry.fullAt, now).verdict.admitted) continue
      drop(key, entry)
      return true
    }
    return false
  }

  /** Whether the bucket of a key exists or may be added. */
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
