import type { Part } from './parts.ts'

/** Details of a failure for the log. */
export type About = () => object

/** A part that is out at the moment. */
export interface Outage {
  readonly part: Part
  readonly since: Date
  /** The time from the first failure to the latest one. */
  readonly failing_ms: number
}

/**
 * The outages of the parts that this process depends on. Failures caused by an outage are counted here instead of logged each
 * time. The log has one line when an outage begins, and one with the count when it is over.
 */
export interface Outages {
  readonly current: readonly Outage[]
  /**
   * Counts a failure for the part that caused it. False if no part did; then the caller logs the error. Calls `about` when an
   * outage begins, and for each failure at log level debug.
   */
  failed(error: unknown, about: About): boolean
  /** Counts a failure of a part. */
  count(part: Part, about: About): void
  /** Notes that a check found the part still out, so that an outage without requests goes on too. */
  lasts(part: Part, about: About): void
}
