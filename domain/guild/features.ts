/** The possible features of a guild. */
export const guildFeatures = [
  'ANIMATED_ICON',
  'ANIMATED_BANNER',
  'BANNER',
  'INVITE_SPLASH',
  'VANITY_URL',
  'DISCOVERABLE',
  'PARTNERED',
  'VERIFIED',
  'VISIONARY',
  'VIP_VOICE',
  'VOICE_E2EE',
  'AUDIO_BITRATE_128_KBPS',
  'AUDIO_BITRATE_256_KBPS',
  'AUDIO_BITRATE_384_KBPS',
  'ANNOUNCEMENT_CHANNELS_DISABLED',
  'CLONE_EMOJI_ENABLED',
  'CLONE_STICKER_ENABLED',
  'CLONE_EMOJI_DISABLED',
  'CLONE_STICKER_DISABLED',
  'DETACHED_BANNER',
  'INVITES_DISABLED',
  'TEXT_CHANNEL_FLEXIBLE_NAMES',
  'HIDE_OWNER_CROWN',
  'RAID_DETECTED',
  'MORE_EMOJI',
  'MORE_STICKERS',
  'LARGE_GUILD_OVERRIDE',
  'UNLIMITED_EMOJI',
  'UNLIMITED_STICKERS',
  'EXPRESSION_PURGE_ALLOWED',
  'UNAVAILABLE_FOR_EVERYONE',
  'UNAVAILABLE_FOR_EVERYONE_BUT_STAFF',
  'UNAVAILABLE_HIDDEN',
  'VERY_LARGE_GUILD',
] as const

export type GuildFeature = (typeof guildFeatures)[number]

/** The features that Modify guild can add and remove. */
export const toggleableFeatures: readonly string[] = [
  'INVITES_DISABLED',
  'TEXT_CHANNEL_FLEXIBLE_NAMES',
  'DETACHED_BANNER',
  'CLONE_EMOJI_ENABLED',
  'CLONE_STICKER_ENABLED',
  'HIDE_OWNER_CROWN',
] satisfies readonly GuildFeature[]

/** The features of a new guild, unless Create guild asks for empty_features. */
export const initialFeatures = [
  'ANIMATED_ICON',
  'ANIMATED_BANNER',
  'BANNER',
  'INVITE_SPLASH',
] as const satisfies readonly GuildFeature[]
