/** A request that another one becomes, as a client sends it. */
export interface BecomingRequest<Operation> {
  readonly operation: Operation
  readonly commandId: string
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  /** The body as parsed, for what a client cannot send; in place of `body`. */
  readonly wishes?: unknown
  /** Whether a success did what was asked for; always, where nothing is said. If not, the answer is CONFLICT. */
  readonly isDone?: (reply: unknown) => boolean
}

/** The requests that one becomes, in their order, at least one. `reply` is answered once all are carried out. */
export interface Becoming<Operation> {
  readonly requests: readonly BecomingRequest<Operation>[]
  readonly reply: unknown
}
