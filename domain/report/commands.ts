import type { AccountId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { ReportEvidenceKept, ReportFiled, ReportResolved } from './events.ts'

export type ReportCommand = FileReport | ClaimReport | ReleaseReport | ResolveReport

export interface FileReport {
  readonly type: 'FileReport'
  readonly filed: ReportFiled
  /** Null for a guild. */
  readonly evidence: Omit<ReportEvidenceKept, 'reportId'> | null
}

/** Claiming again what one has claimed changes nothing. */
export interface ClaimReport {
  readonly type: 'ClaimReport'
  readonly adminId: AccountId
  readonly now: Timestamp
}

/** Releasing what nobody has claimed changes nothing. */
export interface ReleaseReport {
  readonly type: 'ReleaseReport'
  readonly adminId: AccountId
  readonly now: Timestamp
}

export interface ResolveReport extends Pick<ReportResolved, 'adminId' | 'cause' | 'publicComment'> {
  readonly type: 'ResolveReport'
  readonly now: Timestamp
}
