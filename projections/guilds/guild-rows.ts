import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  AtPosition,
  ChannelName,
  GuildName,
  GuildSummary,
  GuildWithMember,
  GuildWithNewcomer,
  NewcomerRecord,
} from '../../application/ports/queries/guild-queries.ts'
import type { KeptOutBy } from '../../application/ports/queries/guild-ban-queries.ts'
import type { Channel } from '../../domain/guild/channel.ts'
import type { GuildFeature } from '../../domain/guild/features.ts'
import type { Guild, GuildImage, GuildSettings, Role } from '../../domain/guild/state.ts'
import type { AccountId, ChannelId, GuildId, InviteCode } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { Overwrite } from '../../domain/permissions/compute-permissions.ts'
import { memberOf, type MemberColumns } from '../members/member-rows.ts'

/** The result of `guildColumns`. */
interface GuildColumns {
  readonly guild_id: GuildId
  readonly name: string
  readonly owner_id: AccountId
  readonly features: readonly GuildFeature[]
  readonly created_at: Timestamp
  readonly roles: readonly Role[]
  readonly channels: readonly Channel[]
  readonly icon: string | null
  readonly banner: GuildImage | null
  readonly splash: GuildImage | null
  readonly embed_splash: GuildImage | null
  readonly system_channel_id: ChannelId | null
  readonly system_channel_flags: number
  readonly rules_channel_id: ChannelId | null
  readonly afk_channel_id: ChannelId | null
  readonly afk_timeout: number
  readonly verification_level: number
  readonly mfa_level: number
  readonly nsfw: boolean
  readonly content_warning_level: number
  readonly content_warning_text: string | null
  readonly explicit_content_filter: number
  readonly default_message_notifications: number
  readonly disabled_operations: number
  readonly message_history_cutoff: Timestamp | null
  readonly vanity_code: InviteCode | null
  readonly splash_card_alignment: number
}

export interface CountColumns {
  readonly member_count: number
}

/** Reads the result of `guildColumns`. */
export const guildRow = rowOf(guildOf)

/** Reads the result of `guildColumns`, `countColumn` and `memberColumns`, for a member. */
export const guildOfMemberRow = rowOf((row: GuildColumns & MemberColumns & CountColumns) => ({
  guild: guildOf(row),
  member: memberOf(row),
  memberCount: row.member_count,
}))

type NoMember = { readonly [Column in keyof MemberColumns]: Column extends 'guild_id' ? GuildId : null }

type BesideGuildColumns = CountColumns & (MemberColumns | NoMember)

type GuildForColumns = GuildColumns & BesideGuildColumns

/** The same for an account that may not be a member: then the member's columns are null. */
export const guildForRow = rowOf(guildWithMember)

function guildWithMember(row: GuildForColumns): GuildWithMember {
  return { guild: guildOf(row), ...besideGuild(row) }
}

function besideGuild(row: BesideGuildColumns) {
  return { member: row.joined_at === null ? undefined : memberOf(row), memberCount: row.member_count }
}

interface PositionColumns {
  readonly position: string
}

/** The same with `positionColumn`. */
export const guildAtPositionRow = rowOf((row: GuildForColumns & PositionColumns): AtPosition<GuildWithMember> => ({
  ...guildWithMember(row),
  position: BigInt(row.position),
}))

interface NewcomerColumns {
  readonly kept_out_by: NonNullable<KeptOutBy> | null
}

/** What `guildForRow` reads, with by what the guild keeps the account out. */
export const guildForNewcomerRow = rowOf(guildWithNewcomer)

/** The same with `positionColumn`. */
export const guildForNewcomerAtPositionRow = rowOf(
  (row: GuildForColumns & NewcomerColumns & PositionColumns): AtPosition<GuildWithNewcomer> => ({
    ...guildWithNewcomer(row),
    position: BigInt(row.position),
  }),
)

function guildWithNewcomer(row: GuildForColumns & NewcomerColumns): GuildWithNewcomer {
  return { ...guildWithMember(row), keptOutBy: keptOutBy(row) }
}

function keptOutBy(row: NewcomerColumns): KeptOutBy {
  return row.kept_out_by ?? undefined
}

/** The number of a guild's members, with `positionColumn`. */
export const countAtPositionRow = rowOf((row: CountColumns & PositionColumns) => ({
  memberCount: row.member_count,
  position: BigInt(row.position),
}))

/** What `memberColumns` selects, null for who is no member, with what `countColumn` and `positionColumn` select. */
export const memberAtPositionRow = rowOf((row: BesideGuildColumns & PositionColumns) => ({
  ...besideGuild(row),
  position: BigInt(row.position),
}))

