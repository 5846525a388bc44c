import { z } from 'zod'
import type { Guild } from '../../../domain/guild/state.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { DiscoveryRecord } from '../../ports/queries/discovery-queries.ts'
import type { GuildSummary } from '../../ports/queries/guild-queries.ts'
import { discoveryApplicationObject, discoveryApplicationSchema } from '../communities/discovery-application-object.ts'
import { countsIfAsked, guildSchema, nsfwLevel } from '../communities/guild-objects.ts'
import { paddedDiscriminator } from './admin-resolved-user.ts'
import { imageHashOutput, nullableText, snowflakeOutput, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

const guildMembers = {
  id: snowflakeOutput,
  name: z.string(),
  features: z.array(z.string()).readonly().describe('Names of the registry of guild features.'),
  owner_id: snowflakeOutput.describe('Who owns it.'),
  owner_username: nullableText,
  owner_global_name: nullableText,
  owner_discriminator: nullableText,
  icon: imageHashOutput,
  banner: imageHashOutput,
  member_count: z.int().describe('All members.'),
  nsfw_level: z.int().describe('0 for all, 3 for adults only. Follows from nsfw.'),
}

export const adminGuildSchema = wireObject('AdminGuild', { ...guildMembers, ...countsIfAsked })

export type AdminGuildObject = ObjectOf<typeof adminGuildSchema>

/**
 * A guild as administrators see it, with images as they are stored. `owner`: undefined if the account is gone.
 * `onlineCount`: undefined if no counts are to be shown.
 */
export function adminGuildObject(
  guild: GuildSummary,
  owner: AccountRecord | undefined,
  onlineCount: number | undefined,
): AdminGuildObject {
  return objectOf(adminGuildSchema, {
    ...membersOf(guild, owner),
    ...(onlineCount === undefined
      ? {}
      : { approximate_member_count: guild.memberCount, approximate_presence_count: onlineCount }),
  })
}

function membersOf(guild: GuildSummary, owner: AccountRecord | undefined) {
  return {
    id: guild.id,
    name: guild.name,
    features: guild.features,
    owner_id: guild.ownerId,
    owner_username: owner?.username ?? null,
    owner_global_name: owner?.profile.globalName ?? null,
    owner_discriminator: owner ? paddedDiscriminator(owner.discriminator) : null,
    icon: guild.icon,
    banner: guild.banner,
    member_count: guild.memberCount,
    nsfw_level: nsfwLevel(guild),
  }
}

/** The settings that mean the same to members and to administrators. */
const { shape: settingMembers } = guildSchema.pick({
  vanity_url_code: true,
  verification_level: true,
  mfa_level: true,
  explicit_content_filter: true,
  default_message_notifications: true,
  system_channel_id: true,
  system_channel_flags: true,
  rules_channel_id: true,
  afk_channel_id: true,
  afk_timeout: true,
  nsfw: true,
  content_warning_level: true,
  content_warning_text: true,
  disabled_operations: true,
  message_history_cutoff: true,
  splash_card_alignment: true,
})

export const adminGuildDetailSchema = wireObject('AdminGuildDetail', {
  ...guildMembers,
  created_at: timestampOutput,
  discovery: discoveryApplicationSchema
    .nullable()
    .describe('Its application to the directory, in which it is listed while this is approved; null if there is none.'),
  splash: imageHashOutput,
  embed_splash: imageHashOutput,
  ...settingMembers,
  channel_count: z.int().describe('All channels, categories too.'),
  role_count: z.int().describe('All roles, that of everyone too.'),
  invite_count: z.int().describe('Invites that can still admit, the custom one too.'),
  ban_count: z.int().describe('Bans in force.'),
})

export type AdminGuildDetailObject = ObjectOf<typeof adminGuildDetailSchema>

/** The parts of a guild's detail for administrators. */
export interface AdminGuildParts {
  readonly guild: Guild
  readonly memberCount: number
  readonly inviteCount: number
  readonly banCount: number
  /** Undefined if the account is gone. */
  readonly owner: AccountRecord | undefined
  /** Undefined if the guild never applied to the directory, or took its application back. */
  readonly application: DiscoveryRecord | undefined
}

/** A guild as administrators see it alone: the same, with its settings and counts. Images are shown whatever its features. */
export function adminGuildDetailObject(parts: AdminGuildParts): AdminGuildDetailObject {
  const { guild, application } = parts
  const { settings } = guild
  return objectOf(adminGuildDetailSchema, {
    ...membersOf(summaryOf(parts), parts.owner),
    created_at: guild.createdAt,
    discovery: application ? discoveryApplicationObject(application) : null,
    splash: settings.splash?.hash ?? null,
    embed_splash: settings.embedSplash?.hash ?? null,
    vanity_url_code: settings.vanityCode,
    verification_level: settings.verificationLevel,
    mfa_level: settings.mfaLevel,
    explicit_content_filter: settings.explicitContentFilter,
    default_message_notifications: settings.defaultMessageNotifications,
    system_channel_id: settings.systemChannelId,
    system_channel_flags: settings.systemChannelFlags,
    rules_channel_id: settings.rulesChannelId,
    afk_channel_id: settings.afkChannelId,
    afk_timeout: settings.afkTimeout,
    nsfw: settings.nsfw,
    content_warning_level: settings.contentWarningLevel,
    content_warning_text: settings.contentWarningText,
    disabled_operations: settings.disabledOperations,
    message_history_cutoff: settings.messageHistoryCutoff,
    splash_card_alignment: settings.splashCardAlignment,
    channel_count: guild.channels.length,
    role_count: guild.roles.length,
    invite_count: parts.inviteCount,
    ban_count: parts.banCount,
  })
}

function summaryOf({ guild: { settings, ...guild }, memberCount }: AdminGuildParts): GuildSummary {
  return {
    ...guild,
    icon: settings.icon,
    banner: settings.banner?.hash ?? null,
    nsfw: settings.nsfw,
    memberCount,
  }
}
