import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto'
import { exportJWK, SignJWT, type JWK, type JWTPayload } from 'jose'
import type { TestClock } from '../stores/test-clock.ts'

export const pushAudience = 'https://chat.example.com/webhooks/store-b'
export const pushEmail = 'push@example.iam.gserviceaccount.com'

/** What is wrong with a push token. Claims replace the right ones; undefined leaves one out. */
export interface PushFaults {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  /** Signs with a key that the store does not publish, with none, or with the published key as a shared secret. */
  readonly signedBy?: 'another' | 'nobody' | 'public key'
}

export interface PushSigner {
  /** The Authorization header of a push. */
  authorization(faults?: PushFaults): Promise<string>
  /** The published keys. */
  jwks(): Promise<{ readonly keys: readonly JWK[] }>
}

/** Signs as the store's queue does, and publishes its key. */
export function pushSigner(clock: TestClock): PushSigner {
  const [key, other] = [rsaKeys('push'), rsaKeys('another')]
  return {
    jwks: async () => ({ keys: [{ ...(await exportJWK(key.publicKey)), kid: 'push-1', alg: 'RS256', use: 'sig' }] }),
    authorization: async ({ claims, header, signedBy } = {}) => {
      const payload = { ...claimsAt(Math.floor(clock.now() / 1000)), ...claims }
      return `Bearer ${await tokenOf(payload, header, signedBy, key, other)}`
    },
  }
}

function claimsAt(now_s: number): JWTPayload {
  return {
    iss: 'https://accounts.google.com',
    aud: pushAudience,
    azp: '1234567890',
    sub: '1234567890',
    email: pushEmail,
    email_verified: true,
    iat: now_s,
    exp: now_s + 3600,
  }
}

interface RsaKeys {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

async function tokenOf(
  payload: JWTPayload,
  header: PushFaults['header'],
  signedBy: PushFaults['signedBy'],
  key: RsaKeys,
  other: RsaKeys,
): Promise<string> {
  const shared = { kid: 'push-1', typ: 'JWT', ...header }
  if (signedBy === 'nobody') return `${part({ ...shared, alg: 'none' })}.${part(payload)}.`
  if (signedBy === 'public key') {
    const secret = key.publicKey.export({ type: 'spki', format: 'pem' })
    return new SignJWT(payload).setProtectedHeader({ ...shared, alg: 'HS256' }).sign(Buffer.from(secret))
  }
  const { privateKey } = signedBy === 'another' ? other : key
  return new SignJWT(payload).setProtectedHeader({ ...shared, alg: 'RS256' }).sign(privateKey)
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

const madeKeys = new Map<string, RsaKeys>()

/** RSA keys by name. Making them takes a second, so the doubles of a process share them. */
export function rsaKeys(name: string): RsaKeys {
  const keys = madeKeys.get(name) ?? generateKeyPairSync('rsa', { modulusLength: 2048 })
  madeKeys.set(name, keys)
  return keys
}

/** The body of a push with a notification. */
export function pushBody(notification: object, messageId: string = randomUUID()): object {
  const data = Buffer.from(JSON.stringify(notification)).toString('base64')
  return {
    message: { data, messageId, message_id: messageId, publishTime: '2026-01-02T03:04:05Z' },
    subscription: 'projects/chat/subscriptions/store-b',
  }
}
