import type { ChannelId } from '../ids/ids.js'
import type { Overwrite } from '../permissions/compute-permissions.js'

/** The kinds of guild channels (reference gateway 3.4). */
export const channelTypes = {
  text: 0,
  voice: 2,
  category: 4,
  announcement: 5,
  forum: 15,
  media: 16,
  link: 998,
} as const

export type ChannelType = (typeof channelTypes)[keyof typeof channelTypes]

export interface Channel {
  readonly id: ChannelId
  readonly type: ChannelType
  /** 1-100 characters. */
  readonly name: string
  /** Sort position among its siblings. */
  readonly position: number
  /** The category that it stands in; null at the guild's root, and always for a category. */
  readonly parentId: ChannelId | null
  readonly overwrites: readonly Overwrite[]
  readonly topic: string | null
  readonly nsfw: boolean
  /** Seconds between two messages of one member, 0-21600. */
  readonly rateLimitPerUser: number
  /** Set on voice channels alone. */
  readonly voice: VoiceSettings | null
}

export interface VoiceSettings {
  /** Bits a second, 8000-384000. */
  readonly bitrate: number
  /** 0 for no limit, up to 99. */
  readonly userLimit: number
  /** Connections an account, 1-100. */
  readonly connectionLimit: number
}

export const defaultVoice: VoiceSettings = { bitrate: 64_000, userLimit: 0, connectionLimit: 5 }

const inviteless: readonly ChannelType[] = [channelTypes.forum, channelTypes.media]

/** Threads, forum and media channels create no invite (contract part 1, Create channel invite). */
export function takesInvites(channel: Channel): boolean {
  return !inviteless.includes(channel.type)
}
