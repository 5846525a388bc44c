import type { AccountId, ChannelId, GuildId } from '../ids/ids.js'
import type { EventCatalog, Upcast } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'
import { channelEventDefinitions, type ChannelEvent } from './channel-events.js'
import type { GuildFeature } from './features.js'
import { roleEventDefinitions, type RoleEvent } from './role-events.js'
import type { CustomCode, Guild, GuildSettings } from './state.js'

/** The events of a guild. Kept forever: members are added, never renamed or reused. */
export type GuildEvent = GuildFact | RoleEvent | ChannelEvent

/** The events of a guild as a whole. */
type GuildFact =
  | { readonly type: 'GuildCreated'; readonly data: GuildCreated }
  | {
      readonly type: 'GuildSettingsChanged'
      readonly data: { readonly guildId: GuildId; readonly settings: Partial<GuildSettings> }
    }
  | {
      readonly type: 'GuildModified'
      readonly data: GuildModified
    }
  | {
      readonly type: 'GuildFeaturesChanged'
      readonly data: { readonly guildId: GuildId; readonly features: readonly GuildFeature[] }
    }
  | { readonly type: 'VanityCodeChanged'; readonly data: VanityCodeChanged }
  | { readonly type: 'OwnershipTransferred'; readonly data: OwnershipTransferred }
  | { readonly type: 'GuildDeleted'; readonly data: GuildDeleted }

/** What Modify guild can change. */
export type Modifiable = Pick<Guild, 'name' | 'features'> & GuildSettings

/** The guild was written: the members that differ, which may be none. The event follows nevertheless. */
export interface GuildModified {
  readonly guildId: GuildId
  readonly before: Partial<Modifiable>
  readonly after: Partial<Modifiable>
}

export interface GuildCreated {
  readonly guildId: GuildId
  readonly name: string
  readonly ownerId: AccountId
  readonly features: readonly GuildFeature[]
  readonly createdAt: Timestamp
}

/** The custom invite URL was set, replaced or removed. The code is the same before and after if only the claim changed. */
export interface VanityCodeChanged {
  readonly guildId: GuildId
  readonly before: CustomCode | null
  readonly after: CustomCode | null
}

export interface OwnershipTransferred {
  readonly guildId: GuildId
  readonly from: AccountId
  readonly to: AccountId
}

export interface GuildDeleted {
  readonly guildId: GuildId
  readonly ownerId: AccountId
  /** Its channels, whose messages are to be deleted. Empty in version 1, before there were messages. */
  readonly channelIds: readonly ChannelId[]
  /** Its custom code, which others may claim now; absent if it had none. */
  readonly customCode?: CustomCode
}

const withChannelIds: Upcast = (data) => ({ ...data, channelIds: [] })

export const guildEvents: EventCatalog<GuildEvent> = {
  category: 'guild',
  events: {
    GuildCreated: { version: 1 },
    ...roleEventDefinitions,
    ...channelEventDefinitions,
    GuildSettingsChanged: { version: 1 },
    GuildModified: { version: 1 },
    GuildFeaturesChanged: { version: 1 },
    VanityCodeChanged: { version: 1 },
    OwnershipTransferred: { version: 1 },
    GuildDeleted: { version: 2, upcasts: [withChannelIds] },
  },
}
