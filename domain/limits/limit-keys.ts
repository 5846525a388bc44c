/** Whose limit it is: an account's, a guild's, or both: it applies to an account and, separately, within a guild. */
export type LimitScope = 'user' | 'guild' | 'both'

/** The categories in which operators see the limits, with their headings. */
export const limitCategories = {
  messages: 'Messages',
  guilds: 'Guilds',
  channels: 'Channels',
  expressions: 'Expressions',
  files: 'Files',
  social: 'Social',
  features: 'Features',
} as const

export type LimitCategory = keyof typeof limitCategories

/** The definition of one limit. */
export interface LimitDefinition {
  readonly scope: LimitScope
  readonly category: LimitCategory
  readonly label: string
  readonly description: string
  /** The value without any rule. */
  readonly value: number
  /** The value for accounts with the trait `premium`; absent if they have the default. */
  readonly premium?: number
  readonly unit?: 'bytes' | 'count'
  /** The range that an editor offers. Rules may go beyond it. */
  readonly min?: number
  readonly max?: number
}

type Told = Omit<LimitDefinition, 'scope' | 'category' | 'label' | 'description'>

const limit =
  (scope: LimitScope, category: LimitCategory, unit: LimitDefinition['unit'] = 'count') =>
  (label: string, description: string, told: Told): LimitDefinition => ({
    scope,
    category,
    label,
    description,
    unit,
    ...told,
  })

/** A perk: 1 if granted, 0 if not. All perks come with premium. */
const feature = (label: string, description: string): LimitDefinition => ({
  scope: 'user',
  category: 'features',
  label,
  description,
  value: 0,
  premium: 1,
  min: 0,
  max: 1,
})

const ofAccount = {
  file: limit('user', 'files', 'bytes'),
  guild: limit('user', 'guilds'),
  channel: limit('user', 'channels'),
  expression: limit('user', 'expressions'),
  message: limit('user', 'messages'),
  social: limit('user', 'social'),
}
const ofGuild = {
  expression: limit('guild', 'expressions'),
  image: limit('guild', 'expressions', 'bytes'),
  channel: limit('guild', 'channels'),
  guild: limit('guild', 'guilds'),
  message: limit('guild', 'messages'),
}
const ofBoth = {
  file: limit('both', 'files', 'bytes'),
  message: limit('both', 'messages'),
}

/**
 * Every limit that an operator can set: its name, its scope, and its default. No source gives a default for max_custom_backgrounds.
 */
