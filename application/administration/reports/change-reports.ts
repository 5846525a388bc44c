import type { ReportId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import type { ReportObject } from '../../wire-objects/administration/report-object.ts'
import { readReport, type ReadReportNeeds } from './read-reports.ts'
import { notifyReporter, type NotifyNeeds } from './notify-reporter.ts'

type ChangeNeeds = ReadReportNeeds & Pick<Ports, 'aggregates' | 'readModels'>

/**
 * Claims a report for the caller, or ends the claim of whoever has one. Gives the report. Refuses with UNKNOWN_REPORT, with
 * REPORT_ALREADY_RESOLVED, and a claim with CONFLICT while another administrator has one. Decision 89.
 */
export function changeClaim(ports: ChangeNeeds) {
  return async (caller: Caller, id: ReportId, type: 'ClaimReport' | 'ReleaseReport'): Promise<ReportObject> => {
    const { account, context } = caller
    await ports.aggregates.report.execute(id, { type, adminId: account.id, now: context.now }, context)
    await ports.readModels.reached(context.settled)
    return (await readReport(ports, caller, id)) ?? reject('UNKNOWN_REPORT')
  }
}

export interface ReportResolutionWishes {
  /** What the reporter is told; null for nothing. */
  readonly publicComment: string | null
  readonly notifiesReporter: boolean
}

export interface ResolvedReport {
  readonly resolvedAt: Timestamp
  readonly publicComment: string | null
  /** Whether the reporter was mailed. */
  readonly isNotified: boolean
}

/**
 * Resolves a report, and mails its reporter. Refuses with UNKNOWN_REPORT and REPORT_ALREADY_RESOLVED. A mail that fails
 * leaves the report resolved.
 */
export function resolveReport(ports: NotifyNeeds) {
  return async (
    { account, context }: Caller,
    id: ReportId,
    { publicComment, notifiesReporter }: ReportResolutionWishes,
  ): Promise<ResolvedReport> => {
    const command = { type: 'ResolveReport', adminId: account.id, cause: 'decided', publicComment } as const
    const { state } = await ports.aggregates.report.execute(id, { ...command, now: context.now }, context)
    const isTold = notifiesReporter && state.status === 'resolved'
    const isNotified = isTold && (await notifyReporter(ports, state, publicComment, 'deliver', context))
    return { resolvedAt: context.now, publicComment, isNotified }
  }
}
