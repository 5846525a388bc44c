import type { Timestamp } from '../../../domain/kernel/timestamp.js'

/** What is kept for one Idempotency-Key of one identity. */
export interface IdempotencyRow {
  readonly id: Uint8Array
  readonly fingerprint: Uint8Array
  readonly commandId: string
  readonly startedAt: Timestamp
  readonly sealedRecipe: Uint8Array
  /** Null until the command has an answer that counts. */
  readonly sealedAnswer: Uint8Array | null
}

/** Gives back what it was given for. */
export type Release = () => Promise<void>

/** Keeps the rows for `rowLife_hours`. One whose time is over counts as none. */
export interface IdempotencyRows {
  /** Takes the row of an id for one request; undefined while another has it. A process that dies has none. */
  lock(id: Uint8Array): Promise<Release | undefined>
  /** The row of this id, or undefined where there was none: then this one is kept now, durably. Under its lock. */
  claim(row: IdempotencyRow): Promise<IdempotencyRow | undefined>
  answer(id: Uint8Array, sealedAnswer: Uint8Array): Promise<void>
  remove(id: Uint8Array): Promise<void>
}

export const rowLife_hours = 24
