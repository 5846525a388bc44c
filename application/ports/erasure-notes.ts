import type { AccountId } from '../../domain/ids/ids.ts'
import type { Snowflake } from '../../domain/ids/snowflake.ts'

/** A text that belongs to the holder of an account. */
export interface PersonalValue {
  /** What it is, as in `account.email`: category and member of the event that holds it. */
  readonly kind: string
  readonly text: string
}

/** What belongs to the holder of an account, before it is erased. */
export interface PersonalValues {
  /** Whose keys are destroyed: the account, and its purchases that are over. */
  readonly holders: readonly Snowflake[]
  readonly values: readonly PersonalValue[]
  /** The hashes of the bytes of its images. */
  readonly images: readonly string[]
  /** Whether there was more than is noted: then the newest is, and the oldest. */
  readonly isCut: boolean
  /** How many purchases of its holder are not over yet: their secrets are kept until they are. */
  readonly running_count: number
  /** How many of its events could not be read. */
  readonly unread_count: number
}

/**
 * What is noted of accounts that are erased, so that somebody can prove later that nothing of it is left: salted hashes, and no
 * value. A note goes once the proof is made, and after some months in any case.
 */
export interface ErasureNotes {
  has(account: AccountId): Promise<boolean>
  /** Does nothing if the account has a note already: a later one knows less. */
  add(account: AccountId, values: PersonalValues): Promise<void>
  /** Removes the notes that are too old. */
  sweep(): Promise<void>
}
