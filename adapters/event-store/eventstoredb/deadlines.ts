/** How long the calls of the adapter may take before they end with EventStoreUnavailable. */
export interface Deadlines {
  /** An append, from its call to its answer: waiting for its turn in the stream, tries, and reading back included. */
  readonly append_ms: number
  /** One try of it: after that its outcome is unknown, and is found by reading back. */
  readonly answer_ms: number
  /**
   * How long after the call of an append the server may still take it, whichever try it was: one that a server finds in its
   * queue after a standstill is not taken any more. More than `append_ms`, because the server's clock is not ours.
   */
  readonly server_ms: number
  /** A page of events, retries included. */
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

/** A call that had no answer for so long has its node asked whether it is there. */
export const unanswered_ms = 1000

/** A moment that work has to be done by. */
export interface Deadline {
  /** Milliseconds until then; 0 once it has passed. */
  remaining_ms(): number
}

export function deadlineIn(duration_ms: number): Deadline {
  const end_ms = performance.now() + duration_ms
  return { remaining_ms: () => Math.max(0, end_ms - performance.now()) }
}

/** The same moment for the server, whose clock is the wall's. */
export const asDate = (deadline: Deadline): Date => new Date(Date.now() + deadline.remaining_ms())
