import type { ChannelId, GuildId } from '../ids/ids.js'
import type { EventDefinition, Upcast } from '../kernel/event-catalog.js'
import type { Overwrite } from '../permissions/compute-permissions.js'
import { channelTypes, defaultThreads, type Channel } from './channel.js'
import type { ChannelName } from './channel-names.js'

/** The events of a guild's channels. Kept forever: members are added, never renamed or reused. */
export type ChannelEvent =
  | { readonly type: 'ChannelCreated'; readonly data: ChannelCreated }
  | { readonly type: 'ChannelChanged'; readonly data: ChannelChanged }
  | { readonly type: 'ChannelOverwritesChanged'; readonly data: ChannelOverwritesChanged }
  | { readonly type: 'ChannelMoved'; readonly data: ChannelMoved }
  | {
      readonly type: 'ChannelNamesNormalised'
      readonly data: { readonly guildId: GuildId; readonly names: readonly ChannelName[] }
    }
  | { readonly type: 'ChannelDeleted'; readonly data: ChannelDeleted }
  | { readonly type: 'ChannelMessagesRemoved'; readonly data: ChannelMessagesRemoved }

export interface ChannelCreated {
  readonly guildId: GuildId
  readonly channel: Channel
  /** Whether it is part of the guild's initial layout. */
  readonly founding: boolean
}

/** The fields that a change of a channel can touch: all but its id and overwrites. */
export type ChannelFields = Omit<Channel, 'id' | 'overwrites'>

/** A channel was written: the fields that differ, which may be none. */
export interface ChannelChanged {
  readonly guildId: GuildId
  readonly channelId: ChannelId
  readonly channelType: Channel['type']
  readonly before: Partial<ChannelFields>
  readonly after: Partial<ChannelFields>
}

/** Overwrites were written: all of the channel's, before and after; equal if nothing differs. */
export interface ChannelOverwritesChanged {
  readonly guildId: GuildId
  readonly channelId: ChannelId
  readonly before: readonly Overwrite[]
  readonly after: readonly Overwrite[]
  /** Channels of the category that had the same overwrites before, and so have them now. */
  readonly synced: readonly ChannelId[]
}

export interface Placed {
  readonly channelId: ChannelId
  readonly position: number
}

export interface ChannelMoved {
  readonly guildId: GuildId
  readonly channelId: ChannelId
  readonly parentId: ChannelId | null
  /** All changed positions in the guild. */
  readonly positions: readonly Placed[]
  /** The overwrites copied from its category; null if it kept its own. */
  readonly overwrites: readonly Overwrite[] | null
}

export interface ChannelDeleted {
  readonly guildId: GuildId
  /** As it was before. */
  readonly channel: Channel
  /** The channels of the deleted category, which are at the root now. */
  readonly orphans: readonly Placed[]
}

/** The messages of deleted channels are gone for good. */
export interface ChannelMessagesRemoved {
  readonly guildId: GuildId
  readonly channelIds: readonly ChannelId[]
  /** Whether they are all the channels of a deleted guild. */
  readonly ofGuild: boolean
}

/** All channels of version 1 were part of an initial layout, where the new attributes could not be chosen. */
const withAllFields: Upcast = (data) => {
  const channel = data['channel'] as Channel
  const settings = {
    url: null,
    nsfwOverride: null,
    contentWarningLevel: 0,
    contentWarningText: null,
    voice: channel.voice && { ...channel.voice, rtcRegion: null },
    threads: channel.type === channelTypes.text ? defaultThreads : null,
    forum: null,
  }
  return { ...data, channel: { ...channel, ...settings }, founding: true }
}

export const channelEventDefinitions: Readonly<Record<ChannelEvent['type'], EventDefinition>> = {
  ChannelCreated: { version: 2, upcasts: [withAllFields] },
  ChannelChanged: { version: 1 },
  ChannelOverwritesChanged: { version: 1 },
  ChannelMoved: { version: 1 },
  ChannelNamesNormalised: { version: 1 },
  ChannelDeleted: { version: 1 },
  ChannelMessagesRemoved: { version: 1 },
}
