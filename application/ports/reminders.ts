import type { AccountId, GuildId } from '../../domain/ids/ids.ts'

/** What to send again to an account's sessions: the account, all its own settings, or those for a guild. */
export interface Reminder {
  readonly accountId: AccountId
  /** `user` for the account as User Update shows it; absent for settings. */
  readonly of?: 'user'
  /** Null for the private channels; absent for the account's own settings. */
  readonly forGuild?: GuildId | null
}

/**
 * Sends an account or its settings to its sessions again when a request changed nothing. Such a request makes no event,
 * but the updates must be emitted all the same. Delivered at most once, like every signal.
 */
export interface Reminders {
  remind(reminder: Reminder): void
}
