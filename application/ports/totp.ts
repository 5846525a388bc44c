import type { Timestamp } from '../../domain/kernel/timestamp.js'

/** Time-based one-time passwords: six digits, HMAC-SHA-1, steps of 30 s (reference identity 5.4). */
export interface Totp {
  /** The step whose code this is, now or one step aside; undefined for none. Takes the same time for every wrong code. */
  stepOf(secret: string, code: string, now: Timestamp): number | undefined
  /** The secret without spaces, hyphens and padding, in upper case; undefined where that is not Base32. */
  normalised(secret: string): string | undefined
}
