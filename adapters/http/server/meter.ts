import { working } from '../../../application/ports/at-work.js'

/** What a request has taken of the event loop, as far as it is measured (decision 54). */
export interface Meter {
  readonly spent_ms: number
  /** Does work that returns before anything else runs, and counts its time. Gives, and throws, what the work does. */
  measure<Result>(work: () => Result): Result
  /** Counts time that was measured elsewhere, in milliseconds. */
  readonly note: (processor_ms: number) => void
}

/** A meter for one request. `name`: of the operation, for whoever finds the event loop standing. */
export function meterOf(name: string): Meter {
  const meter = {
    spent_ms: 0,
    measure: <Result>(work: () => Result): Result => working(name, work, meter.note),
    note: (processor_ms: number): void => {
      meter.spent_ms += processor_ms
    },
  }
  return meter
}
