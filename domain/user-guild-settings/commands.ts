import type { AccountId, GuildId } from '../ids/ids.ts'
import type { UserGuildSettings } from './state.ts'

export interface UserGuildSettingsCommand {
  readonly type: 'ChangeUserGuildSettings'
  readonly accountId: AccountId
  /** Null means the private channels. */
  readonly forGuild: GuildId | null
  /** Absent members stay as they are. */
  readonly changes: Partial<UserGuildSettings>
}
