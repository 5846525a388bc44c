import { z } from 'zod'
import { channel } from './channels.ts'
import { maskOutput, snowflakeOutput, timestampOutput } from '../outputs.ts'
import { disabledOperationBits, systemChannelFlags } from '../../../../domain/guild/state.ts'
import { bitsInWords } from '../../../../application/wire-objects/registries-in-words.ts'

/** The levels of verification. */
export const verification =
  '0 none, 1 a confirmed e-mail address, 2 also an account of 5 minutes, 3 also a membership of 10 minutes.'

const hash = z.string().nullable()
const pixels = z.int().nullable()
const nullableId = snowflakeOutput.nullable()

const guildAssets = {
  icon: hash.describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
  banner: hash.describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
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

/** A guild as others see it. Its custom code is never part of it. */
export const partialGuild = z
  .object({
    id: snowflakeOutput,
    name: z.string(),
    ...guildAssets,
    features: z.array(z.string()).readonly().describe('Names of the registry of guild features.'),
  })
  .meta({ id: 'PartialGuild' })

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
  verification_level: z.int().describe(`Who may write: ${verification}`),
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
export const guild = z.object(guildMembers).meta({ id: 'Guild' })

/** A guild as List current user guilds shows it. */
export const listedGuild = z
  .object({
    ...guildMembers,
    permissions: maskOutput.optional(),
    approximate_member_count: z
      .int()
      .optional()
      .describe('Present if the request asked for counts; 0 if none is at hand.'),
    approximate_presence_count: z
      .int()
      .optional()
      .describe('Members that are online. Present if the request asked for counts; 0 if none is at hand.'),
    threads_active: z
      .literal(true)
      .optional()
      .describe('Always true. Present for bots and for clients that declare channel_threads.'),
  })
  .meta({ id: 'ListedGuild' })

export const role = z
  .object({
    id: snowflakeOutput,
    name: z.string(),
    color: z.int().describe('24 bits of RGB.'),
    position: z.int().describe('The order, from 0.'),
    hoist_position: z
      .int()
      .nullable()
      .describe('The order of the roles that are shown apart; null for their position.'),
    permissions: maskOutput,
    hoist: z.boolean().describe('Whether members with the role are shown apart.'),
    mentionable: z.boolean().describe('Whether everybody may mention the role.'),
    unicode_emoji: z.string().nullable().describe('Shown beside the role’s name; null for none.'),
  })
  .meta({ id: 'Role' })

/** Features that this service does not have: emojis, stickers, webhooks, threads. */
export const nothingBuilt = z.array(z.never()).readonly()

/** A guild as Get guild shows it. */
export const fullGuild = z
  .object({
    ...guildMembers,
    roles: z.array(role).readonly().describe('All roles, that of everyone included.'),
    emojis: nothingBuilt,
    stickers: nothingBuilt.describe('Always empty.'),
    channels: z.array(channel).readonly(),
    member_count: z.int().describe('All members.'),
    online_count: z.int().describe('Members that are online.'),
  })
  .meta({ id: 'FullGuild' })
