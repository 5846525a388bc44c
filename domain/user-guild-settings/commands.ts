import type { AccountId, GuildId } from '../ids/ids.js'
import type { UserGuildSettings } from './state.js'

export interface UserGuildSettingsCommand {
  readonly type: 'ChangeUserGuildSettings'
  readonly accountId: AccountId
  /** Null means the private channels. */
  readonly forGuild: GuildId | null
  /** Absent members stay as they are. */
  readonly changes: Partial<UserGuildSettings>
}
