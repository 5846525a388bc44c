import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/** A request that came with an Idempotency-Key. */
export interface KeyedRequest {
  /** Whose key it is: the same key of somebody else is another key. */
  readonly identity: string
  readonly key: string
  /** All of the request that makes it another one: the method, the URL and the body. */
  readonly content: readonly (string | Uint8Array)[]
}

/** What can be known of a keyed request, and done with what is stored for it, by who has the request. */
export interface RequestSeal {
  /** The id of its row: says nothing about identity or key. */
  readonly id: Buffer
  /** The same for the same content only; says nothing about the content. */
  readonly fingerprint: Buffer
  seal(what: string, text: string): Buffer
  /** Throws where the bytes were not sealed as `what` of this very request. */
  unseal(what: string, sealed: Uint8Array): string
}

const cipher = 'aes-256-gcm'
const nonce_bytes = 12
const tag_bytes = 16

/** All follows from the server's secret and the client's key together: neither alone opens anything (docs/decisions/0006). */
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
