import type { AccountId } from '../../domain/ids/ids.ts'

/** Which accounts have ever started a Gateway session. An account that never did cannot send messages. */
export interface StartedSessions {
  /** Notes that an account starts a session. Resolves once every process knows; repeating it costs nothing. */
  note(account: AccountId): Promise<void>
  has(account: AccountId): Promise<boolean>
  /** At most `count_max` accounts whose history does not say yet that they have started a session. */
  withoutFlag(count_max: number): Promise<readonly AccountId[]>
  /** The histories of these accounts say so now. */
  flagged(accounts: readonly AccountId[]): Promise<void>
}
