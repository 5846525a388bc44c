import { SignJWT } from 'jose'
import type { z } from 'zod'
import type { StoreEnvironment } from '../../../domain/store-purchase/purchase-facts.ts'
import { askStore, inForm, type StoreReply } from '../ask-store.ts'
import { StoreFailed } from '../store-failed.ts'
import type { StoreASetup } from '../store-settings.ts'
import { storeError } from './payloads.ts'

/** How long the store may take for one answer. */
const answer_ms = 10_000
const token_s = 3600
const tokenReuse_ms = 50 * 60_000

/** The store does not know the transaction. */
const transactionUnknown = 4_040_010
/** Not found and internal errors that the store asks to try again, and too many requests. */
const retryable: readonly number[] = [4_040_002, 4_040_004, 4_040_006, 5_000_001, 4_290_000]
const httpRetryable: readonly number[] = [401, 403, 408, 429]

export interface StoreACall<Reply> {
  readonly environment: StoreEnvironment
  readonly bundleId: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** From `/inApps` on. */
  readonly path: string
  readonly body?: object
  /** The form of the answer. */
  readonly reply: z.ZodType<Reply>
}

/** Asks store A. Throws StoreFailed. */
export type AskStoreA = <Reply>(call: StoreACall<Reply>) => Promise<Reply>

export interface StoreATimes {
  readonly now: () => number
  /** For tests: a shorter time limit. */
  readonly answer_ms?: number | undefined
}

/** The Server API of store A. The token of each app is used again for 50 minutes, until the store refuses it. */
export function storeAApi(setup: StoreASetup, { now, answer_ms: limit_ms = answer_ms }: StoreATimes): AskStoreA {
  const tokens = new Map<string, { readonly token: string; readonly signed_ms: number }>()

  async function tokenOf(bundleId: string): Promise<string> {
    const known = tokens.get(bundleId)
    if (known && now() - known.signed_ms < tokenReuse_ms) return known.token
    const signed_ms = now()
    const token = await signToken(setup, bundleId, Math.floor(signed_ms / 1000))
    tokens.set(bundleId, { token, signed_ms })
    return token
  }

  return async ({ environment, bundleId, method, path, body, reply }) => {
    if (!setup.apps.some((app) => app.bundleId === bundleId))
      throw new StoreFailed('rejected', 'invalid_app_identifier')
    const token = await tokenOf(bundleId)
    const answer = await askStore({
      method,
      url: `${environment === 'production' ? setup.apiUrl : setup.sandboxApiUrl}${path}`,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(limit_ms),
    })
    if (answer.status === 401 && tokens.get(bundleId)?.token === token) tokens.delete(bundleId)
    if (answer.status < 200 || answer.status > 299) throw failureOf(answer)
    return inForm(answer.body, reply)
  }
}

function signToken({ issuerId, keyId, privateKey }: StoreASetup, bundleId: string, at_s: number): Promise<string> {
  return new SignJWT({ bid: bundleId })
    .setProtectedHeader({ alg: 'ES256', kid: keyId, typ: 'JWT' })
    .setIssuer(issuerId)
    .setIssuedAt(at_s)
    .setExpirationTime(at_s + token_s)
    .setAudience('appstoreconnect-v1')
    .sign(privateKey)
}

/** A refusal without a number of the store says nothing of the purchase: it may come from a proxy, or from a wrong address. */
function failureOf({ status, body }: StoreReply): StoreFailed {
  const code = storeError.safeParse(body).data?.errorCode
  if (status < 400 || status > 499 || code === undefined || httpRetryable.includes(status) || retryable.includes(code))
    return new StoreFailed('unavailable', `http_${status}`)
  if (code === transactionUnknown) return new StoreFailed('not found', 'transaction_unknown')
  return new StoreFailed('rejected', `store_error_${code}`)
}
