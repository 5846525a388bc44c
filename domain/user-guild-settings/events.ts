import type { AccountId, GuildId } from '../ids/ids.js'
import { event, type EventOf } from '../kernel/event-catalog.js'
import type { UserGuildSettings } from './state.js'

/** What can happen to what an account wants to hear of a guild. Kept forever: members are added, never renamed or reused. */
export const userGuildSettingsEvents = {
  UserGuildSettingsChanged: event<UserGuildSettingsChanged>({
    accountId: 'text',
    forGuild: 'text or null',
    changes: 'object',
  }),
}

export type UserGuildSettingsEvent = EventOf<typeof userGuildSettingsEvents>

/** It happened to the account, not in the guild: nobody else hears of it. */
export interface UserGuildSettingsChanged {
  readonly accountId: AccountId
  /** Null for the private channels. */
  readonly forGuild: GuildId | null
  /** What is absent stays as it was. */
  readonly changes: Partial<UserGuildSettings>
}
