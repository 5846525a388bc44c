import { createHash, timingSafeEqual } from 'node:crypto'
import type { CommandContext } from '../commands/command-context.ts'

const secret_bytes = 32

/** A new secret: 32 random bytes as 43 characters of base64url. */
export function newSecret(context: CommandContext): string {
  return Buffer.from(context.randomBytes(secret_bytes)).toString('base64url')
}

/** base64url SHA-256. Only this hash is stored. The secret is too random to be guessed from it. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Whether a secret has this hash, compared in constant time. */
export function isSecretOf(secret: string, hash: string): boolean {
  const [given, kept] = [Buffer.from(secretHash(secret)), Buffer.from(hash)]
  return given.length === kept.length && timingSafeEqual(given, kept)
}
