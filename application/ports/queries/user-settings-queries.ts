import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import type { UserGuildSettings } from '../../../domain/user-guild-settings/state.ts'
import type { ChosenSettings } from '../../../domain/user-settings/settings.ts'

/** An account's notification settings for a guild. */
export interface UserGuildSettingsRecord {
  /** Null means the private channels. */
  readonly guildId: GuildId | null
  readonly settings: UserGuildSettings
  /** How often the settings were changed. */
  readonly version: number
}

export interface UserSettingsQueries {
  /** The settings that an account has chosen; undefined for an account that does not exist. */
  find(account: AccountId): Promise<ChosenSettings | undefined>
  /** The same for several accounts; those that do not exist are left out. At most 1000. */
  findMany(accounts: readonly AccountId[]): Promise<ReadonlyMap<AccountId, ChosenSettings>>
  /** Null means the private channels. Undefined if nothing was ever chosen. */
  findForGuild(account: AccountId, guild: GuildId | null): Promise<UserGuildSettingsRecord | undefined>
}
