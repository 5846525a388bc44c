import { createHash, timingSafeEqual } from 'node:crypto'
import type { Registry } from 'prom-client'
import { reject } from '../../../application/commands/refused.ts'
import type { Answer } from '../answer.ts'
import type { Exchange, Work } from '../request/exchange.ts'
import { fixedBuckets, withinBucket, type RequestLimits } from './fixed-buckets.ts'

export interface MetricsPageSettings {
  readonly registry: Registry
  /** The token that a Bearer header must show; undefined needs none (METRICS_TOKEN). */
  readonly token: string | undefined
  readonly limits: RequestLimits
}

const made_ms = 1000

/** The metrics as text, made at most once a second. Refuses with RATE_LIMITED, and with UNAUTHORIZED without the token. */
export function metricsPage({ registry, token, limits }: MetricsPageSettings): Work<Answer> {
  const text = madeAtMostEvery(made_ms, () => registry.metrics())
  return withinBucket(fixedBuckets.metrics, limits, async (exchange) => {
    if (token !== undefined) requireToken(exchange, token)
    return { status: 200, headers: { 'content-type': registry.contentType }, body: await text() }
  })
}

/** A wrong token counts as an unresolved credential. */
function requireToken(exchange: Exchange, token: string): void {
  const { authorization } = exchange.facts
  if (authorization !== undefined && isSame(authorization, `Bearer ${token}`)) return
  exchange.sender = authorization === undefined ? 'nobody' : 'unresolved'
  reject('UNAUTHORIZED')
}

/** Takes constant time, which does not reveal where the values differ. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}

/** After a failure, the next caller makes it again. */
function madeAtMostEvery(interval_ms: number, make: () => Promise<string>): () => Promise<string> {
  let last: { readonly at_ms: number; readonly text: Promise<string> } | undefined
  return () => {
    const now = performance.now()
    if (last && now - last.at_ms < interval_ms) return last.text
    const text = make().catch((error: unknown) => {
      last = undefined
      throw error
    })
    last = { at_ms: now, text }
    return text
  }
}
