import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { growsTo } from '../../../../domain/kernel/grows-to.ts'

/**
 * The identities that credentials resolved to most recently in this process, so that a known client is not treated as a
 * stranger at the start of its request. A credential is kept as its SHA-256. Being known proves nothing.
 */
export interface KnownCredentials {
  /** The identity that an Authorization header resolved to; undefined if unknown. */
  identityOf(authorization: string | undefined): string | undefined
  /** Notes what a header resolves to now; undefined for nobody. */
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
  return hash('sha256', authorization, 'base64')
}
