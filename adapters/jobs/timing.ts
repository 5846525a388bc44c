/** How long workers wait for what. Tests make them shorter. */
export interface JobTiming {
  /** Loading the queue costs some of a start's time, and nobody waits for it: it begins this long after. */
  readonly start_ms: number
  /** A job whose time comes later, or that failed, is seen by looking this often; a new one is announced. */
  readonly poll_ms: number
  /** A job gets this long before its signal aborts and it counts as failed. */
  readonly run_ms_max: number
  /** Jobs at work get this long once the worker is told to stop. */
  readonly stop_ms_max: number
  /** How often a worker says that it lives. */
  readonly heartbeat_ms: number
  /** A worker that could not say so for this long gives up its jobs, before others take it for dead. */
  readonly silence_ms_max: number
  /** A worker that was silent for this long is dead, and its jobs are anybody's. */
  readonly dead_ms: number
  /** How often one of the workers looks for jobs of dead ones. */
  readonly giveBack_ms: number
}

export const stockTiming: JobTiming = {
  start_ms: 1000,
  poll_ms: 2000,
  run_ms_max: 60_000,
  stop_ms_max: 10_000,
  heartbeat_ms: 5000,
  silence_ms_max: 20_000,
  dead_ms: 30_000,
  giveBack_ms: 5000,
}