export const limitDefinitions = {
  avatar_max_size: ofAccount.file('Avatar size', 'The largest image for an avatar, an icon or a banner.', {
    value: 10_485_760,
    min: 1024,
    max: 10_485_760,
  }),
  emoji_max_size: ofGuild.image('Emoji size', 'The largest image for an emoji.', {
    value: 524_288,
    min: 1024,
    max: 524_288,
  }),
  sticker_max_size: ofGuild.image('Sticker size', 'The largest image for a sticker.', { value: 524_288 }),
  feature_animated_avatar: feature('Animated avatar', 'Whether the avatar may move.'),
  feature_animated_banner: feature('Animated banner', 'Whether the banner may move.'),
  feature_custom_discriminator: feature('Chosen discriminator', 'Whether the number of the tag may be chosen.'),
  feature_custom_notification_sounds: feature('Notification sounds', 'Whether notifications may have own sounds.'),
  feature_early_access: feature('Early access', 'Whether new features are there before others have them.'),
  feature_global_expressions: feature('Expressions everywhere', 'Whether expressions may be used in other guilds.'),
  feature_higher_video_quality: feature('Higher video quality', 'Whether video may be sent in higher quality.'),
  feature_per_guild_profiles: feature('Profiles by guild', 'Whether each guild may have a profile of its own.'),
  feature_voice_entrance_sounds: feature('Entrance sounds', 'Whether a sound may be played on entering a call.'),
  max_attachment_file_size: ofBoth.file('Attachment size', 'The largest file of a message.', {
    value: 26_214_400,
    premium: 524_288_000,
    min: 0,
    max: 10_737_418_240,
  }),
  max_attachments_per_message: ofBoth.message('Attachments a message', 'How many files a message may have.', {
    value: 10,
    min: 1,
    max: 10,
  }),
  max_bio_length: ofAccount.social('Bio length', 'How many characters a bio may have.', {
    value: 160,
    premium: 320,
    min: 1,
    max: 320,
  }),
  max_bookmarks: ofAccount.message('Bookmarks', 'How many messages may be saved.', {
    value: 50,
    premium: 300,
    min: 0,
    max: 300,
  }),
  max_channels_per_category: ofGuild.channel('Channels a category', 'How many channels a category may hold.', {
    value: 50,
    min: 1,
    max: 50,
  }),
  max_custom_backgrounds: ofAccount.social('Call backgrounds', 'How many backgrounds for calls may be kept.', {
    value: 15,
    min: 0,
    max: 15,
  }),
  max_embeds_per_message: ofBoth.message('Embeds a message', 'How many embeds a message may have.', {
    value: 10,
    min: 0,
    max: 10,
  }),
  max_favorite_meme_tags: ofAccount.expression('Tags of saved media', 'How many tags one saved medium may have.', {
    value: 10,
    min: 1,
    max: 10,
  }),
  max_favorite_memes: ofAccount.expression('Saved media', 'How many media may be saved.', {
    value: 50,
    premium: 500,
    min: 0,
    max: 500,
  }),
  // The sources name 50 and, in an older text, 10 (decision 41).
  max_group_dm_recipients: ofAccount.channel('Recipients of a group', 'How many accounts a group channel may have.', {
    value: 50,
    min: 2,
    max: 50,
  }),
  max_group_dms_per_user: ofAccount.channel('Group channels', 'How many group channels an account may be in.', {
    value: 150,
    min: 0,
    max: 150,
  }),
  max_guild_channels: ofGuild.channel('Channels', 'How many channels a guild may have.', {
    value: 500,
    min: 1,
    max: 500,
  }),
  max_guild_emojis: ofGuild.expression('Emojis', 'How many emojis a guild may have.', { value: 500 }),
  max_guild_emojis_animated: ofGuild.expression('Animated emojis', 'How many of the emojis may move.', { value: 50 }),
  max_guild_emojis_animated_more: ofGuild.expression('Animated emojis, more', 'The same with MORE_EMOJI.', {
    value: 250,
  }),
  max_guild_emojis_static: ofGuild.expression('Still emojis', 'How many of the emojis may be still.', { value: 50 }),
  max_guild_emojis_static_more: ofGuild.expression('Still emojis, more', 'The same with MORE_EMOJI.', { value: 250 }),
  max_guild_invites: ofGuild.guild('Invites', 'How many invites may stand in a guild, its custom one counted.', {
    value: 1000,
  }),
  max_guild_members: ofGuild.guild('Members', 'How many members a guild may have.', { value: 1_000_000 }),
  max_guild_roles: ofGuild.guild('Roles', 'How many roles a guild may have.', { value: 250 }),
  max_guild_stickers: ofGuild.expression('Stickers', 'How many stickers a guild may have.', { value: 500 }),
  max_guild_stickers_more: ofGuild.expression('Stickers, more', 'The same with MORE_STICKERS.', { value: 250 }),
  max_guilds: ofAccount.guild('Guilds', 'How many guilds an account may be in.', { value: 100, premium: 200 }),
  max_message_length: ofBoth.message('Message length', 'How many characters a message may have.', {
    value: 2000,
    premium: 4000,
  }),
  max_private_channels_per_user: ofAccount.channel('Private channels', 'How many private channels may be open.', {
    value: 250,
  }),
  max_reactions_per_message: ofGuild.message(
    'Reactions a message',
    'How many different reactions a message may have.',
    {
      value: 30,
    },
  ),
  max_relationships: ofAccount.social('Relationships', 'How many friends, requests and blocks an account may have.', {
    value: 1000,
  }),
  max_users_per_message_reaction: ofGuild.message('Accounts a reaction', 'How many accounts may share one reaction.', {
    value: 1_000_000,
  }),
  max_voice_message_duration: ofBoth.message('Voice message', 'How many seconds a voice message may take.', {
    value: 1200,
  }),
  max_webhooks_per_channel: ofGuild.channel('Webhooks a channel', 'How many webhooks a channel may have.', {
    value: 15,
  }),
  max_webhooks_per_guild: ofGuild.guild('Webhooks', 'How many webhooks a guild may have.', { value: 1000 }),
} as const satisfies Readonly<Record<string, LimitDefinition>>

export type LimitKey = keyof typeof limitDefinitions
export type LimitValues = Readonly<Record<LimitKey, number>>

/** All names of limits, in the order of the table. */
export const limitKeys: readonly LimitKey[] = Object.keys(limitDefinitions).filter(isLimitKey)

/** Whether a limit with this name exists. */
export function isLimitKey(name: string): name is LimitKey {
  return Object.hasOwn(limitDefinitions, name)
}

/** The definition of a limit. */
export function limitOf(key: LimitKey): LimitDefinition {
  return limitDefinitions[key]
}

/** Whether the limit is a perk: its values are 0 and 1. */
export function isToggle(key: LimitKey): boolean {
  return limitOf(key).category === 'features'
}
