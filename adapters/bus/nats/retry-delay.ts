const delay_ms_min = 50

/** The longest pause before the next try. */
export const retryDelay_ms_max = 2000

/** How long to wait before trying again after so many failures in a row: doubling, bounded, in milliseconds. */
export function retryDelay_ms(failures: number): number {
  return Math.min(delay_ms_min * 2 ** Math.min(failures, 10), retryDelay_ms_max)
}
