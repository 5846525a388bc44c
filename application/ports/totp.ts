import type { Timestamp } from '../../domain/kernel/timestamp.ts'

/** Time-based one-time passwords: six digits, HMAC-SHA-1, steps of 30 s. */
export interface Totp {
  /**
   * The step that a code belongs to: the current one or a neighbour; undefined for none. Takes the same time for every wrong
   * code.
   */
  stepOf(secret: string, code: string, now: Timestamp): number | undefined
  /** The secret without spaces, hyphens and padding, in upper case; undefined if it is not Base32. */
  normalised(secret: string): string | undefined
}
