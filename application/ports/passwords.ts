import type { Asker } from './asker.ts'

/**
 * What verifying a password comes to. `right as typed`: the hash is of the typed text, from before passwords were prepared, and
 * should be renewed.
 */
export type PasswordVerdict = 'right' | 'right as typed' | 'wrong'

/**
 * Hashes passwords in their prepared form (`preparedPassword`), slowly on purpose. Waiting askers take turns. Rejects with
 * Unavailable when too many wait.
 */
export interface Passwords {
  /** An argon2id hash in its encoded form. */
  hash(password: string, asker: Asker): Promise<string>
  /**
   * Whether the password matches the hash. A typed text that differs from its prepared form is tried too. Takes the same time for
   * null, the hash of an account without a password.
   */
  verify(password: string, hash: string | null, asker: Asker): Promise<PasswordVerdict>
}
