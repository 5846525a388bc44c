import { z } from 'zod'
import type { GuildFeature } from '../../../domain/guild/features.ts'
import { type Guild, type Role, systemChannelFlags, disabledOperationBits } from '../../../domain/guild/state.ts'
import { compareRanks } from '../../../domain/permissions/authority.ts'
import { threadPermissions } from '../../../domain/permissions/permission-bits.ts'
import { imageHashOutput, maskOutput, snowflakeOutput, timestampOutput } from '../scalars.ts'
import { bitsInWords } from '../registries-in-words.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

/** The levels of verification. */
export const verificationInWords =
  '0 none, 1 a confirmed e-mail address, 2 also an account of 5 minutes, 3 also a membership of 10 minutes.'

const hash = z.string().nullable()

const pixels = z.int().nullable()

const nullableId = snowflakeOutput.nullable()

const guildAssets = {
  icon: imageHashOutput,
  banner: imageHashOutput,
  banner_width: pixels.describe('Pixels; null without a banner.'),
  banner_height: pixels.describe('Pixels; null without a banner.'),
  splash: hash.describe('The hash of the image of invites; null if there is none, or the guild lacks INVITE_SPLASH.'),
  splash_width: pixels.describe('Pixels; null without an image.'),
  splash_height: pixels.describe('Pixels; null without an image.'),
  splash_card_alignment: z.int().describe('Where the invite’s card is on the image: 0 in the middle, 1 left, 2 right.'),
  embed_splash: hash.describe(
    'The hash of the image of embedded invites; null if there is none, or the guild lacks INVITE_SPLASH.',
  ),
  embed_splash_width: pixels.describe('Pixels; null without an image.'),
  embed_splash_height: pixels.describe('Pixels; null without an image.'),
}

export const partialGuildMembers = {
  id: snowflakeOutput,
  name: z.string(),
  ...guildAssets,
  features: z.array(z.string()).readonly().describe('Names of the registry of guild features.'),
}

/** A guild as others see it. Its custom code is never part of it. */
export const partialGuildSchema = wireObject('PartialGuild', partialGuildMembers)

export type PartialGuildObject = ObjectOf<typeof partialGuildSchema>

/** Of a list of guilds: counts that the request may ask for. */
export const countsIfAsked = {
  approximate_member_count: z
    .int()
    .optional()
    .describe('Present if the request asked for counts; 0 if none is at hand.'),
  approximate_presence_count: z
    .int()
    .optional()
    .describe('Members that are online. Present if the request asked for counts; 0 if none is at hand.'),
}

export const guildMembers = {
  id: snowflakeOutput,
  name: z.string(),
  ...guildAssets,
  vanity_url_code: z.string().nullable().describe('The custom invite code; null if there is none.'),
  owner_id: snowflakeOutput.describe('Who owns it.'),
  system_channel_id: nullableId.describe('The channel that announces new members; null for none.'),
  system_channel_flags: z.int().describe(bitsInWords(systemChannelFlags)),
  rules_channel_id: nullableId.describe('Always null.'),
  afk_channel_id: nullableId.describe('The voice channel for those who are away; null for none.'),
  afk_timeout: z.int().describe('Seconds, after which inactive members move to afk_channel_id.'),
  features: z.array(z.string()).readonly().describe('Names of the registry of guild features.'),
  verification_level: z.int().describe(`Who may write: ${verificationInWords}`),
  mfa_level: z.int().describe('Whether moderators need a second factor: 0 no, 1 yes. Only the owner changes it.'),
  nsfw_level: z.int().describe('0 for all, 3 for adults only. Follows from nsfw.'),
  nsfw: z.boolean().describe('Whether it is for adults only.'),
  content_warning_level: z.int().describe('0 as the guild has it, or none; 1 a warning before the content.'),
  content_warning_text: z.string().nullable().describe('Null or empty: the client’s own words.'),
  explicit_content_filter: z
    .int()
    .describe('Whose images are checked: 0 nobody’s, 1 of members without roles, 2 of all members.'),
  default_message_notifications: z
    .int()
    .describe('What notifies members who have not chosen: 0 all messages, 1 only mentions.'),
  disabled_operations: z.int().describe(bitsInWords(disabledOperationBits)),
  message_history_cutoff: timestampOutput
    .nullable()
    .describe(
      'Members without READ_MESSAGE_HISTORY see messages from then on; null: none. Not in the future, nor before the guild.',
    ),
}

/** A guild as its writes give it back, without the members that only reads fill in. */
export const guildSchema = wireObject('Guild', guildMembers)

export type GuildObject = ObjectOf<typeof guildSchema>

export const roleSchema = wireObject('Role', {
  id: snowflakeOutput,
  name: z.string(),
  color: z.int().describe('24 bits of RGB.'),
  colors: z.object({
    primary_color: z.int().describe('The same as color.'),
    secondary_color: z.null(),
    tertiary_color: z.null(),
  }),
  position: z.int().describe('The order, from 0.'),
  hoist_position: z.int().nullable().describe('The order of the roles that are shown apart; null for their position.'),
  permissions: maskOutput,
  hoist: z.boolean().describe('Whether members with the role are shown apart.'),
  mentionable: z.boolean().describe('Whether everybody may mention the role.'),
  unicode_emoji: z.string().nullable().describe('Shown beside the role’s name; null for none.'),
})

export type RoleObject = ObjectOf<typeof roleSchema>

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
export function guildObject(guild: Guild): GuildObject {
  const { settings } = guild
  return objectOf(guildSchema, {
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
  })
}

/** The part of a guild that everybody with an invite sees. */
export function partialGuildObject(guild: Guild): PartialGuildObject {
  return objectOf(partialGuildSchema, { id: guild.id, name: guild.name, ...assets(guild), features: guild.features })
}

/** A role of a guild. */
export function roleObject(role: Role, viewer: Viewer): RoleObject {
  return objectOf(roleSchema, {
    id: role.id,
    name: role.name,
    color: role.color,
    colors: { primary_color: role.color, secondary_color: null, tertiary_color: null },
    position: role.position,
    hoist_position: role.hoistPosition,
    permissions: maskFor(viewer, BigInt(role.permissions)),
    hoist: role.hoist,
    mentionable: role.mentionable,
    unicode_emoji: role.unicodeEmoji,
  })
}

/** The roles of a guild, highest position first, then lowest id. */
export function roleObjects({ roles }: Pick<Guild, 'roles'>, viewer: Viewer): readonly RoleObject[] {
  return roles.toSorted(compareRanks).map((role) => roleObject(role, viewer))
}

/** The level of a guild in objects: 3 for one that is only for adults, else 0. */
export function nsfwLevel({ nsfw }: { readonly nsfw: boolean }): number {
  return nsfw ? 3 : 0
}
