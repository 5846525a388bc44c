import { z } from 'zod'
import type { GuildWrites } from '../../../../application/communities/guilds/modify-guild.ts'
import type { Length } from '../../../../domain/text/normalise.ts'
import { guildImageInput } from '../images.ts'
import { queryBoolean, queryInteger } from '../query-inputs.ts'
import { timestampInput } from '../timestamps.ts'
import { given } from '../given.ts'
import { channelIdInput, guildIdInput, nameInput, orNull, textInput } from '../scalars.ts'
import { guildTemplate } from './guild-template.ts'

const guildNameLength: Length = { min: 1, max: 100 }
const features_max = 100

/** Trimmed, and null if that leaves nothing. */
const warningText = textInput({ min: 0, max: 200 }).transform((text) => (text === '' ? null : text))

/** The body of Create guild. Of its members only the icon may be null. */
export const guildWishes = z
  .object({
    name: nameInput(guildNameLength),
    icon: orNull(guildImageInput),
    empty_features: z.boolean().default(false),
    template: guildTemplate.optional(),
  })
  .transform(({ name, icon, empty_features: emptyFeatures, template = null }) => ({
    name,
    icon,
    emptyFeatures,
    template,
  }))

const registry = (max: number) => z.int().min(0).max(max)

/** The settings of a guild that administrators write too, and the name. */
export const sharedGuildMembers = {
  name: nameInput(guildNameLength).optional(),
  default_message_notifications: registry(1).optional(),
  // 4 is stored as HIGH.
  verification_level: registry(4)
    .transform((level) => Math.min(level, 3))
    .optional(),
  mfa_level: registry(1).optional(),
  nsfw_level: z.union([z.literal(0), z.literal(3)]).optional(),
  nsfw: z.boolean().optional(),
  content_warning_level: z.int().optional(),
  content_warning_text: warningText.nullable().optional(),
  explicit_content_filter: registry(2).optional(),
}

/** These settings as they are changed. */
export function sharedSettings(body: z.output<z.ZodObject<typeof sharedGuildMembers>>) {
  return {
    defaultMessageNotifications: body.default_message_notifications,
    verificationLevel: body.verification_level,
    mfaLevel: body.mfa_level,
    nsfwLevel: body.nsfw_level,
    nsfw: body.nsfw,
    contentWarningLevel: body.content_warning_level,
    contentWarningText: body.content_warning_text,
    explicitContentFilter: body.explicit_content_filter,
  }
}

/** The body of Modify guild. Members that are not sent stay as they are. */
export const guildChanges = z
  .object({
    ...sharedGuildMembers,
    icon: guildImageInput.nullable().optional(),
    banner: guildImageInput.nullable().optional(),
    splash: guildImageInput.nullable().optional(),
    embed_splash: guildImageInput.nullable().optional(),
    splash_card_alignment: registry(2).optional(),
    system_channel_id: channelIdInput.nullable().optional(),
    system_channel_flags: z.int().optional(),
    afk_channel_id: channelIdInput.nullable().optional(),
    afk_timeout: z.int().min(60).max(3600).optional(),
    features: z.array(z.string()).max(features_max).optional(),
    message_history_cutoff: timestampInput.nullable().optional(),
  })
  .transform(({ icon, banner, splash, embed_splash: embedSplash, ...body }): GuildWrites => ({
    images: given({ icon, banner, splash, embedSplash }),
    changes: given({
      ...sharedSettings(body),
      name: body.name,
      splashCardAlignment: body.splash_card_alignment,
      systemChannelId: body.system_channel_id,
      systemChannelFlags: body.system_channel_flags,
      afkChannelId: body.afk_channel_id,
      afkTimeout: body.afk_timeout,
      features: body.features,
      messageHistoryCutoff: body.message_history_cutoff,
    }),
  }))

const guildsPage_max = 200

/** The query of List current user guilds. */
export const guildsPage = z
  .object({
    before: guildIdInput.optional(),
    after: guildIdInput.optional(),
    limit: queryInteger({ min: 1, max: guildsPage_max }, guildsPage_max),
    with_counts: queryBoolean,
  })
  .transform(({ before, after, limit, with_counts: withCounts }) => ({
    page: { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }), limit },
    withCounts,
  }))
