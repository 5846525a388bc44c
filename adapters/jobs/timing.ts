/** The waits and timeouts of workers. Tests shorten them. */
export interface JobTiming {
  /** The delay before a worker starts: loading the queue takes some of a start's time, and nobody waits for it. */
  readonly start_ms: number
  /** How often delayed and failed jobs are looked for. New jobs are announced. */
  readonly poll_ms: number
  /** How long a job may run before its signal aborts and it counts as failed. */
  readonly run_ms_max: number
  /** How long jobs may still run once the worker is told to stop. */
  readonly stop_ms_max: number
  /** The interval of a worker's heartbeat. */
  readonly heartbeat_ms: number
  /** A worker without a heartbeat for this long gives up its jobs, before others consider it dead. */
  readonly silence_ms_max: number
  /** A worker that was silent for this long is dead, and other workers may take its jobs. */
  readonly dead_ms: number
  /** How often one of the workers looks for jobs of dead ones. */
  readonly giveBack_ms: number
}

export const stockTiming: JobTiming = {
  start_ms: 1000,
  poll_ms: 5000,
  run_ms_max: 60_000,
  stop_ms_max: 10_000,
  heartbeat_ms: 5000,
  silence_ms_max: 20_000,
  dead_ms: 30_000,
  giveBack_ms: 10_000,
}
