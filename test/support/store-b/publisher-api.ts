import type { KeyObject } from 'node:crypto'
import { jwtVerify } from 'jose'
import type { JsonAnswer, StoreRequestSeen } from '../stores/json-server.ts'
import type { TestClock } from '../stores/test-clock.ts'
import type { PushSigner } from './push.ts'
import { packageName, productAnswer, subscriptionAnswer, type StoreBSale } from './sales.ts'

/** Entries of a page of the voided purchases. */
export const voidedPage_max = 20
const token_s = 3600
const base = `/androidpublisher/v3/applications/${packageName}/`

export interface VoidedEntry {
  readonly purchaseToken: string
  readonly orderId: string
  readonly voided_ms: number
}

/** What the store has, and knows of the service that asks it. */
export interface StoreBBooks {
  readonly sales: ReadonlyMap<string, StoreBSale>
  readonly voided: VoidedEntry[]
  /** Access tokens, with their ends. */
  readonly accessTokens: Map<string, number>
  readonly clientEmail: string
  readonly publicKey: KeyObject
  readonly clock: TestClock
  readonly push: PushSigner
  /** The address of the double. */
  readonly url: () => string
}

/** The API of store B, its server of tokens, and the keys of its queue. */
export function publisherApi(books: StoreBBooks) {
  return async (seen: StoreRequestSeen): Promise<JsonAnswer> => {
    const resource = `${seen.method} ${seen.path}`
    if (resource === 'POST /token') return grant(books, seen)
    if (resource === 'GET /certs') return { status: 200, body: await books.push.jwks() }
    const ends_ms = books.accessTokens.get((seen.authorization ?? '').replace(/^Bearer /, '')) ?? 0
    if (ends_ms <= books.clock.now()) return storeBError(401)
    if (!seen.path.startsWith(base)) return storeBError(403)
    return answerBelow(books, seen, seen.path.slice(base.length).split('/').map(decodeURIComponent))
  }
}

/** Grants an access token for an assertion that our service account has signed. */
async function grant({ accessTokens, clientEmail, publicKey, clock, url }: StoreBBooks, { text }: StoreRequestSeen) {
  const asked = new URLSearchParams(text)
  try {
    if (asked.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') throw new Error('another grant')
    const { payload } = await jwtVerify(asked.get('assertion') ?? '', publicKey, {
      algorithms: ['RS256'],
      issuer: clientEmail,
      audience: `${url()}/token`,
      requiredClaims: ['iat', 'exp'],
      currentDate: new Date(clock.now()),
    })
    if (payload['scope'] !== 'https://www.googleapis.com/auth/androidpublisher') throw new Error('another scope')
  } catch (error) {
    return { status: 400, body: { error: 'invalid_grant', error_description: String(error) } }
  }
  const token = `access-${accessTokens.size + 1}`
  accessTokens.set(token, clock.now() + token_s * 1000)
  return { status: 200, body: { access_token: token, expires_in: token_s, token_type: 'Bearer' } }
}

function answerBelow(books: StoreBBooks, seen: StoreRequestSeen, parts: readonly string[]): JsonAnswer {
  const [collection = '', kind = '', ...rest] = parts
  if (collection === 'orders') return refund(books, kind, seen.query)
  if (kind === 'voidedpurchases') return voidedPage(books, seen.query)
  const [token = '', verb = ''] = (rest.at(-1) ?? '').split(':')
  const sale = books.sales.get(token)
  if (!sale || (sale.basePlanId === undefined) !== kind.startsWith('product')) return storeBError(404)
  const now_ms = books.clock.now()
  if (seen.method === 'GET')
    return { status: 200, body: kind === 'productsv2' ? productAnswer(sale) : subscriptionAnswer(sale, now_ms) }
  return change(sale, `${kind}:${verb}`, rest[0] ?? '', seen)
}

/** Changes a purchase, by the collection and the verb of the request. */
function change(sale: StoreBSale, act: string, productId: string, { text }: StoreRequestSeen): JsonAnswer {
  const body = JSON.parse(text || '{}') as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  const isNamed = productId === sale.productId
  const reason = body['cancellationContext']?.['cancellationType']
  if (act === 'subscriptions:acknowledge' && isNamed && !sale.acknowledged) sale.acknowledged = true
  else if (act === 'products:consume' && isNamed && !sale.consumed) sale.consumed = true
  else if (act === 'subscriptionsv2:cancel' && reason === 'DEVELOPER_REQUESTED_STOP_PAYMENTS') sale.canceled = true
  else if (act === 'subscriptionsv2:revoke' && body['revocationContext']?.['fullRefund'] !== undefined)
    sale.ended = true
  else return storeBError(400)
  return { status: 200, body: {} }
}

function refund({ sales, voided, clock }: StoreBBooks, part: string, query: URLSearchParams): JsonAnswer {
  const sale = [...sales.values()].find(({ orderId }) => part === `${orderId}:refund`)
  if (!sale) return storeBError(404)
  if (sale.ended || query.get('revoke') !== 'true') return storeBError(400)
  sale.ended = true
  voided.push({ purchaseToken: sale.token, orderId: sale.orderId, voided_ms: clock.now() })
  return { status: 200 }
}

/** A page token has its own start, as the store ignores the one beside it. */
function voidedPage({ voided, sales }: StoreBBooks, query: URLSearchParams): JsonAnswer {
  const [from = 0, start_ms = 0] = (query.get('token') ?? `0.${query.get('startTime') ?? 0}`).split('.').map(Number)
  const found = voided
    .filter(({ voided_ms }) => voided_ms >= start_ms)
    .filter(({ purchaseToken }) => query.get('type') === '1' || sales.get(purchaseToken)?.basePlanId === undefined)
  const next = from + voidedPage_max
  const voidedPurchases = found.slice(from, next).map(({ voided_ms, ...entry }) => ({
    ...entry,
    purchaseTimeMillis: '1000',
    voidedTimeMillis: String(voided_ms),
    voidedSource: 1,
    voidedReason: 0,
  }))
  const more = next < found.length && { tokenPagination: { nextPageToken: `${next}.${start_ms}` } }
  return { status: 200, body: { ...(voidedPurchases.length > 0 && { voidedPurchases }), ...more } }
}

/** An error as the store writes it. */
export function storeBError(code: number): JsonAnswer {
  return { status: code, body: { error: { code, message: 'The double refuses this.', status: 'REFUSED', errors: [] } } }
}
