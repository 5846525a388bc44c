import type { AccountId } from '../../domain/ids/ids.js'

/** Which accounts have ever started a Gateway session. An account that never did cannot send messages (reference gateway 5.7). */
export interface StartedSessions {
  /** Notes that an account starts a session. Resolves once every process knows; repeating it costs nothing. */
  note(account: AccountId): Promise<void>
  has(account: AccountId): Promise<boolean>
}
