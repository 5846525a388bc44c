import type { LimitKey } from './limit-keys.ts'

/**
 * Limits of operations to come: operators can set them, but nothing reads them yet. A test fails for any
 * other limit that nothing reads, and for one in this list that something reads.
 */
export const limitsToCome: ReadonlySet<LimitKey> = new Set([
  // Older names for parts of the slots of emojis and stickers, which only clients read
  'max_guild_emojis_animated',
  'max_guild_emojis_animated_more',
  'max_guild_emojis_static',
  'max_guild_emojis_static_more',
  'max_guild_stickers_more',
  // Saved media
  'max_favorite_meme_tags',
  'max_favorite_memes',
  // Voice, and what clients do with a perk by themselves
  'max_custom_backgrounds',
  'feature_higher_video_quality',
  'feature_voice_entrance_sounds',
  'feature_custom_notification_sounds',
  'feature_early_access',
])

/** What clients do with a perk by themselves, and older names that only clients read. */
const ofClients: ReadonlySet<LimitKey> = new Set([
  'feature_custom_notification_sounds',
  'feature_early_access',
  'max_guild_emojis_animated',
  'max_guild_emojis_animated_more',
  'max_guild_emojis_static',
  'max_guild_emojis_static_more',
  'max_guild_stickers_more',
])

/** Limits of what this server does not have: it does not advertise them (decision 209). */
export const limitsNotBuilt: ReadonlySet<LimitKey> = new Set([...limitsToCome].filter((key) => !ofClients.has(key)))
