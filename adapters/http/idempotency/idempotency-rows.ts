/** What is kept for one Idempotency-Key of one identity. */
export interface IdempotencyRow {
  readonly id: Uint8Array
  readonly fingerprint: Uint8Array
  readonly commandId: string
  readonly sealedRecipe: Uint8Array
  /** Null until the command has an answer that counts. */
  readonly sealedAnswer: Uint8Array | null
}

/** The right of one request to run the command of a row. Each later request that gets it has a higher number. */
export interface Turn {
  readonly id: Uint8Array
  readonly number: string
}

export type Claimed =
  /** `earlier`: the row as an earlier request left it, without an answer; undefined where the row is new. */
  | { readonly outcome: 'taken'; readonly turn: Turn; readonly earlier: IdempotencyRow | undefined }
  /** The row has its answer, or stands for another content, or is another request's at the moment. */
  | { readonly outcome: 'kept'; readonly row: IdempotencyRow }

/**
 * Keeps the rows for `rowLife_hours`. One whose time is over counts as none. A turn lasts until it is ended or its process has
 * died, and no longer than `turnLife_ms` after its process was last at work: one that hangs holds up nobody for longer.
 */
export interface IdempotencyRows {
  /** Takes the turn at the row of this id, durably: at a new row, or at one of the same fingerprint that lacks its answer. */
  claim(row: Omit<IdempotencyRow, 'sealedAnswer'>): Promise<Claimed>
  /** Keeps the answer and ends the turn. False where the turn was over: then nothing is changed. */
  answer(turn: Turn, sealedAnswer: Uint8Array): Promise<boolean>
  /** Removes the row, unless the turn was over. */
  remove(turn: Turn): Promise<void>
  /** Ends the turn, and leaves the row to the next request. */
  release(turn: Turn): Promise<void>
  /** The row of this id; undefined where there is none. */
  find(id: Uint8Array): Promise<IdempotencyRow | undefined>
}

export const rowLife_hours = 24
export const turnLife_ms = 5000
