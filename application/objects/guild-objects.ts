import { channelTypes, type Channel } from '../../domain/guild/channel.js'
import type { Guild, Role } from '../../domain/guild/state.js'
import { threadPermissions } from '../../domain/permissions/permission-bits.js'

/** Who looks: without thread access, thread bits are taken out of masks (contract part 1, Asset rules 4). */
export interface Viewer {
  /** A bot, or a user session that declares the channel_threads capability. */
  readonly threadAccess: boolean
}

/** A mask as the viewer gets it: a decimal string. */
export function maskFor(viewer: Viewer, mask: bigint): string {
  return (viewer.threadAccess ? mask : mask & ~threadPermissions).toString()
}

/** The members that a guild object and a partial one share, with the asset rules applied. */
function assets(guild: Guild) {
  const { icon } = guild.settings
  return {
    icon: icon !== null && !guild.features.includes('ANIMATED_ICON') ? icon.replace(/^a_/, '') : icon,
    banner: null,
    banner_width: null,
    banner_height: null,
    splash: null,
    splash_width: null,
    splash_height: null,
    splash_card_alignment: guild.settings.splashCardAlignment,
    embed_splash: null,
    embed_splash_width: null,
    embed_splash_height: null,
  }
}

/** The guild object without its optional members (contract part 1, Guild object). */
export function guildObject(guild: Guild) {
  const { settings } = guild
  return {
    id: guild.id,
    name: guild.name,
    ...assets(guild),
    vanity_url_code: settings.vanityCode,
    owner_id: guild.ownerId,
    system_channel_id: settings.systemChannelId,
    system_channel_flags: settings.systemChannelFlags,
    rules_channel_id: settings.rulesChannelId,
    afk_channel_id: settings.afkChannelId,
    afk_timeout: settings.afkTimeout,
    features: guild.features,
    verification_level: settings.verificationLevel,
    mfa_level: settings.mfaLevel,
    nsfw_level: settings.nsfw ? 3 : 0,
    nsfw: settings.nsfw,
    content_warning_level: settings.contentWarningLevel,
    content_warning_text: settings.contentWarningText,
    explicit_content_filter: settings.explicitContentFilter,
    default_message_notifications: settings.defaultMessageNotifications,
    disabled_operations: settings.disabledOperations,
    message_history_cutoff: settings.messageHistoryCutoff,
  }
}

export type GuildObject = ReturnType<typeof guildObject>

/** The partial guild object that stands inside invites (contract part 1, Partial guild object). */
export function partialGuildObject(guild: Guild) {
  return { id: guild.id, name: guild.name, ...assets(guild), features: guild.features }
}

export type PartialGuildObject = ReturnType<typeof partialGuildObject>

/** The guild role object (reference gateway 3.1). */
export function roleObject(role: Role, viewer: Viewer) {
  return {
    id: role.id,
    name: role.name,
    color: role.color,
    position: role.position,
    hoist_position: null,
    permissions: maskFor(viewer, BigInt(role.permissions)),
    hoist: role.hoist,
    mentionable: role.mentionable,
    unicode_emoji: role.unicodeEmoji,
  }
}

export type RoleObject = ReturnType<typeof roleObject>

/** The channel object of a guild channel (reference gateway 3.4). Overwrites keep thread bits over HTTP. */
export function channelObject(channel: Channel, guild: Pick<Guild, 'id'>) {
  const { voice } = channel
  const takesText = channel.type === channelTypes.text || channel.type === channelTypes.announcement
  return {
    id: channel.id,
    type: channel.type,
    guild_id: guild.id,
    name: channel.name,
    position: channel.position,
    ...(channel.type === channelTypes.category ? {} : { parent_id: channel.parentId, topic: channel.topic }),
    permission_overwrites: channel.overwrites,
    nsfw: channel.nsfw,
    nsfw_override: null,
    content_warning_level: 0,
    content_warning_text: null,
    ...(takesText
      ? { rate_limit_per_user: channel.rateLimitPerUser, last_message_id: null, last_pin_timestamp: null }
      : {}),
    ...(voice === null
      ? {}
      : {
          bitrate: voice.bitrate,
          user_limit: voice.userLimit,
          voice_connection_limit: voice.connectionLimit,
          rtc_region: null,
        }),
  }
}

export type ChannelObject = ReturnType<typeof channelObject>
