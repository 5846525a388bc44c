import type { Rate } from '../../../application/ports/allowances.ts'

/** A bucket's answer to one request. Times are milliseconds from now. */
export interface Verdict {
  readonly admitted: boolean
  /** Whole requests that the bucket would still admit at once. */
  readonly remaining: number
  /** Until one more request would be admitted; 0 if `admitted`. */
  readonly retryAfter_ms: number
  /** Until the bucket is completely full again. */
  readonly fullAfter_ms: number
}

/** Far above the rounding errors of adding doubles, far below what a clock can measure. */
const rounding_ms = 1e-6

/** When a bucket is completely full again after `amount` was taken from it, even below empty. */
export function charged({ requests, seconds }: Rate, fullAt: number, now: number, amount: number): number {
  return Math.max(fullAt, now) + (amount * seconds * 1000) / requests
}

/**
 * One request at a leaky bucket (the generic cell rate algorithm): the verdict, and when the bucket is completely full again.
 * `fullAt` is when it was due to be full before this request. All instants are milliseconds of one clock.
 */
export function drip(
  { requests, seconds }: Rate,
  fullAt: number,
  now: number,
): { readonly verdict: Verdict; readonly fullAt: number } {
  const capacity = seconds * 1000
  const interval = capacity / requests
  const from = Math.max(fullAt, now)
  const owed = from + interval - now
  if (owed > capacity + rounding_ms) {
    const verdict = { admitted: false, remaining: 0, retryAfter_ms: owed - capacity, fullAfter_ms: from - now }
    return { verdict, fullAt: from }
  }
  const remaining = Math.floor((capacity - owed + rounding_ms) / interval)
  return { verdict: { admitted: true, remaining, retryAfter_ms: 0, fullAfter_ms: owed }, fullAt: now + owed }
}
