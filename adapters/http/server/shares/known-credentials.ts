import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { growsTo } from '../../../../domain/kernel/grows-to.js'

/**
 * Whom credentials named when this process resolved them last, so that a request is no stranger's from its first moment on. A
 * credential is kept as its SHA-256, and proves nothing by being known.
 */
export interface KnownCredentials {
  /** The identity that an Authorization header named; undefined for one that is not known. */
  identityOf(authorization: string | undefined): string | undefined
  /** Notes what a header names now; undefined for nobody. */
  note(authorization: string | undefined, identity: string | undefined): void
}

const credentials_max = 50_000
const known_ms_max = 3_600_000

export function knownCredentials(): KnownCredentials {
  const identities = new LRUCache<string, string>({ ...growsTo(credentials_max), ttl: known_ms_max })
  return {
    identityOf: (authorization) => (authorization === undefined ? undefined : identities.get(digestOf(authorization))),
    note(authorization, identity) {
      if (authorization === undefined) return
      if (identity === undefined) identities.delete(digestOf(authorization))
      else identities.set(digestOf(authorization), identity)
    },
  }
}

function digestOf(authorization: string): string {
  return createHash('sha256').update(authorization).digest('base64')
}
