import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { StoreFailed } from '../store-failed.ts'
import { askStore } from '../ask-store.ts'
import type { StoreBSetup } from '../store-settings.ts'
import type { StoreBTimes } from './store-b-api.ts'

const keys_ms_max = 5000
const tolerance_s = 30
const issuer = ['https://accounts.google.com', 'accounts.google.com']

/**
 * Verifies the Authorization header of a push message. Throws StoreFailed: `rejected`, or `unavailable` if the store's
 * keys can't be fetched. Keys come from the settings' address alone, never from one that a token names.
 */
export function pushTokenVerifier({ push }: StoreBSetup, { now, answer_ms = keys_ms_max }: StoreBTimes) {
  const keySet = createRemoteJWKSet(new URL(push.jwksUrl), {
    timeoutDuration: answer_ms,
    [customFetch]: (url, { signal }) => fetchKeys(url, signal),
  })
  const key: JWTVerifyGetKey = async (header, token) => {
    try {
      return await keySet(header, token)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error
      throw new StoreFailed('unavailable', 'push_keys', { cause: error })
    }
  }

  return async (authorization: string | undefined): Promise<void> => {
    const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (token === undefined) throw new StoreFailed('rejected', 'no_push_token')
    const claims = await verifiedClaims(token, key, now())
    const isOurs = claims.aud === push.audience && isSame(claims['email'], push.email)
    const isEarly = Number(claims.iat) > now() / 1000 + tolerance_s
    if (!isOurs || isEarly || claims['email_verified'] !== true)
      throw new StoreFailed('rejected', 'push_token_of_another')
  }
}

async function verifiedClaims(token: string, key: JWTVerifyGetKey, now_ms: number): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['RS256'],
      issuer,
      requiredClaims: ['exp', 'iat'],
      clockTolerance: tolerance_s,
      currentDate: new Date(now_ms),
    })
    return payload
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    throw new StoreFailed('rejected', 'push_token', { cause: error })
  }
}

/** Within the bounds of every other answer of the store. */
async function fetchKeys(url: string, signal: AbortSignal): Promise<Response> {
  const { status, body } = await askStore({ method: 'GET', url, headers: { accept: 'application/json' }, signal })
  return Response.json(body ?? null, { status: status === 200 ? 200 : 503 })
}

function isSame(given: unknown, email: string): boolean {
  return typeof given === 'string' && given.toLowerCase() === email.toLowerCase()
}
