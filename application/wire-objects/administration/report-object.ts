import { z } from 'zod'
import type { AccountId, ChannelId } from '../../../domain/ids/ids.ts'
import { reportTypes } from '../../../domain/report/categories.ts'
import type { ReportedMessage } from '../../../domain/report/events.ts'
import { sentAt } from '../../../domain/messages/sent-at.ts'
import { messageTypes } from '../../../domain/messages/message-types.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { ReportRecord, ReportStatus } from '../../ports/queries/report-queries.ts'
import { paddedDiscriminator } from './admin-resolved-user.ts'
import { valuesInWords } from '../registries-in-words.ts'
import { snowflakeOutput, nullableSnowflake, nullableText, timestampOutput, nullableTimestamp } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'
import type { Attachment } from '../../../domain/messages/attachments.ts'
import { attachmentScheme } from '../../../domain/messages/embeds.ts'
import { attachmentObject, attachmentSchema } from '../conversations/attachment-objects.ts'
import { stickerItem, stickerItemSchema } from '../conversations/message-objects.ts'
import { embedObject, embedSchema } from '../conversations/embed-objects.ts'

export const reportStatuses = { pending: 0, resolved: 1 } as const satisfies Record<ReportStatus, number>

const messageKinds = valuesInWords(messageTypes)

const reportMembers = {
  report_id: snowflakeOutput,
  reporter_id: nullableSnowflake,
  reporter_tag: nullableText,
  reporter_username: nullableText,
  reporter_global_name: nullableText,
  reporter_discriminator: nullableText,
  reporter_email: nullableText,
  reporter_full_legal_name: nullableText,
  reporter_country_of_residence: nullableText,
  reported_at: timestampOutput,
  status: z.int().describe('0 pending, 1 resolved.'),
  report_type: z.int().describe('0 message, 1 user, 2 guild.'),
  category: z.string(),
  additional_info: nullableText.describe('What the reporter wrote.'),
  reported_user_id: nullableSnowflake,
  reported_user_tag: nullableText,
  reported_user_username: nullableText,
  reported_user_global_name: nullableText,
  reported_user_discriminator: nullableText,
  reported_user_avatar_hash: nullableText,
  reported_guild_id: nullableSnowflake,
  reported_guild_name: nullableText,
  reported_guild_icon_hash: nullableText,
  reported_guild_nsfw_level: z.int().nullable(),
  reported_message_id: nullableSnowflake,
  reported_channel_id: nullableSnowflake,
  reported_channel_name: nullableText,
  reported_channel_nsfw: z
    .boolean()
    .nullable()
    .describe('Whether the channel was for adults only; null without a channel.'),
  reported_guild_invite_code: nullableText,
  resolved_at: nullableTimestamp.describe('Null until it is resolved.'),
  resolved_by_admin_id: nullableSnowflake,
  public_comment: nullableText.describe('What the reporter is told.'),
  guild_context_id: nullableSnowflake,
  claimed_at: nullableTimestamp,
  claimed_by_admin_id: nullableSnowflake,
  reported_user_banner_hash: nullableText,
  reported_user_bio: nullableText,
  reported_user_pronouns: nullableText,
}

export const reportSchema = wireObject('AdminReport', reportMembers)

export type ReportObject = ObjectOf<typeof reportSchema>

const contextMessageSchema = wireObject('AdminReportMessage', {
  id: snowflakeOutput,
  channel_id: snowflakeOutput,
  author_id: snowflakeOutput,
  author_username: nullableText,
  author_discriminator: nullableText,
  type: z.int().describe(messageKinds),
  flags: z.int().describe('The bits of the message.'),
  content: z.string().describe('Text in Markdown. At most 2000 characters, 4000 with premium.'),
  timestamp: timestampOutput,
  edited_timestamp: nullableTimestamp.describe('Null if it was never changed.'),
  reply_to_id: nullableSnowflake,
  embeds: z.array(embedSchema).readonly().describe('Also those that the message hides.'),
  attachments: z.array(attachmentSchema).readonly().describe('The files; those that are gone have no address.'),
  stickers: z.array(stickerItemSchema).readonly(),
})

export type ContextMessageObject = ObjectOf<typeof contextMessageSchema>

export const reportDetailSchema = wireObject('AdminReportDetail', {
  ...reportMembers,
  mutual_dm_channel_id: nullableSnowflake,
  message_context: z.array(contextMessageSchema).readonly(),
  message_responses: z.array(contextMessageSchema).readonly(),
  reported_message_now: contextMessageSchema
    .nullable()
    .describe('The reported message as it is now; null once it is gone.'),
})

