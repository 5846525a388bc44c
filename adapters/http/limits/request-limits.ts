import type { Rate } from '../../../application/ports/allowances.js'
import { hasFlag, type AccountFlag } from '../../../domain/account/flags.js'
import { refusal } from '../../../domain/kernel/refusal.js'
import type { Authenticated } from '../authentication/credential.js'
import type { Bucket } from '../bucket.js'
import { refusalAnswer } from '../errors/failure-answer.js'
import { noHeaders, type Answer, type Headers } from '../server/answer.js'
import { identityOf } from './identity.js'
import type { Verdict } from './leaky-bucket.js'
import { bucketHeaders, retryAfterHeader, retryAfterSeconds } from './rate-limit-headers.js'
import type { RateLimits } from './rate-limits.js'

const globalRate: Rate = { requests: 50, seconds: 1 }
const highGlobalRate: Rate = { requests: 1200, seconds: 1 }

/** A request on its way to its buckets. */
export interface LimitedRequest {
  readonly bucket: Bucket
  /** The value of the bucket's path parameter, the same for every spelling of it; null where the bucket has none. */
  readonly partition: string | null
  readonly authenticated: Authenticated | undefined
  readonly ip: string
}

/** Either the answer of a refusal, or the headers that the answer of success carries. */
export type Admission =
  { readonly admitted: false; readonly answer: Answer } | { readonly admitted: true; readonly headers: Headers }

const withoutHeaders: Admission = { admitted: true, headers: noHeaders }

/** The global bucket, then the bucket of the route (reference identity 1.9). `off` limits nothing and sends no headers. */
export function requestLimits(rateLimits: RateLimits | 'off', now: () => number = Date.now) {
  return async ({ bucket, partition, authenticated, ip }: LimitedRequest): Promise<Admission> => {
    const has = (flag: AccountFlag): boolean => authenticated !== undefined && hasFlag(authenticated.account, flag)
    if (rateLimits === 'off' || has('RATE_LIMIT_BYPASS')) return withoutHeaders
    const identity = identityOf(authenticated, ip)
    const globally = await rateLimits.take(
      `global ${identity}`,
      has('HIGH_GLOBAL_RATE_LIMIT') ? highGlobalRate : globalRate,
    )
    if (!globally.admitted)
      return refused(true, globally, { 'x-ratelimit-scope': 'global', 'x-ratelimit-global': 'true' })
    const verdict = await rateLimits.take(`route ${identity} ${substituted(bucket, partition)}`, bucket)
    if (!verdict.admitted)
      return refused(false, verdict, { 'x-ratelimit-scope': 'user', ...bucketHeaders(bucket, verdict, now()) })
    return authenticated?.account.bot
      ? { admitted: true, headers: bucketHeaders(bucket, verdict, now()) }
      : withoutHeaders
  }
}

/** The bucket's name with the value of its parameter in place of the parameter's name. */
function substituted({ name, parameter }: Bucket, partition: string | null): string {
  return parameter === null ? name : name.slice(0, name.length - parameter.length) + (partition ?? '')
}

function refused(global: boolean, verdict: Verdict, headers: Headers): Admission {
  const seconds = retryAfterSeconds(verdict)
  const answer = refusalAnswer({ ...refusal('RATE_LIMITED'), details: { global, retry_after: seconds } })
  return {
    admitted: false,
    answer: { ...answer, headers: { ...answer.headers, ...headers, ...retryAfterHeader(seconds) } },
  }
}
