import type { AccountId, GuildId } from '../../../domain/ids/ids.js'
import type { UserGuildSettings } from '../../../domain/user-guild-settings/state.js'
import type { ChosenSettings } from '../../../domain/user-settings/settings.js'

/** What an account wants to hear of a guild. */
export interface UserGuildSettingsRecord {
  /** Null for the private channels. */
  readonly guildId: GuildId | null
  readonly settings: UserGuildSettings
  /** How often they were changed. */
  readonly version: number
}

export interface UserSettingsQueries {
  /** What an account has chosen; undefined for one that does not exist. */
  find(account: AccountId): Promise<ChosenSettings | undefined>
  /** What some accounts have chosen; those that do not exist are left out. At most 1000. */
  findMany(accounts: readonly AccountId[]): Promise<ReadonlyMap<AccountId, ChosenSettings>>
  /** Null asks for the private channels; undefined where nothing was ever chosen. */
  findForGuild(account: AccountId, guild: GuildId | null): Promise<UserGuildSettingsRecord | undefined>
}
