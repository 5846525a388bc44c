import { z } from 'zod'
import { camelCased } from '../../../../../domain/text/letter-case.ts'
import type { SettingsWishes } from '../../../../../domain/user-settings/commands.ts'
import { folderIcons, uncategorised } from '../../../../../domain/user-settings/guild-folders.ts'
import { locales } from '../../../../../domain/text/locales.ts'
import { statuses, themes } from '../../../../../domain/user-settings/settings.ts'
import { accountIdInput, guildIdInput, orNull, snowflakeInput, textInput, withDefault } from '../../scalars.ts'
import { colorInput } from '../../colors.ts'
import { timestampInput, timestampOrMsInput } from '../../timestamps.ts'

const choice = (max: number) => z.int().min(0).max(max).exactOptional()
const flag = z.boolean().exactOptional()
const listed_max = 200
const folders_max = 100
const trustedDomains_max = 1000
const guildIds = z.array(guildIdInput).max(listed_max)
const accountIds = z.array(accountIdInput).max(listed_max)
/** The defined bits of a registry, which are its lowest ones. */
const bits = (count: number) => choice(2 ** count - 1)

/** Settings that are stored as they were sent. */
const plainMembers = {
  status: z.enum(statuses).exactOptional(),
  status_resets_at: timestampInput.nullable().exactOptional(),
  status_resets_to: z.enum(statuses).nullable().exactOptional(),
  theme: z.enum(themes).exactOptional(),
  locale: z.enum(locales).exactOptional(),
  restricted_guilds: guildIds.exactOptional(),
  bot_restricted_guilds: guildIds.exactOptional(),
  default_guilds_restricted: flag,
  bot_default_guilds_restricted: flag,
  inline_attachment_media: flag,
  inline_embed_media: flag,
  gif_auto_play: flag,
  render_embeds: flag,
  render_reactions: flag,
  animate_emoji: flag,
  animate_stickers: choice(2),
  render_spoilers: choice(2),
  message_display_compact: flag,
  friend_source_flags: bits(3),
  incoming_call_flags: bits(6),
  group_dm_add_permission_flags: bits(5),
  afk_timeout: z.int().min(60).max(600).exactOptional(),
  time_format: choice(2),
  developer_mode: flag,
  trusted_domains: z
    .array(textInput({ min: 1, max: 253 }))
    .max(trustedDomains_max)
    .exactOptional(),
  default_hide_muted_channels: flag,
  sensitive_content_friend_dm_filter: choice(2),
  sensitive_content_non_friend_dm_filter: choice(2),
  sensitive_content_guild_filter: choice(1),
  suppress_unprivileged_self_mentions: flag,
  suppress_unprivileged_self_mentions_bypass_user_ids: accountIds.exactOptional(),
  staff_dm_access_user_ids: accountIds.exactOptional(),
  profile_privacy: choice(2),
}

const guildFolder = z
  .object({
    id: z.int().min(uncategorised).nullable(),
    name: orNull(textInput({ min: 0, max: 100 })),
    color: orNull(colorInput),
    flags: withDefault(z.int().min(0).max(1), 0),
    icon: withDefault(z.enum(folderIcons), 'folder'),
    guild_ids: guildIds,
  })
  .transform(({ name, ...folder }) => ({ ...camelCased(folder), name: name === '' ? null : name }))

/** An empty status counts as none. */
const customStatus = z
  .object({
    text: orNull(textInput({ min: 1, max: 128 })),
    expires_at: orNull(timestampOrMsInput),
    emoji_id: orNull(snowflakeInput),
    emoji_name: orNull(textInput({ min: 1, max: 32 })),
  })
  .transform((given) => {
    const isEmpty = given.text === null && given.emoji_id === null && given.emoji_name === null
    return isEmpty ? null : camelCased(given)
  })

/** The body of Modify user settings. Members that are not sent stay as they are; guild_positions is dropped. */
export const userSettingsPatch = z
  .object({
    ...plainMembers,
    /** Another name of friend_source_flags. */
    flags: plainMembers.friend_source_flags,
    guild_folders: z.array(guildFolder).max(folders_max).exactOptional(),
    custom_status: customStatus.nullable().exactOptional(),
    synced_preferences: z.string().exactOptional(),
  })
  .transform(({ flags, guild_folders, custom_status, synced_preferences, ...plain }): SettingsWishes => ({
    changes: camelCased({ ...(flags !== undefined && { friend_source_flags: flags }), ...plain }),
    ...(guild_folders !== undefined && { guildFolders: guild_folders }),
    ...(custom_status !== undefined && { customStatus: custom_status }),
    ...(synced_preferences !== undefined && { syncedPreferences: synced_preferences }),
  }))

export const voiceActivitySharing = z.object({ share_voice_activity: z.boolean() })
