import type { Allowances } from '../../../application/ports/allowances.js'
import { retryAfterSeconds } from './rate-limit-headers.js'
import type { RateLimits } from './rate-limits.js'

/** Allowances kept as leaky buckets beside those of the routes; `off` allows everything (supplement, RATE_LIMITS). */
export function allowancesOver(rateLimits: RateLimits | 'off'): Allowances {
  return {
    async take(name, key, rate) {
      if (rateLimits === 'off') return { allowed: true }
      const verdict = await rateLimits.take(`allowance ${name} ${key}`, rate)
      return verdict.admitted ? { allowed: true } : { allowed: false, retryAfterSeconds: retryAfterSeconds(verdict) }
    },
  }
}
