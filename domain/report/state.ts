import type { AccountId, ReportId } from '../ids/ids.ts'

/** A report is resolved once, for good. Its words and its evidence are not needed to decide. */
export type ReportState =
  | { readonly status: 'absent' }
  | ({ readonly status: 'pending' } & FiledReport & {
        /** The administrator who works on it. */
        readonly claimedBy: AccountId | null
      })
  | ({ readonly status: 'resolved' } & FiledReport)

export interface FiledReport {
  readonly id: ReportId
  readonly reporterId: AccountId
}
