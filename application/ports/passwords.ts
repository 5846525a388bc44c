import type { Asker } from './asker.js'

/**
 * Hashes passwords, slowly on purpose. Those that wait take turns among who asks for them. Rejects with Unavailable where too many
 * wait.
 */
export interface Passwords {
  /** An argon2id hash in its encoded form. */
  hash(password: string, asker: Asker): Promise<string>
  /** Whether the password is the one of the hash. Takes the same time for null, the hash of an account without a password. */
  verify(password: string, hash: string | null, asker: Asker): Promise<boolean>
}
