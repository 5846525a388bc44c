/** Counts events within a period, and says whether one more is allowed. Times are the Gateway's, in milliseconds. */
export interface Window {
  /** Counts one more; false if it is one too many. */
  take(now_ms: number): boolean
}

/** At most `limit` within any `period_ms`. It stores the times, so its size follows its use. */
export class RollingWindow implements Window {
  readonly #limit: number
  readonly #period_ms: number
  #times: number[] = []

  constructor(limit: number, period_ms: number) {
    this.#limit = limit
    this.#period_ms = period_ms
  }

  take(now_ms: number): boolean {
    if (this.#limit === Number.POSITIVE_INFINITY) return true
    if (this.#times.length >= this.#limit) {
      const oldest_ms = now_ms - this.#period_ms
      this.#times = this.#times.filter((time) => time > oldest_ms)
    }
    if (this.#times.length >= this.#limit) return false
    this.#times.push(now_ms)
    return true
  }
}

/** At most `limit` within each `period_ms`, counted from the first one. */
export class FixedWindow implements Window {
  readonly #limit: number
  readonly #period_ms: number
  #began_ms = Number.NEGATIVE_INFINITY
  #count = 0

  constructor(limit: number, period_ms: number) {
    this.#limit = limit
    this.#period_ms = period_ms
  }

  take(now_ms: number): boolean {
    if (now_ms - this.#began_ms >= this.#period_ms) {
      this.#began_ms = now_ms
      this.#count = 0
    }
    this.#count += 1
    return this.#count <= this.#limit
  }
}
