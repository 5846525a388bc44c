/** A piece of work that is done, as a trace shows it. */
export interface TracedWork {
  /** Few: with an operation, a category or a type of event in it, and no id. */
  readonly name: string
  /** The request at the start of the chain: what belongs to one request is one trace, whichever process does it. */
  readonly correlationId: string
  /** Whether this is the request itself, which the rest of its trace belongs to. */
  readonly isRequest?: boolean
  /** From `performance.now()`. */
  readonly began_ms: number
  readonly ended_ms: number
  /** Nothing personal, and no secret. */
  readonly attributes: Readonly<Record<string, string | number>>
  readonly failed?: boolean
}

type KeepTraces = (work: TracedWork) => void

// A process has one set of traces, like its event loop and its log.
let keep: KeepTraces | undefined

/** Hands everything that is traced in this process to `keeper`, until the returned function is called. */
export function keepTraces(keeper: KeepTraces): () => void {
  keep = keeper
  return () => {
    if (keep === keeper) keep = undefined
  }
}

/** Notes work that ends now. `describe` is called only where traces are kept. */
export function trace(began_ms: number, describe: () => Omit<TracedWork, 'began_ms' | 'ended_ms'>): void {
  keep?.({ ...describe(), began_ms, ended_ms: performance.now() })
}

/** The same for work on several requests at once, such as a batch of events: each of their traces has it. */
export function traceEach(
  began_ms: number,
  correlationIds: () => Iterable<string>,
  describe: () => Omit<TracedWork, 'began_ms' | 'ended_ms' | 'correlationId'>,
): void {
  if (!keep) return
  for (const correlationId of new Set(correlationIds())) trace(began_ms, () => ({ ...describe(), correlationId }))
}
