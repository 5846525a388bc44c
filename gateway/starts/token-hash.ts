import { createHash } from 'node:crypto'

/** base64url SHA-256 of a token, the only part of it that is kept. For a session token it is the session's public id. */
export function tokenHashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
