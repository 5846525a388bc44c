import type { KeyObject } from 'node:crypto'
import { jwtVerify } from 'jose'
import type { StoreRequestSeen } from '../stores/json-server.ts'
import type { TestClock } from '../stores/test-clock.ts'
import type { StoreACertificates } from './certificates.ts'
import { appId, bundleId, storeAProducts } from './sales.ts'

/** What store A knows of the service that asks it. */
export interface Credentials {
  readonly issuer_id: string
  readonly key_id: string
  readonly publicKey: KeyObject
}

/** The value of STORE_A for the double. */
export function settingsOf(
  url: string,
  { issuer_id, key_id }: Credentials,
  privateKey: KeyObject,
  { rootPem }: StoreACertificates,
): Readonly<Record<string, unknown>> {
  return {
    issuer_id,
    key_id,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    apps: [{ bundle_id: bundleId, app_id: appId }],
    products: storeAProducts,
    api_url: `${url}/production`,
    sandbox_api_url: `${url}/sandbox`,
    root_certificates: [rootPem],
  }
}

/** Every rule that store A has for the token of a request. */
export async function isOurs(
  { authorization }: StoreRequestSeen,
  ours: Credentials,
  clock: TestClock,
): Promise<boolean> {
  try {
    const { payload, protectedHeader } = await jwtVerify(
      (authorization ?? '').replace(/^Bearer /, ''),
      ours.publicKey,
      {
        algorithms: ['ES256'],
        audience: 'appstoreconnect-v1',
        issuer: ours.issuer_id,
        requiredClaims: ['iat', 'exp', 'bid'],
        currentDate: new Date(clock.now()),
      },
    )
    const lives_s = Number(payload.exp) - Number(payload.iat)
    return protectedHeader.kid === ours.key_id && payload['bid'] === bundleId && lives_s <= 3600
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}
