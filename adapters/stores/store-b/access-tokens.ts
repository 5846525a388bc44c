import { SignJWT } from 'jose'
import { z } from 'zod'
import { askStore } from '../ask-store.ts'
import { StoreFailed } from '../store-failed.ts'
import type { StoreBSetup } from '../store-settings.ts'

/** How long the server of tokens may take. */
const token_ms_max = 10_000
const assertion_s = 3600
/** A token is replaced this long before it ends. */
const early_ms = 5 * 60_000
const scope = 'https://www.googleapis.com/auth/androidpublisher'

const tokenReply = z.object({ access_token: z.string().min(1).max(8192), expires_in: z.number().min(0).max(86_400) })

export interface AccessTokens {
  /** Throws StoreFailed, `unavailable`. */
  current(): Promise<string>
  /** Forgets a token that the store has refused. */
  drop(token: string): void
}

/** The access tokens of store B. One is asked for at a time, and used until five minutes before its end. */
export function accessTokens(setup: StoreBSetup, now: () => number, answer_ms = token_ms_max): AccessTokens {
  let known: { readonly token: string; readonly until_ms: number } | undefined
  let asking: Promise<string> | undefined

  async function ask(): Promise<string> {
    const asked_ms = now()
    const { access_token, expires_in } = await newToken(setup, Math.floor(asked_ms / 1000), answer_ms)
    known = { token: access_token, until_ms: asked_ms + expires_in * 1000 - early_ms }
    return access_token
  }

  return {
    async current() {
      if (known && now() < known.until_ms) return known.token
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return asking
    },
    drop(token) {
      if (known?.token === token) known = undefined
    },
  }
}

async function newToken({ clientEmail, privateKey, tokenUrl }: StoreBSetup, at_s: number, answer_ms: number) {
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(clientEmail)
    .setAudience(tokenUrl)
    .setIssuedAt(at_s)
    .setExpirationTime(at_s + assertion_s)
    .sign(privateKey)
  const { status, body } = await askStore({
    method: 'POST',
    url: tokenUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString(),
    signal: AbortSignal.timeout(answer_ms),
  })
  const reply = tokenReply.safeParse(body)
  if (status !== 200 || !reply.success) throw new StoreFailed('unavailable', `token_http_${status}`)
  return reply.data
}
