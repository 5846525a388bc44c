import type { AccountId, GuildId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { GuildFolder, Stay } from './guild-folders.ts'
import type { CustomStatus, PlainChanges } from './settings.ts'

export type UserSettingsCommand = ChangeUserSettings | RestrictJoinedGuild

/** The requested changes; absent members stay as they are. */
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
  /** The account's current guilds, last joined first. */
  readonly stays: readonly Stay[]
  readonly isAdult: boolean
  readonly isStaff: boolean
  readonly now: Timestamp
}

/** Turns off direct messages from the members, or the bots, of a newly joined guild, if the account accepts none by default. */
export interface RestrictJoinedGuild {
  readonly type: 'RestrictJoinedGuild'
  readonly accountId: AccountId
  readonly guildId: GuildId
}
