import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { plannedForItsValues } from '../../application/sql/planned-for-its-values.ts'
import { sql } from '../../application/sql/sql.ts'
import {
  type ReportQueries,
  type ReportRecord,
  type ReportSearch,
  type WholeReport,
} from '../../application/ports/queries/report-queries.ts'
import type { MessageId, ReportId } from '../../domain/ids/ids.ts'
import type { ReportCategory, ReportKind } from '../../domain/report/categories.ts'
import type { ReportedMessage, ReportedProfile } from '../../domain/report/events.ts'
import {
  accountIdColumn,
  channelIdColumn,
  countRow,
  guildIdColumn,
  instantColumn,
  inviteCodeColumn,
  textColumn,
} from '../columns.ts'
import { likeText } from '../like-pattern.ts'

const jsonColumn = <Value>() => z.custom<Value>((value) => typeof value === 'object' && value !== null)

const reportColumns = {
  report_id: textColumn<ReportId>(),
  reporter_id: accountIdColumn,
  kind: textColumn<ReportKind>(),
  category: textColumn<ReportCategory>(),
  reported_at: instantColumn,
  account_id: accountIdColumn.nullable(),
  guild_id: guildIdColumn.nullable(),
  guild_name: z.string().nullable(),
  guild_icon: z.string().nullable(),
  guild_nsfw: z.boolean().nullable(),
  channel_id: channelIdColumn.nullable(),
  channel_name: z.string().nullable(),
  channel_nsfw: z.boolean().nullable(),
  message_id: textColumn<MessageId>().nullable(),
  guild_context_id: guildIdColumn.nullable(),
  invite_code: inviteCodeColumn.nullable(),
  claimed_by: accountIdColumn.nullable(),
  claimed_at: instantColumn.nullable(),
  resolved_by: accountIdColumn.nullable(),
  resolved_at: instantColumn.nullable(),
  additional_info: z.string().nullable(),
  public_comment: z.string().nullable(),
  profile: jsonColumn<ReportedProfile>().nullable(),
}

type Columns = z.output<z.ZodObject<typeof reportColumns>>

const reportRow = z.object(reportColumns).transform(reportOf)
const wholeRow = z
  .object({ ...reportColumns, messages: jsonColumn<{ readonly list: readonly ReportedMessage[] }>().nullable() })
  .transform((row): WholeReport => ({ ...reportOf(row), messages: row.messages?.list ?? [] }))

function reportOf(row: Columns): ReportRecord {
  return {
    id: row.report_id,
    reporterId: row.reporter_id,
    category: row.category,
    reported: {
      kind: row.kind,
      accountId: row.account_id,
      guild: row.guild_id && {
        id: row.guild_id,
        name: row.guild_name ?? '',
        icon: row.guild_icon,
        nsfw: row.guild_nsfw ?? false,
      },
      channel: row.channel_id && { id: row.channel_id, name: row.channel_name, nsfw: row.channel_nsfw },
      messageId: row.message_id,
      guildContextId: row.guild_context_id,
      inviteCode: row.invite_code,
    },
    reportedAt: row.reported_at,
    additionalInfo: row.additional_info,
    claim: row.claimed_by && row.claimed_at && { adminId: row.claimed_by, at: row.claimed_at },
    resolution: row.resolved_by &&
      row.resolved_at && { adminId: row.resolved_by, at: row.resolved_at, publicComment: row.public_comment },
    profile: row.profile,
  }
}

const idRow = z
  .object({ report_id: textColumn<ReportId>(), reporter_id: accountIdColumn })
  .transform((row) => ({ id: row.report_id, reporterId: row.reporter_id }))

const columns = sql.fragment`r.report_id, r.reporter_id, r.kind, r.category, r.reported_at, r.account_id, r.guild_id,
  r.guild_name, r.guild_icon, r.guild_nsfw, r.channel_id, r.channel_name, r.channel_nsfw, r.message_id,
  r.guild_context_id, r.invite_code, r.claimed_by, r.claimed_at, r.resolved_by, r.resolved_at,
  w.additional_info, w.public_comment, e.profile`

const tables = sql.fragment`reports.reports r
  left join reports.words w on w.report_id = r.report_id
  left join reports.evidence e on e.report_id = r.report_id`

/** Queries over the reports read model. */
export function reportQueries(database: Queries): ReportQueries {
  return {
    find: (report) =>
      database.maybeOne(sql.type(wholeRow)`
        select ${columns}, e.messages from ${tables} where r.report_id = ${report}`),
    async search(search) {
      const matching = conditionsOf(search)
      const { limit, offset } = search
      const [reports, total] = await Promise.all([
        database.any(
          plannedForItsValues(sql.type(reportRow)`
            select ${columns} from ${tables} where ${matching}
            order by ${orderOf(search)} limit ${limit} offset ${offset}`),
        ),
        database.one(
          plannedForItsValues(sql.type(countRow)`select count(*)::int4 as count from ${tables} where ${matching}`),
        ),
      ])
      return { reports, total_count: total }
    },
    pendingAgainst: (account, { without, orResolved, after, count_max }) =>
      database.any(sql.type(idRow)`
        select r.report_id, r.reporter_id from reports.reports r
        where r.account_id = ${account} and r.report_id > ${after ?? '0'}
          and (r.resolved_at is null
            or r.resolved_by = ${orResolved?.by ?? null}::int8 and r.resolved_at >= ${orResolved?.since ?? null}::timestamptz)
          and r.category <> all(${sql.array([...without], 'text')})
        order by r.report_id limit ${count_max}`),
  }
}

/** One text for every search: what is not asked for is null, and the plan is made for the values. */
function conditionsOf(search: ReportSearch) {
  const pattern = search.text === null ? null : `%${likeText(search.text)}%`
  return sql.fragment`
    (${search.status}::text is null or (r.resolved_at is null) = (${search.status}::text = 'pending'))
    and (${search.kind}::text is null or r.kind = ${search.kind}::text)
    and (${search.category}::text is null or r.category = ${search.category}::text)
    and (${search.reporterId}::int8 is null or r.reporter_id = ${search.reporterId}::int8)
    and (${search.reportedUserId}::int8 is null or r.account_id = ${search.reportedUserId}::int8)
    and (${search.reportedGuildId}::int8 is null or r.guild_id = ${search.reportedGuildId}::int8)
    and (${search.reportedChannelId}::int8 is null or r.channel_id = ${search.reportedChannelId}::int8)
    and (${search.guildContextId}::int8 is null or r.guild_context_id = ${search.guildContextId}::int8)
    and (${search.claimedBy}::int8 is null or r.claimed_by = ${search.claimedBy}::int8)
    and (${search.resolvedBy}::int8 is null or r.resolved_by = ${search.resolvedBy}::int8)
    and (${pattern}::text is null or r.report_id::text like ${pattern}::text or r.category ilike ${pattern}::text
      or r.guild_name ilike ${pattern}::text or r.channel_name ilike ${pattern}::text
      or w.additional_info ilike ${pattern}::text or w.public_comment ilike ${pattern}::text)`
}

/** Ids are in the order of the reports. What is not resolved comes last. */
function orderOf({ order: { by, direction } }: ReportSearch) {
  const way = direction === 'asc' ? sql.fragment`asc` : sql.fragment`desc`
  return by === 'resolved_at'
    ? sql.fragment`r.resolved_at ${way} nulls last, r.report_id ${way}`
    : sql.fragment`r.report_id ${way}`
}
