/** How long the adapter's calls may take before they end with EventStoreUnavailable. */
export interface Deadlines {
  /** An append, from call to answer. Includes waiting for its turn in the stream, retries and reading back. */
  readonly append_ms: number
  /** One try of an append. After that its outcome is unknown, and is found by reading back. */
  readonly answer_ms: number
  /**
   * How long after the call of an append the server may still accept any of its tries. The server refuses a try that it finds
   * in its queue later, after a standstill. Larger than `append_ms`, because the server's clock differs from ours.
   */
  readonly server_ms: number
  /** A page of events, including retries. */
  readonly read_ms: number
  /** A subscription, until the server confirms it. */
  readonly subscribe_ms: number
}

export const defaultDeadlines: Deadlines = {
  append_ms: 8000,
  answer_ms: 4000,
  server_ms: 9000,
  read_ms: 8000,
  subscribe_ms: 8000,
}

/** When a call has had no answer for this long, its node is asked whether it is alive. */
export const unanswered_ms = 1000

/** The time by which work has to be done. */
export interface Deadline {
  /** Milliseconds until the deadline; 0 once it has passed. */
  remaining_ms(): number
}

export function deadlineIn(duration_ms: number): Deadline {
  const end_ms = performance.now() + duration_ms
  return { remaining_ms: () => Math.max(0, end_ms - performance.now()) }
}

/** The same time for the server, as wall-clock time. */
export const asDate = (deadline: Deadline): Date => new Date(Date.now() + deadline.remaining_ms())
