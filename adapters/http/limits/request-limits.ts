import type { Rate } from '../../../application/ports/allowances.ts'
import { hasFlag, type AccountFlag } from '../../../domain/account/flags.ts'
import { refusal } from '../../../domain/kernel/refusal.ts'
import type { Language } from '../../../domain/text/languages.ts'
import type { Authenticated } from '../authentication/credential.ts'
import type { Bucket } from '../bucket.ts'
import { refusalAnswer } from '../errors/failure-answer.ts'
import { retryAfterHeader, noHeaders, type Answer, type Headers } from '../answer.ts'
import type { Costs, CostState, Payer } from './costs.ts'
import { identityOf } from './identity.ts'
import type { Verdict } from './leaky-bucket.ts'
import { bucketHeaders, retryAfterSeconds } from './rate-limit-headers.ts'
import type { BothVerdicts, KeyedBucket, RateLimits } from './rate-limits.ts'

/** The global limits: for every caller, and for accounts with the flag HIGH_GLOBAL_RATE_LIMIT. */
export const globalRate: Rate = { requests: 50, seconds: 1 }
export const highGlobalRate: Rate = { requests: 1200, seconds: 1 }

/** A request before its limits are checked. */
export interface LimitedRequest {
  readonly bucket: Bucket
  /** The value of the bucket's path parameter, equal for every spelling of it; null if the bucket has none. */
  readonly partition: string | null
  readonly authenticated: Authenticated | undefined
  readonly ip: string
  /** The language of the refusal's message. */
  readonly language: Language
}

/** Either the answer of a refusal, or the headers of the successful answer. */
export type Admission =
  | { readonly admitted: false; readonly answer: Answer }
  | { readonly admitted: true; readonly headers: Headers }

const withoutHeaders: Admission = { admitted: true, headers: noHeaders }

/**
 * Checks the global bucket, then what the identity consumed before (decision 54), then the bucket of the route. `off`
 * limits nothing and sends no headers. Without `costs`, costs are not checked or reported. `onUnlimited` is waited for
 * by requests that ask no bucket.
 */
export function requestLimits(
  rateLimits: RateLimits | 'off',
  now: () => number = Date.now,
  costs?: Costs,
  onUnlimited?: () => Promise<void>,
) {
  return async ({ bucket, partition, authenticated, ip, language }: LimitedRequest): Promise<Admission> => {
    const has = (flag: AccountFlag): boolean => authenticated !== undefined && hasFlag(authenticated.account, flag)
    if (rateLimits === 'off' || has('RATE_LIMIT_BYPASS')) {
      await onUnlimited?.()
      return withoutHeaders
    }
    const identity = identityOf(authenticated, ip)
    const rate = has('HIGH_GLOBAL_RATE_LIMIT') ? highGlobalRate : globalRate
    const global = bucket.beyondGlobal ? undefined : { key: `global ${identity}`, rate }
    const states = costs?.look(payerOf(authenticated, ip)) ?? []
    const overdrawn = states.find((state) => !state.verdict.admitted)
    if (overdrawn) {
      const globally = global && (await rateLimits.take(global.key, global.rate))
      if (globally?.admitted === false) return refusedGlobally(language, globally)
      return refused(language, false, overdrawn.verdict, costHeaders(overdrawn, now()))
    }
    const route = { key: `route ${identity} ${substituted(bucket, partition)}`, rate: bucket }
    const { first, second: verdict } = await takeEach(rateLimits, global, route)
    if (!verdict) return refusedGlobally(language, first)
    if (!verdict.admitted)
      return refused(language, false, verdict, {
        'x-ratelimit-scope': 'user',
        ...bucketHeaders(bucket, verdict, now()),
      })
    const isTold = authenticated ? authenticated.account.bot : bucket.tellsStrangers === true
    return isTold
      ? { admitted: true, headers: { ...bucketHeaders(bucket, verdict, now()), ...remainingOf(states) } }
      : withoutHeaders
  }
}

/** Takes from the global bucket, if the request has one, and then from that of its route. */
async function takeEach(
  rateLimits: RateLimits,
  global: KeyedBucket | undefined,
  route: KeyedBucket,
): Promise<BothVerdicts> {
  if (global) return rateLimits.takeBoth(global, route)
  const verdict = await rateLimits.take(route.key, route.rate)
  return { first: verdict, second: verdict }
}

/** The identity that a request's cost is charged to. An identity that may send more requests may consume more. */
export function payerOf(authenticated: Authenticated | undefined, ip: string): Payer {
  const isHigh = authenticated !== undefined && hasFlag(authenticated.account, 'HIGH_GLOBAL_RATE_LIMIT')
  const times = isHigh ? highGlobalRate.requests / globalRate.requests : 1
  return { identity: identityOf(authenticated, ip), times }
}

/** Whether a request's cost is charged at all. */
export function isCharged(authenticated: Authenticated | undefined): boolean {
  return authenticated === undefined || !hasFlag(authenticated.account, 'RATE_LIMIT_BYPASS')
}

function costHeaders({ bucket, unit, verdict }: CostState, nowMs: number): Headers {
  return { 'x-ratelimit-scope': 'user', ...bucketHeaders(bucket, verdict, nowMs), 'x-ratelimit-unit': unit }
}

/** Headers for bots beside those of the route's bucket: what they may still consume. */
function remainingOf(states: readonly CostState[]): Headers {
  return Object.fromEntries(
    states.map(({ unit, verdict }) => [`x-ratelimit-${unit}-remaining`, String(verdict.remaining)]),
  )
}

/** The bucket's name with the value of its parameter instead of the parameter's name. */
function substituted({ name, parameter }: Bucket, partition: string | null): string {
  return parameter === null ? name : name.slice(0, name.length - parameter.length) + (partition ?? '')
}

const refusedGlobally = (language: Language, verdict: Verdict): Admission =>
  refused(language, true, verdict, { 'x-ratelimit-scope': 'global', 'x-ratelimit-global': 'true' })

function refused(language: Language, global: boolean, verdict: Verdict, headers: Headers): Admission {
  const seconds = retryAfterSeconds(verdict)
  const answer = refusalAnswer({ ...refusal('RATE_LIMITED'), details: { global, retry_after: seconds } }, language)
  return {
    admitted: false,
    answer: { ...answer, headers: { ...answer.headers, ...headers, ...retryAfterHeader(seconds) } },
  }
}
