import type { AccountId } from '../../domain/ids/ids.ts'

/** What accounts note about accounts, for themselves alone. Rejects with a subclass of Unavailable if Postgres can't be reached. */
export interface AccountNotes {
  /** All notes of an account, by the accounts that they are about. */
  of(account: AccountId): Promise<ReadonlyMap<AccountId, string>>
  find(account: AccountId, about: AccountId): Promise<string | undefined>
  /** Writes a note, or removes it with null; the sessions of the account are notified in the same statement, whatever was there. */
  set(account: AccountId, about: AccountId, note: string | null): Promise<void>
  /** Removes all notes of an account, and those about it. Nobody is notified. Safe to repeat. */
  removeAllOf(account: AccountId): Promise<void>
}
