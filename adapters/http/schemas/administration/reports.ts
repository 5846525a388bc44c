import { z } from 'zod'
import type { ReportSearch } from '../../../../application/ports/queries/report-queries.ts'
import { reportCategories } from '../../../../domain/report/categories.ts'
import { queryInteger } from '../query-inputs.ts'
import { accountIdInput, channelIdInput, guildIdInput, orNull, textInput, withDefault } from '../scalars.ts'
import { snowflakeOutput, timestampOutput, nullableText } from '../../../../application/wire-objects/scalars.ts'
import { reportSchema } from '../../../../application/wire-objects/administration/report-object.ts'

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

export const foundReports = z.object({
  reports: z.array(reportSchema).readonly(),
  total: z.int().describe('How many there are on all pages.'),
  offset: z.int().describe('How many are passed over.'),
  limit: z.int().describe('How many a page has at most.'),
})

export const resolvedReport = z
  .object({
    report_id: snowflakeOutput,
    status: z.literal(1),
    resolved_at: timestampOutput,
    public_comment: nullableText.describe('What the reporter is told.'),
  })
  .meta({ id: 'ResolvedReport' })
