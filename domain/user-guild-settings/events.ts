import type { AccountId, GuildId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { UserGuildSettings } from './state.js'

/** The events of an account's notification settings for a guild. Kept forever: members are added, never renamed or reused. */
export interface UserGuildSettingsEvent {
  readonly type: 'UserGuildSettingsChanged'
  readonly data: UserGuildSettingsChanged
}

/** Concerns only the account, not the guild: nobody else is notified. */
export interface UserGuildSettingsChanged {
  readonly accountId: AccountId
  /** Null means the private channels. */
  readonly forGuild: GuildId | null
  /** Absent members stay as they were. */
  readonly changes: Partial<UserGuildSettings>
}

export const userGuildSettingsEvents: EventCatalog<UserGuildSettingsEvent> = {
  category: 'user_guild_settings',
  events: { UserGuildSettingsChanged: { version: 1 } },
}
