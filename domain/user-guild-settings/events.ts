import type { AccountId, GuildId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { UserGuildSettings } from './state.js'

/** What can happen to what an account wants to hear of a guild. Kept forever: members are added, never renamed or reused. */
export interface UserGuildSettingsEvent {
  readonly type: 'UserGuildSettingsChanged'
  readonly data: UserGuildSettingsChanged
}

/** It happened to the account, not in the guild: nobody else hears of it. */
export interface UserGuildSettingsChanged {
  readonly accountId: AccountId
  /** Null for the private channels. */
  readonly forGuild: GuildId | null
  /** What is absent stays as it was. */
  readonly changes: Partial<UserGuildSettings>
}

export const userGuildSettingsEvents: EventCatalog<UserGuildSettingsEvent> = {
  category: 'user_guild_settings',
  events: { UserGuildSettingsChanged: { version: 1 } },
}
