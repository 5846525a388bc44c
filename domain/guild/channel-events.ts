import type { ChannelId, GuildId } from '../ids/ids.ts'
import { event, type EventOf, type Upcast } from '../kernel/event-catalog.ts'
import type { Overwrite } from '../permissions/compute-permissions.ts'
import { channelTypes, defaultThreads, type Channel, type VoiceSettings } from './channel.ts'
import type { ChannelName } from './channel-names.ts'

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

/** The events of a guild's channels. Kept forever: members are added, never renamed or reused. */
export const channelEvents = {
  ChannelCreated: event<ChannelCreated, readonly [FirstChannelCreated]>(
    { guildId: 'text', channel: 'object', founding: 'flag' },
    { upcasts: [withAllFields] },
  ),
  ChannelChanged: event<ChannelChanged>({
    guildId: 'text',
    channelId: 'text',
    channelType: 'number',
    before: 'object',
    after: 'object',
  }),
  ChannelOverwritesChanged: event<ChannelOverwritesChanged>({
    guildId: 'text',
    channelId: 'text',
    before: 'list',
    after: 'list',
    synced: 'list',
  }),
  ChannelMoved: event<ChannelMoved>({
    guildId: 'text',
    channelId: 'text',
    parentId: 'text or null',
    positions: 'list',
    overwrites: 'list or null',
  }),
  ChannelsReordered: event<ChannelsReordered>({ guildId: 'text', positions: 'list', moved: 'list' }),
  ChannelNamesNormalised: event<{ readonly guildId: GuildId; readonly names: readonly ChannelName[] }>({
    guildId: 'text',
    names: 'list',
  }),
  ChannelDeleted: event<ChannelDeleted>({ guildId: 'text', channel: 'object', orphans: 'list' }),
  ChannelMessagesRemoved: event<ChannelMessagesRemoved>({ guildId: 'text', channelIds: 'list', ofGuild: 'flag' }),
}

export type ChannelEvent = EventOf<typeof channelEvents>

export interface ChannelCreated {
  readonly guildId: GuildId
  readonly channel: Channel
  /** Whether it is part of the guild's initial layout. */
  readonly founding: boolean
}

/** Version 1, of channels that were all part of an initial layout. */
export interface FirstChannelCreated {
  readonly guildId: GuildId
  readonly channel: FirstChannel
}

type FirstAttributes =
  | 'id'
  | 'type'
  | 'name'
  | 'position'
  | 'parentId'
  | 'overwrites'
  | 'topic'
  | 'nsfw'
  | 'rateLimitPerUser'
export type FirstChannel = Pick<Channel, FirstAttributes> & {
  readonly voice: Omit<VoiceSettings, 'rtcRegion' | 'rtcP2p'> | null
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

/** One move of a request. Written by versions before `ChannelsReordered`, an event for each move. */
export interface ChannelMoved {
  readonly guildId: GuildId
  readonly channelId: ChannelId
  readonly parentId: ChannelId | null
  /** All changed positions in the guild. */
  readonly positions: readonly Placed[]
  /** The overwrites copied from its category; null if it kept its own. */
  readonly overwrites: readonly Overwrite[] | null
}

/** What the moves of one request came to. */
export interface ChannelsReordered {
  readonly guildId: GuildId
  /** All changed positions in the guild. */
  readonly positions: readonly Placed[]
  /** The channels that have another parent, or took over the overwrites of their category. */
  readonly moved: readonly MovedChannel[]
}

export interface MovedChannel {
  readonly channelId: ChannelId
  readonly parentId: ChannelId | null
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
