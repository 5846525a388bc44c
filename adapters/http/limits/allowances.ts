import type { Allowance, Allowances } from '../../../application/ports/allowances.ts'
import type { Verdict } from './leaky-bucket.ts'
import { retryAfterSeconds } from './rate-limit-headers.ts'
import type { RateLimits } from './rate-limits.ts'

/** Allowances kept as leaky buckets beside the routes' buckets; `off` allows everything. */
export function allowancesOver(rateLimits: RateLimits | 'off'): Allowances {
  const bucketKey = (name: string, key: string): string => `allowance ${name} ${key}`
  return {
    async take(name, key, rate) {
      return rateLimits === 'off' ? { allowed: true } : allowanceOf(await rateLimits.take(bucketKey(name, key), rate))
    },
    async look(name, key, rate) {
      return rateLimits === 'off' ? { allowed: true } : allowanceOf(await rateLimits.look(bucketKey(name, key), rate))
    },
    async reset(name, key) {
      if (rateLimits !== 'off') await rateLimits.reset(bucketKey(name, key))
    },
  }
}

function allowanceOf(verdict: Verdict): Allowance {
  return verdict.admitted ? { allowed: true } : { allowed: false, retryAfterSeconds: retryAfterSeconds(verdict) }
}
