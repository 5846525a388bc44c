import { z } from 'zod'
import { folderIcons } from '../../../../../domain/user-settings/guild-folders.ts'
import { statuses, themes } from '../../../../../domain/user-settings/settings.ts'
import { snowflakeOutput, timestampOutput } from '../../outputs.ts'

const snowflakes = z.array(snowflakeOutput).readonly()
const text = z.string().nullable()

const guildFolder = z.object({
  id: z.int().nullable(),
  name: text,
  color: z.int().nullable(),
  flags: z.int(),
  icon: z.enum(folderIcons),
  guild_ids: snowflakes,
})

const customStatus = z.object({
  text,
  expires_at: timestampOutput.nullable(),
  emoji_id: snowflakeOutput.nullable(),
  emoji_name: text,
  emoji_animated: z.boolean(),
})

export const userSettings = z
  .object({
    status: z.enum(statuses),
    status_resets_at: timestampOutput.nullable(),
    status_resets_to: z.enum(statuses).nullable(),
    theme: z.enum(themes),
    locale: z.string(),
    restricted_guilds: snowflakes,
    bot_restricted_guilds: snowflakes,
    default_guilds_restricted: z.boolean(),
    bot_default_guilds_restricted: z.boolean(),
    inline_attachment_media: z.boolean(),
    inline_embed_media: z.boolean(),
    gif_auto_play: z.boolean(),
    render_embeds: z.boolean(),
    render_reactions: z.boolean(),
    animate_emoji: z.boolean(),
    animate_stickers: z.int(),
    render_spoilers: z.int(),
    message_display_compact: z.boolean(),
    friend_source_flags: z.int(),
    incoming_call_flags: z.int(),
    group_dm_add_permission_flags: z.int(),
    guild_folders: z.array(guildFolder).readonly(),
    custom_status: customStatus.nullable(),
    afk_timeout: z.int(),
    time_format: z.int(),
    developer_mode: z.boolean(),
    trusted_domains: z.array(z.string()).readonly(),
    default_hide_muted_channels: z.boolean(),
    sensitive_content_friend_dm_filter: z.int(),
    sensitive_content_non_friend_dm_filter: z.int(),
    sensitive_content_guild_filter: z.int(),
    suppress_unprivileged_self_mentions: z.boolean(),
    suppress_unprivileged_self_mentions_bypass_user_ids: snowflakes,
    staff_dm_access_user_ids: snowflakes,
    synced_preferences: z.string(),
    profile_privacy: z.int(),
    default_share_voice_activity: z.boolean(),
  })
  .meta({ id: 'UserSettings' })
