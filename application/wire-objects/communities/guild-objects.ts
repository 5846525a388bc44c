import type { GuildFeature } from '../../../domain/guild/features.ts'
import type { Guild, Role } from '../../../domain/guild/state.ts'
import { compareRanks } from '../../../domain/permissions/authority.ts'
import { threadPermissions } from '../../../domain/permissions/permission-bits.ts'

/** The viewer of an object. Without thread access, masks lose their thread bits (rules/roles-and-permissions#masks). */
export interface Viewer {
  /** True for a bot, and for a user session that declares the channel_threads capability. */
  readonly threadAccess: boolean
}

/** A mask as the viewer sees it: a decimal string. */
export function maskFor(viewer: Viewer, mask: bigint): string {
  return (viewer.threadAccess ? mask : mask & ~threadPermissions).toString()
}

/** The members that full and partial guild objects share, with the asset rules applied. */
function assets(guild: Guild) {
  const { icon } = guild.settings
  const holds = (feature: GuildFeature): boolean => guild.features.includes(feature)
  const banner = holds('BANNER') ? guild.settings.banner : null
  const splash = holds('INVITE_SPLASH') ? guild.settings.splash : null
  const embedSplash = holds('INVITE_SPLASH') ? guild.settings.embedSplash : null
  return {
    icon: icon === null || holds('ANIMATED_ICON') ? icon : atRest(icon),
    banner: banner === null || holds('ANIMATED_BANNER') ? (banner?.hash ?? null) : atRest(banner.hash),
    banner_width: banner?.width ?? null,
    banner_height: banner?.height ?? null,
    splash: splash?.hash ?? null,
    splash_width: splash?.width ?? null,
    splash_height: splash?.height ?? null,
    splash_card_alignment: guild.settings.splashCardAlignment,
    embed_splash: embedSplash?.hash ?? null,
    embed_splash_width: embedSplash?.width ?? null,
    embed_splash_height: embedSplash?.height ?? null,
  }
}

/** The hash of an animated image's still version. */
function atRest(hash: string): string {
  return hash.replace(/^a_/, '')
}

/** A guild without its optional members. Images show only with their features (rules/guilds#read). */
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
    nsfw_level: nsfwLevel(settings),
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

/** The part of a guild that everybody with an invite sees. */
export function partialGuildObject(guild: Guild) {
  return { id: guild.id, name: guild.name, ...assets(guild), features: guild.features }
}

/** A role of a guild. */
export function roleObject(role: Role, viewer: Viewer) {
  return {
    id: role.id,
    name: role.name,
    color: role.color,
    position: role.position,
    hoist_position: role.hoistPosition,
    permissions: maskFor(viewer, BigInt(role.permissions)),
    hoist: role.hoist,
    mentionable: role.mentionable,
    unicode_emoji: role.unicodeEmoji,
  }
}

export type RoleObject = ReturnType<typeof roleObject>

/** The roles of a guild, highest position first, then lowest id. */
export function roleObjects({ roles }: Pick<Guild, 'roles'>, viewer: Viewer): readonly RoleObject[] {
  return roles.toSorted(compareRanks).map((role) => roleObject(role, viewer))
}

/** The level of a guild in objects: 3 for one that is only for adults, else 0. */
export function nsfwLevel({ nsfw }: { readonly nsfw: boolean }): number {
  return nsfw ? 3 : 0
}
