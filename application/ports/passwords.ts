import type { Asker } from './asker.js'

/** Hashes passwords, slowly on purpose. Waiting askers take turns. Rejects with Unavailable when too many wait. */
export interface Passwords {
  /** An argon2id hash in its encoded form. */
  hash(password: string, asker: Asker): Promise<string>
  /** Whether the password matches the hash. Takes the same time for null, the hash of an account without a password. */
  verify(password: string, hash: string | null, asker: Asker): Promise<boolean>
}
