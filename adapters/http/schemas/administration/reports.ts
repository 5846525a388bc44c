import { z } from 'zod'
import type { ReportSearch } from '../../../../application/ports/queries/report-queries.ts'
import { reportCategories } from '../../../../domain/report/categories.ts'
import { queryInteger } from '../query-inputs.ts'
import { accountIdInput, channelIdInput, guildIdInput, orNull, textInput, withDefault } from '../scalars.ts'
import { messageTypes } from '../../../../application/ports/messages.ts'
import { valuesInWords } from '../../../../application/wire-objects/registries-in-words.ts'
import { snowflakeOutput, timestampOutput } from '../../../../application/wire-objects/scalars.ts'

const messageKinds = valuesInWords(messageTypes)

const kinds = ['message', 'user', 'guild'] as const
/** By its number, as report objects have it, or by its name. */
const reportType = z
  .enum([...kinds, '0', '1', '2'])
  .transform((given) => kinds.find((kind, number) => given === kind || given === String(number)) ?? null)

const category = z.enum([
  ...new Set([...reportCategories.message, ...reportCategories.user, ...reportCategories.guild]),
])

/** Without a text and without any filter, the list has pending reports. */
export const reportSearch = z
  .object({
    q: textInput({ min: 1, max: 1024 }).optional(),
    status: z.enum(['pending', 'resolved']).optional(),
    report_type: reportType.optional(),
    category: category.optional(),
    reporter_id: accountIdInput.optional(),
    reported_user_id: accountIdInput.optional(),
    reported_guild_id: guildIdInput.optional(),
    reported_channel_id: channelIdInput.optional(),
    guild_context_id: guildIdInput.optional(),
    claimed_by_admin_id: accountIdInput.optional(),
    resolved_by_admin_id: accountIdInput.optional(),
    sort_by: z.enum(['created_at', 'reported_at', 'resolved_at']).default('reported_at'),
    sort_order: z.enum(['asc', 'desc']).default('desc'),
    limit: queryInteger({ min: 1, max: 200 }, 50),
    offset: queryInteger({ min: 0, max: 10_000 }, 0),
  })
  .transform(({ sort_by: by, sort_order: direction, limit, offset, ...given }): ReportSearch => {
    const isFiltered = Object.values(given).some((value) => value !== undefined)
    return {
      text: given.q ?? null,
      status: given.status ?? (isFiltered ? null : 'pending'),
      kind: given.report_type ?? null,
      category: given.category ?? null,
      reporterId: given.reporter_id ?? null,
      reportedUserId: given.reported_user_id ?? null,
      reportedGuildId: given.reported_guild_id ?? null,
      reportedChannelId: given.reported_channel_id ?? null,
      guildContextId: given.guild_context_id ?? null,
      claimedBy: given.claimed_by_admin_id ?? null,
      resolvedBy: given.resolved_by_admin_id ?? null,
      order: { by: by === 'resolved_at' ? by : 'reported_at', direction },
      limit,
      offset,
    }
  })

/** A report can only become resolved. */
export const reportResolution = z.object({
  status: z.literal('resolved'),
  public_comment: orNull(textInput({ min: 0, max: 512 })),
  notify_reporter: withDefault(z.boolean(), true),
})

const text = z.string().nullable()
const id = snowflakeOutput.nullable()
const instant = timestampOutput.nullable()

const reportMembers = {
  report_id: snowflakeOutput,
  reporter_id: id,
  reporter_tag: text,
  reporter_username: text,
  reporter_global_name: text,
  reporter_discriminator: text,
  reporter_email: text,
  reporter_full_legal_name: text,
  reporter_country_of_residence: text,
  reported_at: timestampOutput,
  status: z.int().describe('0 pending, 1 resolved.'),
  report_type: z.int().describe('0 message, 1 user, 2 guild.'),
  category: z.string(),
  additional_info: text.describe('What the reporter wrote.'),
  reported_user_id: id,
  reported_user_tag: text,
  reported_user_username: text,
  reported_user_global_name: text,
  reported_user_discriminator: text,
  reported_user_avatar_hash: text,
  reported_guild_id: id,
  reported_guild_name: text,
  reported_guild_icon_hash: text,
  reported_guild_nsfw_level: z.int().nullable(),
  reported_message_id: id,
  reported_channel_id: id,
  reported_channel_name: text,
  reported_channel_nsfw: z
    .boolean()
    .nullable()
    .describe('Whether the channel was for adults only; null without a channel.'),
  reported_guild_invite_code: text,
  resolved_at: instant.describe('Null until it is resolved.'),
  resolved_by_admin_id: id,
  public_comment: text.describe('What the reporter is told.'),
  guild_context_id: id,
  claimed_at: instant,
  claimed_by_admin_id: id,
  reported_user_banner_hash: text,
  reported_user_bio: text,
  reported_user_pronouns: text,
}

export const adminReport = z.object(reportMembers).meta({ id: 'AdminReport' })

export const foundReports = z.object({
  reports: z.array(adminReport).readonly(),
  total: z.int().describe('How many there are on all pages.'),
  offset: z.int().describe('How many are passed over.'),
  limit: z.int().describe('How many a page has at most.'),
})

const contextMessage = z
  .object({
    id: snowflakeOutput,
    channel_id: snowflakeOutput,
    author_id: snowflakeOutput,
    author_username: text,
    author_discriminator: text,
    type: z.int().describe(messageKinds),
    flags: z.int().describe('The bits of the message.'),
    content: z.string().describe('Text in Markdown. At most 2000 characters, 4000 with premium.'),
    timestamp: timestampOutput,
    edited_timestamp: instant.describe('Null if it was never changed.'),
    reply_to_id: id,
  })
  .meta({ id: 'AdminReportMessage' })

export const adminReportDetail = z
  .object({
    ...reportMembers,
    mutual_dm_channel_id: id,
    message_context: z.array(contextMessage).readonly(),
    message_responses: z.array(contextMessage).readonly(),
  })
  .meta({ id: 'AdminReportDetail' })

export const resolvedReport = z
  .object({
    report_id: snowflakeOutput,
    status: z.literal(1),
    resolved_at: timestampOutput,
    public_comment: text.describe('What the reporter is told.'),
  })
  .meta({ id: 'ResolvedReport' })
