import { z } from 'zod'
import { sql } from '../../application/ports/database.js'
import type { ChannelName, GuildName, GuildWithMember } from '../../application/ports/queries/guild-queries.js'
import type { Channel } from '../../domain/guild/channel.js'
import type { GuildFeature } from '../../domain/guild/features.js'
import type { Guild, GuildImage, GuildSettings, Role } from '../../domain/guild/state.js'
import type { Overwrite } from '../../domain/permissions/compute-permissions.js'
import { accountIdColumn, channelIdColumn, guildIdColumn, instantColumn, inviteCodeColumn } from '../columns.js'
import { memberOf, memberShape } from '../members/member-rows.js'

const image = z.custom<GuildImage>().nullable()

const settingsFields = {
  icon: z.string().nullable(),
  banner: image,
  splash: image,
  embed_splash: image,
  system_channel_id: channelIdColumn.nullable(),
  system_channel_flags: z.int(),
  rules_channel_id: channelIdColumn.nullable(),
  afk_channel_id: channelIdColumn.nullable(),
  afk_timeout: z.int(),
  verification_level: z.int(),
  mfa_level: z.int(),
  nsfw: z.boolean(),
  content_warning_level: z.int(),
  content_warning_text: z.string().nullable(),
  explicit_content_filter: z.int(),
  default_message_notifications: z.int(),
  disabled_operations: z.int(),
  message_history_cutoff: instantColumn.nullable(),
  vanity_code: inviteCodeColumn.nullable(),
  splash_card_alignment: z.int(),
}

/** What the projector wrote from typed events is not checked again element by element: a guild has up to 751 of them. */
const guildFields = {
  guild_id: guildIdColumn,
  name: z.string(),
  owner_id: accountIdColumn,
  features: z.custom<readonly GuildFeature[]>(Array.isArray),
  created_at: instantColumn,
  ...settingsFields,
  roles: z.custom<readonly Role[]>(Array.isArray),
  channels: z.custom<readonly Channel[]>(Array.isArray),
}

const guildShape = z.object(guildFields)
const countField = z.object({ member_count: z.int() })

/** Reads what `guildColumns` selects. */
export const guildRow = guildShape.transform(guildOf)

/** Reads what `guildColumns`, `countColumn` and `memberColumns` select, for somebody who is a member. */
export const guildOfMemberRow = z
  .object({ ...guildFields, ...memberShape.shape, ...countField.shape })
  .transform((row) => ({ guild: guildOf(row), member: memberOf(row), memberCount: row.member_count }))

/** Likewise, for somebody who need not be one: the member's columns are null then. */
export const guildForRow = z.union([
  guildOfMemberRow,
  z
    .object({ ...guildFields, joined_at: z.null(), ...countField.shape })
    .transform((row): GuildWithMember => ({ guild: guildOf(row), member: undefined, memberCount: row.member_count })),
])

/** A role as the domain has it, of guilds.roles as r. */
const roleBody = sql.fragment`json_build_object(
  'id', r.id::text, 'name', r.name, 'permissions', r.permissions, 'position', r.position, 'color', r.color,
  'hoist', r.hoist, 'hoistPosition', r.hoist_position, 'mentionable', r.mentionable, 'unicodeEmoji', r.unicode_emoji)`

/** A channel as the domain has it, of guilds.channels as c. */
const channelBody = sql.fragment`json_build_object(
  'id', c.id::text, 'type', c.type, 'name', c.name, 'position', c.position, 'parentId', c.parent_id::text,
  'overwrites', c.overwrites, 'topic', c.topic, 'url', c.url, 'nsfw', c.nsfw, 'nsfwOverride', c.nsfw_override,
  'contentWarningLevel', c.content_warning_level, 'contentWarningText', c.content_warning_text,
  'rateLimitPerUser', c.rate_limit_per_user, 'voice', c.voice, 'threads', c.threads, 'forum', c.forum)`

/** Of guilds.guilds as g. */
export const guildColumns = sql.fragment`
  g.id as guild_id, g.name, g.owner_id, g.features, g.created_at, g.icon, g.banner, g.splash, g.embed_splash, g.system_channel_id, g.system_channel_flags,
  g.rules_channel_id, g.afk_channel_id, g.afk_timeout, g.verification_level, g.mfa_level, g.nsfw, g.content_warning_level,
  g.content_warning_text, g.explicit_content_filter, g.default_message_notifications, g.disabled_operations,
  g.message_history_cutoff, g.vanity_code, g.splash_card_alignment,
  coalesce((select json_agg(${roleBody} order by r.position, r.id) from guilds.roles r where r.guild_id = g.id), '[]') as roles,
  coalesce((select json_agg(${channelBody} order by c.position, c.id) from guilds.channels c where c.guild_id = g.id), '[]') as channels`

function guildOf(row: z.output<typeof guildShape>): Guild {
  const roles = new Set<string>(row.roles.map(({ id }) => id))
  return {
    id: row.guild_id,
    name: row.name,
    ownerId: row.owner_id,
    features: row.features,
    settings: settingsOf(row),
    createdAt: row.created_at,
    roles: row.roles,
    channels: row.channels.map((channel) => withoutOrphans(channel, roles)),
  }
}

/** Without the overwrites of roles that the guild has not any more. A guild can have 250,000 overwrites. */
function withoutOrphans(channel: Channel, roles: ReadonlySet<string>): Channel {
  const isOrphan = ({ id, type }: Overwrite): boolean => type === 0 && !roles.has(id)
  if (!channel.overwrites.some(isOrphan)) return channel
  return { ...channel, overwrites: channel.overwrites.filter((overwrite) => !isOrphan(overwrite)) }
}

function settingsOf(row: z.output<typeof guildShape>): GuildSettings {
  return {
    icon: row.icon,
    banner: row.banner,
    splash: row.splash,
    embedSplash: row.embed_splash,
    systemChannelId: row.system_channel_id,
    systemChannelFlags: row.system_channel_flags,
    rulesChannelId: row.rules_channel_id,
    afkChannelId: row.afk_channel_id,
    afkTimeout: row.afk_timeout,
    verificationLevel: row.verification_level,
    mfaLevel: row.mfa_level,
    nsfw: row.nsfw,
    contentWarningLevel: row.content_warning_level,
    contentWarningText: row.content_warning_text,
    explicitContentFilter: row.explicit_content_filter,
    defaultMessageNotifications: row.default_message_notifications,
    disabledOperations: row.disabled_operations,
    messageHistoryCutoff: row.message_history_cutoff,
    vanityCode: row.vanity_code,
    splashCardAlignment: row.splash_card_alignment,
  }
}

/** What a guild is called. */
export const guildNameRow = z.object({ id: guildIdColumn, name: z.string() }).transform((row): GuildName => row)

/** What a channel is called. */
export const channelNameRow = z
  .object({ id: channelIdColumn, name: z.string(), type: z.int(), guild_id: guildIdColumn })
  .transform((row): ChannelName => ({ id: row.id, name: row.name, type: row.type, guildId: row.guild_id }))
