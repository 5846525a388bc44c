/** Hashes passwords, slowly on purpose. */
export interface Passwords {
  /** An argon2id hash in its encoded form. */
  hash(password: string): Promise<string>
  /** Whether the password is the one of the hash. Takes the same time for null, the hash of an account without a password. */
  verify(password: string, hash: string | null): Promise<boolean>
}
