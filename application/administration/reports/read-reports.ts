import { isWithin } from '../../../domain/admin/acls.ts'
import type { AccountId, ReportId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { objectOf } from '../../wire-objects/declaration.ts'
import type { Ports } from '../../ports.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { ReportRecord, ReportSearch } from '../../ports/queries/report-queries.ts'
import {
  reportObject,
  reportDetailSchema,
  type ReportDetailObject,
  type ReportObject,
} from '../../wire-objects/administration/report-object.ts'
import { boundOf } from '../acls/acl-bound.ts'
import { messageContext, type ContextNeeds } from './message-context.ts'

export type ReadReportNeeds = Pick<Ports, 'queries'>

export interface FoundReports {
  readonly reports: readonly ReportObject[]
  readonly total: number
}

/** A page of reports. Without a text and without filters, only pending ones. */
export function searchReports(ports: ReadReportNeeds) {
  return async (caller: Caller, search: ReportSearch): Promise<FoundReports> => {
    const { reports, total_count: total } = await ports.queries.reports.search(search)
    return { reports: await objectsOf(ports, caller, reports), total }
  }
}

/** A report with the messages around the reported one. Refuses with UNKNOWN_REPORT. */
export function getReport(ports: ContextNeeds) {
  return async (caller: Caller, id: ReportId): Promise<ReportDetailObject> => {
    const report = await ports.queries.reports.find(id)
    if (!report) return reject('UNKNOWN_REPORT')
    const { reporterId, reported } = report
    const [[object], { around, now }, direct] = await Promise.all([
      objectsOf(ports, caller, [report]),
      messageContext(ports, report, caller.context.now),
      reported.accountId ? ports.queries.privateChannels.between(reporterId, reported.accountId) : undefined,
    ])
    return objectOf(reportDetailSchema, {
      ...(object ?? reject('UNKNOWN_REPORT')),
      mutual_dm_channel_id: direct?.id ?? null,
      message_context: around,
      message_responses: around.filter(({ reply_to_id: to }) => to !== null && to === reported.messageId),
      reported_message_now: now ?? null,
    })
  }
}

/** One report; undefined for an unknown one. */
export async function readReport(
  ports: ReadReportNeeds,
  caller: Caller,
  id: ReportId,
): Promise<ReportObject | undefined> {
  const report = await ports.queries.reports.find(id)
  return report && (await objectsOf(ports, caller, [report]))[0]
}

async function objectsOf(
  { queries }: ReadReportNeeds,
  caller: Caller,
  reports: readonly ReportRecord[],
): Promise<readonly ReportObject[]> {
  const reporters = await recordsOf({ queries }, new Set(reports.map(({ reporterId }) => reporterId)))
  const showsContact = isWithin(boundOf(caller), 'report:view:reporter_pii')
  return reports.map((report) => reportObject(report, reporters.get(report.reporterId), { showsContact }))
}

async function recordsOf(
  { queries }: ReadReportNeeds,
  ids: ReadonlySet<AccountId>,
): Promise<ReadonlyMap<AccountId, AccountRecord>> {
  const found = ids.size === 0 ? [] : await queries.accounts.findManyAsStored([...ids])
  return new Map(found.filter(({ isErased }) => !isErased).map((account) => [account.id, account]))
}