export type ReportDetailObject = ObjectOf<typeof reportDetailSchema>

/**
 * `reporter`: the account now; undefined once it is gone. `showsContact`: whether the viewer holds report:view:reporter_pii. The
 * last members, claimed_* and those of the profile, are our own addition.
 */
export function reportObject(
  report: ReportRecord,
  reporter: AccountRecord | undefined,
  { showsContact }: { readonly showsContact: boolean },
): ReportObject {
  const { reported, resolution, claim, profile } = report
  return objectOf(reportSchema, {
    report_id: report.id,
    reporter_id: report.reporterId,
    ...reporterMembers(reporter, showsContact),
    reported_at: report.reportedAt,
    status: reportStatuses[resolution ? 'resolved' : 'pending'],
    report_type: reportTypes[reported.kind],
    category: report.category,
    additional_info: report.additionalInfo,
    reported_user_id: reported.accountId,
    reported_user_tag: profile && tagOf(profile),
    reported_user_username: profile?.username ?? null,
    reported_user_global_name: profile?.globalName ?? null,
    reported_user_discriminator: profile && paddedDiscriminator(profile.discriminator),
    reported_user_avatar_hash: profile?.avatar ?? null,
    reported_guild_id: reported.guild?.id ?? null,
    reported_guild_name: reported.guild?.name ?? null,
    reported_guild_icon_hash: reported.guild?.icon ?? null,
    reported_guild_nsfw_level: reported.guild && nsfwLevel(reported.guild.nsfw),
    reported_message_id: reported.messageId,
    reported_channel_id: reported.channel?.id ?? null,
    reported_channel_name: reported.channel?.name ?? null,
    reported_channel_nsfw: reported.channel?.nsfw ?? null,
    reported_guild_invite_code: reported.inviteCode,
    resolved_at: resolution?.at ?? null,
    resolved_by_admin_id: resolution?.adminId ?? null,
    public_comment: resolution?.publicComment ?? null,
    guild_context_id: reported.guildContextId,
    claimed_at: claim?.at ?? null,
    claimed_by_admin_id: claim?.adminId ?? null,
    reported_user_banner_hash: profile?.banner ?? null,
    reported_user_bio: profile?.bio ?? null,
    reported_user_pronouns: profile?.pronouns ?? null,
  })
}

/** Only public forms, which this server does not have, ask for a legal name and a country. */
function reporterMembers(reporter: AccountRecord | undefined, showsContact: boolean) {
  return {
    reporter_tag: reporter ? tagOf(reporter) : null,
    reporter_username: reporter?.username ?? null,
    reporter_global_name: reporter?.profile.globalName ?? null,
    reporter_discriminator: reporter ? paddedDiscriminator(reporter.discriminator) : null,
    reporter_email: showsContact ? (reporter?.email ?? null) : null,
    reporter_full_legal_name: null,
    reporter_country_of_residence: null,
  }
}

/** A message around a reported one. `author`: undefined for an unknown account. `addressOf`: undefined for a file that is gone. */
export function contextMessage(
  {
    id,
    type,
    flags,
    content,
    editedAt,
    repliesTo,
    embeds = [],
    attachments = [],
    stickers = [],
    authorId,
  }: ReportedMessage & { readonly authorId: AccountId },
  channelId: ChannelId,
  author: AccountRecord | undefined,
  addressOf: (file: Attachment) => string | undefined,
): ContextMessageObject {
  return objectOf(contextMessageSchema, {
    id,
    channel_id: channelId,
    author_id: authorId,
    author_username: author?.username ?? null,
    author_discriminator: author ? paddedDiscriminator(author.discriminator) : null,
    type,
    flags,
    content,
    timestamp: sentAt({ id }),
    edited_timestamp: editedAt,
    reply_to_id: repliesTo,
    embeds: embeds.map((embed) =>
      embedObject(embed, (file) => addressOf(file) ?? `${attachmentScheme}${file.filename}`),
    ),
    attachments: attachments.map((file) => attachmentObject(file, channelId, () => addressOf(file) ?? null)),
    stickers: stickers.map(stickerItem),
  })
}

const tagOf = ({ username, discriminator }: Pick<AccountRecord, 'username' | 'discriminator'>): string =>
  `${username}#${paddedDiscriminator(discriminator)}`

/** The number that guild objects have for it. */
const nsfwLevel = (isNsfw: boolean): number => (isNsfw ? 3 : 0)
