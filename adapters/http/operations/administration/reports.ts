import { z } from 'zod'
import { changeClaim, resolveReport } from '../../../../application/administration/reports/change-reports.ts'
import { getReport, searchReports } from '../../../../application/administration/reports/read-reports.ts'
import type { ReportSearch } from '../../../../application/ports/queries/report-queries.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { foundReports, reportResolution, reportSearch, resolvedReport } from '../../schemas/administration/reports.ts'
import { reportIdInput } from '../../schemas/scalars.ts'
import { adminLookup, adminUserModify } from './buckets.ts'
import {
  reportSchema,
  reportDetailSchema,
  reportStatuses,
} from '../../../../application/wire-objects/administration/report-object.ts'

const reportParams = z.object({ report_id: reportIdInput })

/** Part of an audit rule: the target is the report of the path. */
const ofReport = {
  target: 'report',
  targetId: ({ params }: { readonly params: z.output<typeof reportParams> }): string => params.report_id,
}

const listReportsOperation = operation({
  name: 'List reports',
  description: 'A page of reports.',
  route: 'GET /v1/admin/reports',
  callers: admin({ acls: ['report:view'] }),
  bucket: adminLookup,
  query: reportSearch,
  replies: { 200: foundReports },
  adminAudit: {
    action: 'search_reports',
    target: 'report',
    metadata: ({ query }, { reports, total }) => ({
      ...filtersOf(query),
      has_query: String(query.text !== null),
      limit: String(query.limit),
      offset: String(query.offset),
      result_count: String(reports.length),
      total: String(total),
    }),
  },
  useCase: searchReports,
  handle: async ({ caller, query }, run) => ({
    ...(await run(caller, query)),
    offset: query.offset,
    limit: query.limit,
  }),
})

/** The filters of a search, without its text, which may be personal. */
function filtersOf(search: ReportSearch): Readonly<Record<string, string>> {
  const filters = {
    status: search.status,
    report_type: search.kind,
    category: search.category,
    reporter_id: search.reporterId,
    reported_user_id: search.reportedUserId,
    reported_guild_id: search.reportedGuildId,
    reported_channel_id: search.reportedChannelId,
    guild_context_id: search.guildContextId,
    claimed_by_admin_id: search.claimedBy,
    resolved_by_admin_id: search.resolvedBy,
  }
  return Object.fromEntries(Object.entries(filters).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}

const getReportOperation = operation({
  name: 'Get report',
  description: 'A report with the messages around the reported one.',
  route: 'GET /v1/admin/reports/:report_id',
  callers: admin({ acls: ['report:view'] }),
  bucket: adminLookup,
  params: reportParams,
  replies: { 200: reportDetailSchema },
  adminAudit: { action: 'get_report', ...ofReport },
  refuses: ['UNKNOWN_REPORT'],
  useCase: getReport,
  handle: ({ caller, params }, run) => run(caller, params.report_id),
})

const resolveReportOperation = operation({
  name: 'Update report',
  description: 'Resolves a report, and mails its reporter.',
  route: 'PATCH /v1/admin/reports/:report_id',
  callers: admin({ acls: ['report:resolve'] }),
  bucket: adminUserModify,
  params: reportParams,
  body: reportResolution,
  replies: { 200: resolvedReport },
  adminAudit: { action: 'resolve_report', ...ofReport },
  refuses: ['REPORT_ALREADY_RESOLVED', 'UNKNOWN_REPORT'],
  useCase: resolveReport,
  handle: async ({ caller, params: { report_id: id }, body, noteAudited }, run) => {
    const wishes = { publicComment: body.public_comment, notifiesReporter: body.notify_reporter }
    const { resolvedAt, publicComment, isNotified } = await run(caller, id, wishes)
    noteAudited({
      notify_reporter: String(body.notify_reporter),
      notification_sent: String(isNotified),
      // The comment itself is personal to the reporter.
      has_public_comment: String(publicComment !== null),
    })
    return { report_id: id, status: reportStatuses.resolved, resolved_at: resolvedAt, public_comment: publicComment }
  },
})

/** A claim keeps nobody else from deciding (decision 89). */
const claimReportOperation = operation({
  name: 'Claim report',
  description: 'Claims a report for the caller.',
  route: 'PUT /v1/admin/reports/:report_id/claim',
  callers: admin({ acls: ['report:view', 'report:resolve'] }),
  bucket: adminUserModify,
  params: reportParams,
  replies: { 200: reportSchema },
  adminAudit: { action: 'claim_report', ...ofReport },
  refuses: ['CONFLICT', 'REPORT_ALREADY_RESOLVED', 'UNKNOWN_REPORT'],
  useCase: changeClaim,
  handle: ({ caller, params }, run) => run(caller, params.report_id, 'ClaimReport'),
})

const releaseReportOperation = operation({
  name: 'Release report',
  description: 'Ends the claim of a report, whoever has it.',
  route: 'DELETE /v1/admin/reports/:report_id/claim',
  callers: admin({ acls: ['report:view', 'report:resolve'] }),
  bucket: adminUserModify,
  params: reportParams,
  replies: { 200: reportSchema },
  adminAudit: { action: 'release_report', ...ofReport },
  refuses: ['REPORT_ALREADY_RESOLVED', 'UNKNOWN_REPORT'],
  useCase: changeClaim,
  handle: ({ caller, params }, run) => run(caller, params.report_id, 'ReleaseReport'),
})

/** The queue of reports for administrators. */
export const adminReportOperations: readonly Operation[] = [
  listReportsOperation,
  getReportOperation,
  resolveReportOperation,
  claimReportOperation,
  releaseReportOperation,
]
