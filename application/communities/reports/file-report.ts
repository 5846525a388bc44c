import { hasFlag } from '../../../domain/account/flags.ts'
import { reportId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { ReportCategory } from '../../../domain/report/categories.ts'
import type { Reported, ReportedMessage, ReportedProfile } from '../../../domain/report/events.ts'
import { isClaimed } from '../../access/account-standing.ts'
import type { Caller } from '../../caller.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import type { Rate } from '../../ports/allowances.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { Ports } from '../../ports.ts'

/** Why something is reported, in the words of the reporter. */
export interface ReportReasons {
  readonly category: ReportCategory
  /** 1-1000 characters; null for none. */
  readonly additionalInfo: string | null
}

/** The answer to a report: that it waits, and nothing of what others reported. */
export interface FiledReportObject {
  readonly report_id: string
  readonly status: 'pending'
  readonly reported_at: Timestamp
}

export type ReportNeeds = Pick<Ports, 'aggregates' | 'allowances' | 'queries'>

/**
 * Refuses callers who may not report: REPORT_BANNED, then UNCLAIMED_ACCOUNT_CANNOT_SUBMIT_REPORTS, then
 * REPORT_EMAIL_VERIFICATION_REQUIRED. An account that signs in without an address has none to verify.
 */
export function requireMayReport({ account }: Pick<Caller, 'account'>): void {
  if (hasFlag(account, 'REPORT_BANNED')) reject('REPORT_BANNED')
  if (!isClaimed(account)) reject('UNCLAIMED_ACCOUNT_CANNOT_SUBMIT_REPORTS')
  if (account.email !== null && !account.emailVerified) reject('REPORT_EMAIL_VERIFICATION_REQUIRED')
}

/** An allowance that a report takes from, besides that of its reporter. */
export interface ReportAllowance {
  readonly name: string
  readonly key: string
  readonly rate: Rate
}

const hour_s = 3600
export const hourly = (requests: number): Rate => ({ requests, seconds: hour_s })

export interface NewReport extends ReportReasons {
  readonly reported: Reported
  /** The reported account, or the author of the message; undefined for a guild, and for an account that is gone. */
  readonly account?: AccountRecord | undefined
  readonly messages?: readonly ReportedMessage[]
  readonly allowances?: readonly ReportAllowance[]
}

/** Files a report. Refuses with RATE_LIMITED beyond the allowances (rules/reports#allowances). */
export async function fileReport(
  { aggregates, allowances }: ReportNeeds,
  { account: reporter, context }: Caller,
  { category, additionalInfo, reported, account, messages = [], allowances: further = [] }: NewReport,
): Promise<FiledReportObject> {
  await charge(allowances, [...further, { name: 'reports', key: reporter.id, rate: hourly(5) }])
  const id = reportId(context.newId())
  const reportedAt = context.now
  const filed = { reportId: id, reporterId: reporter.id, category, reported, additionalInfo, reportedAt }
  const evidence = account ? { evidenceOf: account.id, profile: profileOf(account), messages } : null
  await aggregates.report.execute(id, { type: 'FileReport', filed, evidence }, context, 'initial')
  return { report_id: id, status: 'pending', reported_at: reportedAt }
}

/** Takes from all of the allowances, or from none: a report that one of them refuses costs nothing. */
async function charge(allowances: Ports['allowances'], all: readonly ReportAllowance[]): Promise<void> {
  for (const act of ['look', 'take'] as const) {
    for (const { name, key, rate } of all) {
      const allowance = await allowances[act](name, key, rate)
      if (!allowance.allowed) rejectWith('RATE_LIMITED', { global: false, retry_after: allowance.retryAfterSeconds })
    }
  }
}

function profileOf({ username, discriminator, profile }: AccountRecord): ReportedProfile {
  const { globalName, avatar, banner, bio, pronouns } = profile
  return { username, discriminator, globalName, avatar, banner, bio, pronouns }
}
