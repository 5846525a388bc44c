import type { ChannelId, GuildId } from '../ids/ids.js'
import { event, type EventOf, type Upcast } from '../kernel/event-catalog.js'
import type { Overwrite } from '../permissions/compute-permissions.js'
import { channelTypes, defaultThreads, type Channel } from './channel.js'
import type { ChannelName } from './channel-names.js'

/** Every channel of version 1 was of the layout that a guild begins with; nothing of the new could be chosen. */
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

/** What can happen to the channels of a guild. Kept forever: members are added, never renamed or reused. */
export const channelEvents = {
  ChannelCreated: event<ChannelCreated>(
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
  /** Whether it is of the layout that the guild began with. */
  readonly founding: boolean
}

/** What a change of a channel can touch: all but what names it, and its overwrites. */
export type ChannelFields = Omit<Channel, 'id' | 'overwrites'>

/** Somebody wrote a channel anew: the fields that differ, none where nothing does. */
export interface ChannelChanged {
  readonly guildId: GuildId
  readonly channelId: ChannelId
  readonly channelType: Channel['type']
  readonly before: Partial<ChannelFields>
  readonly after: Partial<ChannelFields>
}

/** Somebody wrote overwrites anew: all of the channel's, as they were and as they are; the same where nothing differs. */
export interface ChannelOverwritesChanged {
  readonly guildId: GuildId
  readonly channelId: ChannelId
  readonly before: readonly Overwrite[]
  readonly after: readonly Overwrite[]
  /** Channels of the category that had the very same overwrites, and have them still. */
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
  /** All positions of the guild that are other ones now. */
  readonly positions: readonly Placed[]
  /** What it took over from its category; null where it kept its own. */
  readonly overwrites: readonly Overwrite[] | null
}

export interface ChannelDeleted {
  readonly guildId: GuildId
  /** As it was. */
  readonly channel: Channel
  /** Those that stood in it: they stand at the root now. */
  readonly orphans: readonly Placed[]
}

/** The messages of channels that are no more are gone for good. */
export interface ChannelMessagesRemoved {
  readonly guildId: GuildId
  readonly channelIds: readonly ChannelId[]
  /** Whether they are all that a guild had which is no more. */
  readonly ofGuild: boolean
}
