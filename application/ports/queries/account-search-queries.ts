import type { AccountId } from '../../../domain/ids/ids.ts'

/** A part of a list, which may be as deep as `offset` says. */
export interface OffsetPage {
  readonly limit: number
  readonly offset: number
}

export interface FoundAccounts {
  /** Those of the page, newest first. */
  readonly ids: readonly AccountId[]
  /** How many there are on all pages. */
  readonly total: number
}

export interface SearchedText {
  /** In lower case, not empty. */
  readonly text: string
  /** Whether it is looked for at the beginning of e-mail addresses, too. */
  readonly inAddresses: boolean
  /** An account that is left out, and not counted. */
  readonly except: AccountId | undefined
}

/** Finds accounts that are not erased. */
export interface AccountSearchQueries {
  /** False where Postgres has no index for parts of names: then nothing may be asked of `newest` and `matching`. */
  canSearch(): Promise<boolean>
  /** Every account. */
  newest(page: OffsetPage): Promise<FoundAccounts>
  /** By a part of the username; by its beginning if the text has fewer than `partOfText_characters_min` characters. */
  matching(searched: SearchedText, page: OffsetPage): Promise<FoundAccounts>
  /** Accounts with exactly this address, oldest first, at most two. The address is normalised. */
  withAddress(email: string): Promise<readonly AccountId[]>
}
