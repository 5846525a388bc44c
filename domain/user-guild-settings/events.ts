import type { AccountId, GuildId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { UserGuildSettings } from './state.ts'

/** The events of an account's notification settings for a guild. Kept forever: members are added, never renamed or reused. */
export const userGuildSettingsEvents = {
  UserGuildSettingsChanged: event<UserGuildSettingsChanged>({
    accountId: 'text',
    forGuild: 'text or null',
    changes: 'object',
  }),
}

export type UserGuildSettingsEvent = EventOf<typeof userGuildSettingsEvents>

/** Concerns only the account, not the guild: nobody else is notified. */
export interface UserGuildSettingsChanged {
  readonly accountId: AccountId
  /** Null means the private channels. */
  readonly forGuild: GuildId | null
  /** Absent members stay as they were. */
  readonly changes: Partial<UserGuildSettings>
}
