import type { AccountId, GuildId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { Channel } from './channel.js'
import type { GuildFeature } from './features.js'
import type { GuildSettings, Role } from './state.js'

/** What can happen to a guild. Kept forever: members are added, never renamed or reused. */
export type GuildEvent =
  | { readonly type: 'GuildCreated'; readonly data: GuildCreated }
  | { readonly type: 'RoleCreated'; readonly data: { readonly guildId: GuildId; readonly role: Role } }
  | { readonly type: 'ChannelCreated'; readonly data: { readonly guildId: GuildId; readonly channel: Channel } }
  | {
      readonly type: 'GuildSettingsChanged'
      readonly data: { readonly guildId: GuildId; readonly settings: Partial<GuildSettings> }
    }
  | {
      readonly type: 'GuildFeaturesChanged'
      readonly data: { readonly guildId: GuildId; readonly features: readonly GuildFeature[] }
    }
  | { readonly type: 'GuildDeleted'; readonly data: { readonly guildId: GuildId; readonly ownerId: AccountId } }

export interface GuildCreated {
  readonly guildId: GuildId
  readonly name: string
  readonly ownerId: AccountId
  readonly features: readonly GuildFeature[]
  readonly createdAt: Timestamp
}

export const guildEvents: EventCatalog<GuildEvent> = {
  category: 'guild',
  events: {
    GuildCreated: { version: 1 },
    RoleCreated: { version: 1 },
    ChannelCreated: { version: 1 },
    GuildSettingsChanged: { version: 1 },
    GuildFeaturesChanged: { version: 1 },
    GuildDeleted: { version: 1 },
  },
}