/** The same, with by what the guild keeps the account out, and how many guilds the account is in. */
export const newcomerAtPositionRow = rowOf(
  (
    row: BesideGuildColumns & NewcomerColumns & PositionColumns & { readonly guild_count: number },
  ): AtPosition<NewcomerRecord> => ({
    ...besideGuild(row),
    keptOutBy: keptOutBy(row),
    guildCount: row.guild_count,
    position: BigInt(row.position),
  }),
)

/** The position that these rows are as of: a statement sees a single moment. */
export const positionColumn = sql.fragment`
  (select min(c.position) from read_models.checkpoints c where c.schema in ('guilds', 'members')) as position`

/** A role in the domain's form, for guilds.roles as r. */
const roleBody = sql.fragment`json_build_object(
  'id', r.id::text, 'name', r.name, 'permissions', r.permissions, 'position', r.position, 'color', r.color,
  'hoist', r.hoist, 'hoistPosition', r.hoist_position, 'mentionable', r.mentionable, 'unicodeEmoji', r.unicode_emoji)`

/** A channel in the domain's form, for guilds.channels as c. */
const channelBody = sql.fragment`json_build_object(
  'id', c.id::text, 'type', c.type, 'name', c.name, 'position', c.position, 'parentId', c.parent_id::text,
  'overwrites', c.overwrites, 'topic', c.topic, 'url', c.url, 'nsfw', c.nsfw, 'nsfwOverride', c.nsfw_override,
  'contentWarningLevel', c.content_warning_level, 'contentWarningText', c.content_warning_text,
  'rateLimitPerUser', c.rate_limit_per_user, 'voice', c.voice, 'threads', c.threads, 'forum', c.forum)`

/** For guilds.guilds as g. */
export const guildColumns = sql.fragment`
  g.id as guild_id, g.name, g.owner_id, g.features, g.created_at, g.icon, g.banner, g.splash, g.embed_splash, g.system_channel_id, g.system_channel_flags,
  g.rules_channel_id, g.afk_channel_id, g.afk_timeout, g.verification_level, g.mfa_level, g.nsfw, g.content_warning_level,
  g.content_warning_text, g.explicit_content_filter, g.default_message_notifications, g.disabled_operations,
  g.message_history_cutoff, g.vanity_code, g.splash_card_alignment,
  coalesce((select json_agg(${roleBody} order by r.position, r.id) from guilds.roles r where r.guild_id = g.id), '[]') as roles,
  coalesce((select json_agg(${channelBody} order by c.position, c.id) from guilds.channels c where c.guild_id = g.id), '[]') as channels`

function guildOf(row: GuildColumns): Guild {
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

/** Leaves out overwrites of deleted roles. A guild can have 250,000 overwrites. */
function withoutOrphans(channel: Channel, roles: ReadonlySet<string>): Channel {
  const isOrphan = ({ id, type }: Overwrite): boolean => type === 0 && !roles.has(id)
  if (!channel.overwrites.some(isOrphan)) return channel
  return { ...channel, overwrites: channel.overwrites.filter((overwrite) => !isOrphan(overwrite)) }
}

function settingsOf(row: GuildColumns): GuildSettings {
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

/** For guilds.guilds as g. */
export const summaryColumns = sql.fragment`
  g.id as guild_id, g.name, g.owner_id, g.features, g.icon, g.banner->>'hash' as banner, g.nsfw`

export interface SummaryColumns extends Pick<
  GuildColumns,
  'guild_id' | 'name' | 'owner_id' | 'features' | 'icon' | 'nsfw'
> {
  readonly banner: string | null
}

/** Reads the result of `summaryColumns` and `countColumn`. */
export const guildSummaryRow = rowOf(summaryOf)

export function summaryOf(row: SummaryColumns & CountColumns): GuildSummary {
  return {
    id: row.guild_id,
    name: row.name,
    ownerId: row.owner_id,
    features: row.features,
    icon: row.icon,
    banner: row.banner,
    nsfw: row.nsfw,
    memberCount: row.member_count,
  }
}

/** The name of a guild. */
export const guildNameRow = rowOf((row: GuildName): GuildName => row)

interface ChannelNameColumns {
  readonly id: ChannelId
  readonly name: string
  readonly type: number
  readonly guild_id: GuildId
}

/** The name of a channel. */
export const channelNameRow = rowOf((row: ChannelNameColumns): ChannelName => ({
  id: row.id,
  name: row.name,
  type: row.type,
  guildId: row.guild_id,
}))
