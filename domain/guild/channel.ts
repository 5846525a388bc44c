import type { ChannelId } from '../ids/ids.ts'
import type { Overwrite } from '../permissions/compute-permissions.ts'
import type { GuildFeature } from './features.ts'

/** The kinds of guild channels (rules/channels#kinds). */
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
  /** The sort position among its siblings. */
  readonly position: number
  /** Its category; null at the guild's root, and always for a category. */
  readonly parentId: ChannelId | null
  /** At most one for each role and member, and 100 in all (domain/guild/overwrite-bounds.ts). */
  readonly overwrites: readonly Overwrite[]
  /** 1-1024 characters. */
  readonly topic: string | null
  /** The target of a link channel, at most 2048 characters. */
  readonly url: string | null
  /** The channel's own setting. */
  readonly nsfw: boolean
  /** Overrides the guild's setting; null to use that. */
  readonly nsfwOverride: boolean | null
  /** 0 uses the guild's setting, 1 shows a warning. */
  readonly contentWarningLevel: number
  /** At most 200 characters. */
  readonly contentWarningText: string | null
  /** Seconds between two messages of one member, 0-21600. */
  readonly rateLimitPerUser: number
  /** Only for voice channels. */
  readonly voice: VoiceSettings | null
  /** Only for channels that can have threads. */
  readonly threads: ThreadDefaults | null
  /** Only for forum and media channels. */
  readonly forum: ForumSettings | null
}

export interface VoiceSettings {
  /** Bits per second, 8000-384000: a higher value than the guild's cap is stored as the cap. */
  readonly bitrate: number
  /** 0 for no limit, up to 99. */
  readonly userLimit: number
  /** Connections per account, 1-100. */
  readonly connectionLimit: number
  /** At most 64 characters; null to choose a region for each call. */
  readonly rtcRegion: string | null
  /** Set if callers connect directly, without a voice server. */
  readonly rtcP2p?: true
}

/** The initial settings of the channel's threads. */
export interface ThreadDefaults {
  /** Minutes: 60, 1440, 4320 or 10080. */
  readonly autoArchiveDuration: number
  /** Seconds, 0-21600. */
  readonly rateLimitPerUser: number
}

export interface ForumSettings {
  /** 1<<4 if every post needs a tag. */
  readonly flags: number
  /** At most 20. */
  readonly availableTags: readonly ForumTag[]
  readonly defaultReactionEmoji: ForumEmoji | null
  /** 0 by activity, 1 by creation. */
  readonly defaultSortOrder: number | null
  /** 0 unset, 1 list, 2 gallery. */
  readonly defaultForumLayout: number
  /** How posts are filtered by several tags; absent for no choice. */
  readonly defaultTagSetting?: TagSetting
}

/** Posts with some of the tags, or only posts with all of them. */
export const tagSettings = ['match_some', 'match_all'] as const

export type TagSetting = (typeof tagSettings)[number]

export interface ForumTag extends ForumEmoji {
  readonly id: string
  /** 1-20 characters. */
  readonly name: string
  /** Whether only thread moderators can give it. */
  readonly moderated: boolean
}

export interface ForumEmoji {
  readonly emojiId: string | null
  readonly emojiName: string | null
}

export const defaultVoice: VoiceSettings = { bitrate: 64_000, userLimit: 0, connectionLimit: 5, rtcRegion: null }
export const defaultThreads: ThreadDefaults = { autoArchiveDuration: 4320, rateLimitPerUser: 0 }
export const emptyForum: ForumSettings = {
  flags: 0,
  availableTags: [],
  defaultReactionEmoji: null,
  defaultSortOrder: null,
  defaultForumLayout: 0,
}

/** The flag of a forum where every post needs a tag; no other flag can be set. */
export const forumRequiresTag = 1 << 4

const { text, voice, category, announcement, forum, media, link } = channelTypes

/** What each channel type has. What a type does not have is dropped from a write. */
const typesWith = {
  /** Holds messages itself: voice is not implemented, and forums hold threads. */
  messages: [text, announcement],
  topic: [text, voice, announcement, forum, media],
  url: [link],
  rateLimit: [text, announcement, forum, media],
  voice: [voice],
  threads: [text, announcement, forum, media],
  forum: [forum, media],
  /** Names are in lower case with hyphens, unless the guild allows flexible names. */
  textName: [text, announcement, forum, media],
  invites: [text, voice, category, announcement, link],
  parent: [text, voice, announcement, forum, media, link],
} as const satisfies Readonly<Record<string, readonly ChannelType[]>>

/** Whether channels of a type have an attribute. */
export function has(type: ChannelType, what: keyof typeof typesWith): boolean {
  const types: readonly ChannelType[] = typesWith[what]
  return types.includes(type)
}

/** Threads, forum and media channels have no invites. */
export function takesInvites({ type }: Pick<Channel, 'type'>): boolean {
  return has(type, 'invites')
}

/** Whether only adults may read it: by its own setting, else by its override or the guild's setting. */
export function isAgeRestricted(
  { nsfw, nsfwOverride }: Pick<Channel, 'nsfw' | 'nsfwOverride'>,
  { settings }: { readonly settings: { readonly nsfw: boolean } },
): boolean {
  return nsfw || (nsfwOverride ?? settings.nsfw)
}

const bitrateCaps = [
  ['AUDIO_BITRATE_384_KBPS', 384_000],
  ['AUDIO_BITRATE_256_KBPS', 256_000],
  ['AUDIO_BITRATE_128_KBPS', 128_000],
] as const satisfies readonly (readonly [GuildFeature, number])[]

/** The highest bitrate that a write stores, in bits per second, by the guild's features. */
export function bitrateCap(features: readonly GuildFeature[]): number {
  return bitrateCaps.find(([feature]) => features.includes(feature))?.[1] ?? 96_000
}
