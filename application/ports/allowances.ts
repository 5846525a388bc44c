/** A leaky bucket: at most `requests` at once, refilled continuously at `requests` per `seconds`. */
export interface Rate {
  readonly requests: number
  readonly seconds: number
}

export type Allowance =
  | { readonly allowed: true }
  /** `retryAfterSeconds`: the time until the next one is allowed; fractional, at least 0.001. */
  | { readonly allowed: false; readonly retryAfterSeconds: number }

/** Limits that operations check themselves, besides the bucket of their route. */
export interface Allowances {
  /**
   * Takes one from the allowance `name` of `key`: an e-mail address, an account, a network. A refused take costs nothing. A
   * refusal of the 429 shape is `rejectWith('RATE_LIMITED', { global: false, retry_after: retryAfterSeconds })`.
   */
  take(name: string, key: string, rate: Rate): Promise<Allowance>
  /** Refills the allowance of a key. */
  reset(name: string, key: string): Promise<void>
  /** The result that a take would have now. Takes nothing. */
  look(name: string, key: string, rate: Rate): Promise<Allowance>
}
