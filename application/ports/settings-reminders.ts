import type { AccountId, GuildId } from '../../domain/ids/ids.js'

/** What an account's sessions are to be told again: all that it has chosen, or what it chose for a guild. */
export interface SettingsReminder {
  readonly accountId: AccountId
  /** Null for the private channels; absent for what is of no guild. */
  readonly forGuild?: GuildId | null
}

/**
 * Tells the sessions of an account again what it has chosen, where a request changed nothing: that is no event, and the
 * settings updates are always emitted (reference identity 9.5 and 9.6). Heard at most once, like every signal.
 */
export interface SettingsReminders {
  remind(reminder: SettingsReminder): void
}
