import type { AccountId } from '../../domain/ids/ids.js'

/** Which accounts have ever started a Gateway session: who never did can't send (reference gateway 5.7). */
export interface StartedSessions {
  /** Notes that an account starts one. Resolves once every process knows; noting it again costs nothing. */
  note(account: AccountId): Promise<void>
  has(account: AccountId): Promise<boolean>
}
