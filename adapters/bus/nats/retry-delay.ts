const delay_ms_min = 50

/** The longest pause before the next try. */
export const retryDelay_ms_max = 2000

/** The delay in milliseconds before the next try, after a number of failures in a row. It doubles, up to a bound. */
export function retryDelay_ms(failures: number): number {
  return Math.min(delay_ms_min * 2 ** Math.min(failures, 10), retryDelay_ms_max)
}
