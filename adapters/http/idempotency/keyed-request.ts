import type { KeyObject } from 'node:crypto'
import { decrypt, encrypt, keyedHash, keyOf } from '../../../application/secrets/keys.ts'

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  /** The owner of the key: the same key of another identity is a different key. */
  readonly identity: string
  readonly key: string
  /** The parts that distinguish requests: the method, the URL and the body. */
  readonly content: readonly (string | Uint8Array)[]
}

/** Derives what is stored for a keyed request, and opens it again. Only the holder of the request can do this. */
export interface RequestSeal {
  /** The id of its row. It reveals neither the identity nor the key. */
  readonly id: Buffer
  /** Equal for equal content only. It reveals nothing about the content. */
  readonly fingerprint: Buffer
  seal(what: string, text: string): Buffer
  /** Throws if the bytes were not sealed as `what` of this same request. */
  unseal(what: string, sealed: Uint8Array): string
}

/**
 * Everything is derived from the server's secret and the client's key together: neither alone opens anything
 * (docs/decisions/0006).
 */
export function requestSeal(secret: KeyObject, { identity, key, content }: KeyedRequest): RequestSeal {
  const derive = (purpose: string): Buffer => keyedHash(secret, JSON.stringify(['idempotency', purpose, identity, key]))
  const sealing = keyOf(derive('sealing'))
  return {
    id: derive('id'),
    fingerprint: keyedHash(keyOf(derive('fingerprint')), ...content.flatMap((part) => [`${part.length}\n`, part])),
    seal: (what, text) => encrypt(sealing, what, Buffer.from(text)),
    unseal: (what, sealed) => decrypt(sealing, what, sealed).toString('utf8'),
  }
}
