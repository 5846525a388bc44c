import type { AccountId, GuildId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { GuildFolder, Stay } from './guild-folders.js'
import type { CustomStatus, PlainChanges } from './settings.js'

export type UserSettingsCommand = ChangeUserSettings | RestrictJoinedGuild

/** What an account wants to be otherwise: what is absent stays as it is. */
export interface SettingsWishes {
  readonly changes: PlainChanges
  readonly guildFolders?: readonly GuildFolder[]
  /** Null for none. */
  readonly customStatus?: CustomStatus | null
  /** Base64; empty for none. */
  readonly syncedPreferences?: string
}

export interface ChangeUserSettings extends SettingsWishes {
  readonly type: 'ChangeUserSettings'
  readonly accountId: AccountId
  /** The guilds that the account is in now, the one joined last first. */
  readonly stays: readonly Stay[]
  readonly isAdult: boolean
  readonly isStaff: boolean
  readonly now: Timestamp
}

/** Takes no direct messages from the members, or the bots, of a guild that was just joined, where the account takes none by default. */
export interface RestrictJoinedGuild {
  readonly type: 'RestrictJoinedGuild'
  readonly accountId: AccountId
  readonly guildId: GuildId
}
