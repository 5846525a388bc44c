import type { IncomingHttpHeaders } from 'node:http'
import { refusal, type Refusal } from '../../../domain/kernel/refusal.ts'
import { emptyAnswer, noHeaders, type Answer, type Headers } from '../answer.ts'

/** The setting CORS_ORIGINS: origins as browsers send them, or `*` alone for all. */
export type AllowedOrigins = readonly string[]

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** The headers that operations read, and that browsers ask about. */
const read = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'X-Audit-Log-Reason',
  'X-Request-ID',
  'X-Service-Client-Properties',
  'X-Service-Features',
  'X-Service-Sudo-Mode-JWT',
].join(', ')
/** The headers of answers that clients go by. */
const exposed = [
  'X-Service-Version',
  'X-Service-Sudo-Mode-JWT',
  'X-Request-ID',
  'X-Has-More',
  'X-Next-After',
  'Retry-After',
  ...['Limit', 'Remaining', 'Reset', 'Reset-After', 'Bucket', 'Scope', 'Global'].map((name) => `X-RateLimit-${name}`),
].join(', ')
/** How long a browser may keep the answer to a preflight. Chromium keeps none longer than 7200 s. */
const preflight_seconds = 7200

/** Whether a preflight comes from a page of an allowed origin. */
export function isAllowedPreflight(
  allowed: AllowedOrigins,
  method: string | undefined,
  headers: IncomingHttpHeaders,
): boolean {
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
  return isPreflight && allowedOrigin(allowed, headers.origin) !== undefined
}

/** The answer to it, for every path: what exists there is for the request itself to say. */
export function preflightAnswer(): Answer {
  return emptyAnswer(204, {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': read,
    'access-control-max-age': String(preflight_seconds),
  })
}

/** The headers that let a page of an allowed origin read an answer, never with credentials of the browser. */
export function crossOriginHeaders(allowed: AllowedOrigins, origin: string | undefined): Headers {
  if (allowed.length === 0) return noHeaders
  const named = allowedOrigin(allowed, origin)
  return {
    // Caches must keep the answers for different origins apart.
    ...(allowed.includes('*') ? {} : { vary: 'Origin' }),
    ...(named === undefined ? {} : { 'access-control-allow-origin': named, 'access-control-expose-headers': exposed }),
  }
}

function allowedOrigin(allowed: AllowedOrigins, origin: string | undefined): string | undefined {
  if (origin === undefined) return undefined
  return allowed.includes('*') ? '*' : allowed.find((each) => each === origin)
}

/**
 * 403 INVALID_API_ORIGIN if a page of a foreign origin opens a websocket, which browsers let every page do; undefined for the
 * server's own origin, allowed ones, and clients that are no browsers and send no Origin. `own` are URLs of this server.
 */
export function foreignOriginRefusal(
  allowed: AllowedOrigins,
  own: readonly (string | undefined)[],
  { origin, host }: IncomingHttpHeaders,
): Refusal | undefined {
  if (origin === undefined || allowedOrigin(allowed, origin) !== undefined) return undefined
  if (host !== undefined && URL.canParse(origin) && new URL(origin).host === host) return undefined
  if (own.some((url) => url !== undefined && new URL(url).origin === origin)) return undefined
  return refusal('INVALID_API_ORIGIN')
}
