/** The stored row of one Idempotency-Key of one identity. */
export interface IdempotencyRow {
  readonly id: Uint8Array
  readonly fingerprint: Uint8Array
  readonly commandId: string
  readonly sealedRecipe: Uint8Array
  /** Null until the command has a final answer. */
  readonly sealedAnswer: Uint8Array | null
}

/** The right of one request to run the command of a row. Each later request that gets the right has a higher number. */
export interface Turn {
  readonly id: Uint8Array
  readonly number: string
}

export type Claimed =
  /** `earlier`: the row as an earlier request left it, without an answer; undefined if the row is new. */
  | { readonly outcome: 'taken'; readonly turn: Turn; readonly earlier: IdempotencyRow | undefined }
  /** The row has its answer, stands for other content, or is held by another request right now. */
  | { readonly outcome: 'kept'; readonly row: IdempotencyRow }

/**
 * Keeps the rows for `rowLife_hours`; expired rows count as missing. A turn lasts until it is ended or its process has died,
 * and at most `turnLife_ms` after its process last renewed it: a hanging process blocks others no longer than that.
 */
export interface IdempotencyRows {
  /** Takes the turn of the row with this id, durably: of a new row, or of one with the same fingerprint and no answer yet. */
  claim(row: Omit<IdempotencyRow, 'sealedAnswer'>): Promise<Claimed>
  /** Stores the answer and ends the turn. Gives false and changes nothing if the turn was already over. */
  answer(turn: Turn, sealedAnswer: Uint8Array): Promise<boolean>
  /** Removes the row, unless the turn was already over. */
  remove(turn: Turn): Promise<void>
  /** Ends the turn and leaves the row for the next request. */
  release(turn: Turn): Promise<void>
  /** The row with this id; undefined if there is none. */
  find(id: Uint8Array): Promise<IdempotencyRow | undefined>
}

export const rowLife_hours = 24
export const turnLife_ms = 5000
