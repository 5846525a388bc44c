import type { ChannelId } from '../ids/ids.js'
import type { Overwrite } from '../permissions/compute-permissions.js'
import type { GuildFeature } from './features.js'

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
  /** At most one for each role and member, and 100 in all (domain/guild/overwrite-bounds.ts). */
  readonly overwrites: readonly Overwrite[]
  /** 1-1024 characters. */
  readonly topic: string | null
  /** Where a link leads, at most 2048 characters. */
  readonly url: string | null
  /** The channel's own mark. */
  readonly nsfw: boolean
  /** In place of the guild's mark; null where that holds. */
  readonly nsfwOverride: boolean | null
  /** 0 as the guild has it, 1 a warning. */
  readonly contentWarningLevel: number
  /** At most 200 characters. */
  readonly contentWarningText: string | null
  /** Seconds between two messages of one member, 0-21600. */
  readonly rateLimitPerUser: number
  /** Set on voice channels alone. */
  readonly voice: VoiceSettings | null
  /** Set on channels alone that threads can stand in. */
  readonly threads: ThreadDefaults | null
  /** Set on forum and media channels alone. */
  readonly forum: ForumSettings | null
}

export interface VoiceSettings {
  /** Bits a second, 8000-384000: a write above the guild's cap is stored at it. */
  readonly bitrate: number
  /** 0 for no limit, up to 99. */
  readonly userLimit: number
  /** Connections an account, 1-100. */
  readonly connectionLimit: number
  /** At most 64 characters; null where it is chosen for each call. */
  readonly rtcRegion: string | null
  /** Set where those who talk are to be connected directly, without a voice server. */
  readonly rtcP2p?: true
}

/** What a thread of the channel begins with. */
export interface ThreadDefaults {
  /** Minutes: 60, 1440, 4320 or 10080. */
  readonly autoArchiveDuration: number
  /** Seconds, 0-21600. */
  readonly rateLimitPerUser: number
}

export interface ForumSettings {
  /** 1<<4 where every post needs a tag. */
  readonly flags: number
  /** At most 20. */
  readonly availableTags: readonly ForumTag[]
  readonly defaultReactionEmoji: ForumEmoji | null
  /** 0 by activity, 1 by creation. */
  readonly defaultSortOrder: number | null
  /** 0 not set, 1 list, 2 gallery. */
  readonly defaultForumLayout: number
  /** Which posts several tags find; absent where nothing is chosen. */
  readonly defaultTagSetting?: TagSetting
}

/** Posts with some of the tags, or those alone with all of them (reference gateway 3.4). */
export const tagSettings = ['match_some', 'match_all'] as const

export type TagSetting = (typeof tagSettings)[number]

export interface ForumTag extends ForumEmoji {
  readonly id: string
  /** 1-20 characters. */
  readonly name: string
  /** Whether only thread moderators give it. */
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

/** The flag of a forum where every post needs a tag; no other can be set. */
export const forumRequiresTag = 1 << 4

const { text, voice, category, announcement, forum, media, link } = channelTypes

/** Which channels have what (reference gateway 3.4). */
const typesWith = {
  /** Messages stand in it by itself: voice is not built, and forums hold threads. */
  messages: [text, announcement],
  topic: [text, voice, announcement, forum, media],
  url: [link],
  rateLimit: [text, announcement, forum, media],
  voice: [voice],
  threads: [text, announcement, forum, media],
  forum: [forum, media],
  /** A name in lower case with hyphens, where the guild does not let it be (contract part 1, Guild features). */
  textName: [text, announcement, forum, media],
  invites: [text, voice, category, announcement, link],
  parent: [text, voice, announcement, forum, media, link],
} as const satisfies Readonly<Record<string, readonly ChannelType[]>>

/** Whether channels of a type have something. */
export function has(type: ChannelType, what: keyof typeof typesWith): boolean {
  const types: readonly ChannelType[] = typesWith[what]
  return types.includes(type)
}

/** Threads, forum and media channels create no invite (contract part 1, Create channel invite). */
export function takesInvites({ type }: Pick<Channel, 'type'>): boolean {
  return has(type, 'invites')
}

/** Whether only adults may read it: by its own mark, or by the guild's where it does not say otherwise. */
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

/** Bits a second that a write stores at most: the highest of what the features allow (contract part 1, Guild features). */
export function bitrateCap(features: readonly GuildFeature[]): number {
  return bitrateCaps.find(([feature]) => features.includes(feature))?.[1] ?? 96_000
}
