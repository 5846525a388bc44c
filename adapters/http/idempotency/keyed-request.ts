import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

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

const cipher = 'aes-256-gcm'
const nonce_bytes = 12
const tag_bytes = 16

/**
 * Everything is derived from the server's secret and the client's key together: neither alone opens anything
 * (docs/decisions/0006).
 */
export function requestSeal(secret: Uint8Array, { identity, key, content }: KeyedRequest): RequestSeal {
  const derive = (purpose: string): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['idempotency', purpose, identity, key]))
      .digest()
  const sealing = derive('sealing')
  const fingerprint = createHmac('sha256', derive('fingerprint'))
  for (const part of content) fingerprint.update(`${part.length}\n`).update(part)
  return {
    id: derive('id'),
    fingerprint: fingerprint.digest(),
    seal(what, text) {
      const nonce = randomBytes(nonce_bytes)
      const encryption = createCipheriv(cipher, sealing, nonce).setAAD(Buffer.from(what))
      const ciphertext = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
      return Buffer.concat([nonce, encryption.getAuthTag(), ciphertext])
    },
    unseal(what, sealed) {
      const bytes = Buffer.from(sealed)
      const decryption = createDecipheriv(cipher, sealing, bytes.subarray(0, nonce_bytes), { authTagLength: tag_bytes })
        .setAAD(Buffer.from(what))
        .setAuthTag(bytes.subarray(nonce_bytes, nonce_bytes + tag_bytes))
      return decryption.update(bytes.subarray(nonce_bytes + tag_bytes), undefined, 'utf8') + decryption.final('utf8')
    },
  }
}
