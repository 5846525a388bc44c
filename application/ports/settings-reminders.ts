import type { AccountId, GuildId } from '../../domain/ids/ids.js'

/** The settings to send again to an account's sessions: all its own, or those for a guild. */
export interface SettingsReminder {
  readonly accountId: AccountId
  /** Null for the private channels; absent for the account's own settings. */
  readonly forGuild?: GuildId | null
}

/**
 * Sends an account's settings to its sessions again when a request changed nothing. Such a request makes no event, but the
 * settings updates must always be emitted (reference identity 9.5 and 9.6). Delivered at most once, like every signal.
 */
export interface SettingsReminders {
  remind(reminder: SettingsReminder): void
}
