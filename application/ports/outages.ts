import type { Part } from './unavailable.js'

/** What is told of a failure where it is logged. */
export type About = () => object

/** A part that can't be had at the moment. */
export interface Outage {
  readonly part: Part
  readonly since: Date
  /** From the first failure to the newest one. */
  readonly failing_ms: number
}

/**
 * The outages of the parts that this process stands on. Whatever fails because a part is out is counted here instead of being
 * logged each time: the log has one line where an outage begins, and one where it is over, with the count.
 */
export interface Outages {
  readonly current: readonly Outage[]
  /**
   * Counts a failure for the part that is to blame. False where none is: then whoever asks logs the error. `about` is asked
   * where an outage begins, and for each failure where the level of the log is debug.
   */
  failed(error: unknown, about: About): boolean
  /** Counts a failure of a part. */
  count(part: Part, about: About): void
  /** Says that a part is still out, as somebody found who looked: an outage without requests goes on too. */
  lasts(part: Part, about: About): void
}
