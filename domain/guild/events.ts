import type { AccountId, ChannelId, GuildId } from '../ids/ids.ts'
import { event, type EventOf, type Upcast } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import { channelEvents } from './channel-events.ts'
import type { GuildFeature } from './features.ts'
import { roleEvents } from './role-events.ts'
import type { CustomCode, Guild, GuildSettings } from './state.ts'

const withChannelIds: Upcast = (data) => ({ ...data, channelIds: [] })

/** The events of a guild. Kept forever: members are added, never renamed or reused. */
export const guildEvents = {
  GuildCreated: event<GuildCreated>({
    guildId: 'text',
    name: 'text',
    ownerId: 'text',
    features: 'list',
    createdAt: 'text',
  }),
  ...roleEvents,
  ...channelEvents,
  GuildSettingsChanged: event<{ readonly guildId: GuildId; readonly settings: Partial<GuildSettings> }>({
    guildId: 'text',
    settings: 'object',
  }),
  GuildModified: event<GuildModified>({ guildId: 'text', before: 'object', after: 'object' }),
  GuildFeaturesChanged: event<{ readonly guildId: GuildId; readonly features: readonly GuildFeature[] }>({
    guildId: 'text',
    features: 'list',
  }),
  VanityCodeChanged: event<VanityCodeChanged>({ guildId: 'text', before: 'object or null', after: 'object or null' }),
  OwnershipTransferred: event<OwnershipTransferred>({ guildId: 'text', from: 'text', to: 'text' }),
  GuildDeleted: event<GuildDeleted, readonly [GuildDeletedBeforeMessages]>(
    { guildId: 'text', ownerId: 'text', channelIds: 'list' },
    { upcasts: [withChannelIds] },
  ),
}

export type GuildEvent = EventOf<typeof guildEvents>

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
  /** Its channels, whose messages are to be deleted. Read as empty from version 1, before there were messages. */
  readonly channelIds: readonly ChannelId[]
  /** Its custom code, which others may claim now; absent if it had none. */
  readonly customCode?: CustomCode
}

/** Version 1, before there were messages. */
export type GuildDeletedBeforeMessages = Omit<GuildDeleted, 'channelIds' | 'customCode'>
