import { everyoneRoleId, type ChannelId, type GuildId } from '../ids/ids.ts'
import { newGuildEveryonePermissions, type PermissionMask } from '../permissions/permission-bits.ts'
import { channelTypes, defaultThreads, defaultVoice, type Channel } from './channel.ts'
import type { GuildSettings, Role } from './state.ts'

/** The initial content of a guild. */
export interface GuildLayout {
  /** The everyone role first. */
  readonly roles: readonly Role[]
  readonly channels: readonly Channel[]
  /** The settings that differ from the initial ones. */
  readonly settings: Partial<GuildSettings>
}

/** Ids for the four channels of the default layout. */
export interface DefaultChannelIds {
  readonly textCategory: ChannelId
  readonly voiceCategory: ChannelId
  readonly text: ChannelId
  readonly voice: ChannelId
}

/** A channel at the guild's root with default attributes. */
export const plainChannel: Omit<Channel, 'id' | 'type' | 'name' | 'position'> = {
  parentId: null,
  overwrites: [],
  topic: null,
  url: null,
  nsfw: false,
  nsfwOverride: null,
  contentWarningLevel: 0,
  contentWarningText: null,
  rateLimitPerUser: 0,
  voice: null,
  threads: null,
  forum: null,
}

/** The everyone role with a permission mask. */
export function everyoneRole(guildId: GuildId, permissions: PermissionMask): Role {
  return {
    id: everyoneRoleId(guildId),
    name: '@everyone',
    permissions,
    position: 0,
    color: 0,
    hoist: false,
    hoistPosition: null,
    mentionable: false,
    unicodeEmoji: null,
  }
}

/** The layout without a template: general becomes the system channel. */
export function defaultLayout(guildId: GuildId, ids: DefaultChannelIds): GuildLayout {
  const { category, text, voice } = channelTypes
  const { textCategory, voiceCategory } = ids
  const general = { name: 'general', position: 0, parentId: textCategory, threads: defaultThreads }
  return {
    roles: [everyoneRole(guildId, newGuildEveryonePermissions.toString())],
    channels: [
      { ...plainChannel, id: textCategory, type: category, name: 'Text Channels', position: 0 },
      { ...plainChannel, id: voiceCategory, type: category, name: 'Voice Channels', position: 1 },
      { ...plainChannel, ...general, id: ids.text, type: text },
      {
        ...plainChannel,
        id: ids.voice,
        type: voice,
        name: 'General',
        position: 0,
        parentId: voiceCategory,
        voice: defaultVoice,
      },
    ],
    settings: { systemChannelId: ids.text },
  }
}
