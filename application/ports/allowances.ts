/** A leaky bucket: at most `requests` at once, refilled continuously at `requests` per `seconds`. */
export interface Rate {
  readonly requests: number
  readonly seconds: number
}

export type Allowance =
  | { readonly allowed: true }
  /** `retryAfterSeconds`: until one more is allowed; fractional, at least 0.001. */
  | { readonly allowed: false; readonly retryAfterSeconds: number }

/** Limits that operations keep themselves, beside the bucket of their route (reference identity 1.9.1 and 1.9.2). */
export interface Allowances {
  /**
   * Charges one to the allowance `name` of `key`: an e-mail address, an account, a network. What is refused costs nothing.
   * A refusal of the 429 shape is `rejectWith('RATE_LIMITED', { global: false, retry_after: retryAfterSeconds })`.
   */
  take(name: string, key: string, rate: Rate): Promise<Allowance>
  /** Makes the allowance of a key whole again. */
  reset(name: string, key: string): Promise<void>
  /** What a take would come to right now. Charges nothing. */
  look(name: string, key: string, rate: Rate): Promise<Allowance>
}
