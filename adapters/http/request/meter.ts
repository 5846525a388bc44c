import { working } from '../../../application/observation/at-work.ts'

/** The event loop time that a request took, as far as it is measured (decision 54). */
export interface Meter {
  readonly spent_ms: number
  /** Runs synchronous work and counts its time. Returns or throws what the work does. */
  measure<Result>(work: () => Result): Result
  /** Counts time that was measured elsewhere, in milliseconds. */
  readonly note: (processor_ms: number) => void
}

/** A meter for one request. `name`: the operation, for reports of a blocked event loop. */
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
