import { createHash } from 'node:crypto'
import type { Bucket } from '../bucket.ts'
import type { Headers } from '../answer.ts'
import type { Verdict } from './leaky-bucket.ts'

/** The headers about a bucket. `nowMs` is the time of day, in milliseconds since the Unix epoch. */
export function bucketHeaders(bucket: Bucket, verdict: Verdict, nowMs: number): Headers {
  const nowSeconds = Math.floor(nowMs / 1000)
  const reset = Math.ceil((nowMs + verdict.fullAfter_ms) / 1000)
  return {
    'x-ratelimit-limit': String(bucket.requests),
    'x-ratelimit-remaining': String(verdict.remaining),
    'x-ratelimit-reset': String(Math.max(reset, nowSeconds + 1)),
    // Rounded as retry_after is, so that it never names an earlier moment.
    'x-ratelimit-reset-after': String(Math.ceil(verdict.fullAfter_ms) / 1000),
    'x-ratelimit-bucket': createHash('sha256').update(bucket.name).digest('hex').slice(0, 16),
  }
}

/** Fractional seconds until one more request is admitted, rounded up to a millisecond, at least 0.001. */
export function retryAfterSeconds({ retryAfter_ms }: Verdict): number {
  return Math.max(1, Math.ceil(retryAfter_ms)) / 1000
}
