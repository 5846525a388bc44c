import type { AccountId, GuildId } from '../ids/ids.js'
import type { UserGuildSettings } from './state.js'

export interface UserGuildSettingsCommand {
  readonly type: 'ChangeUserGuildSettings'
  readonly accountId: AccountId
  /** Null for the private channels. */
  readonly forGuild: GuildId | null
  /** What is absent stays as it is. */
  readonly changes: Partial<UserGuildSettings>
}
