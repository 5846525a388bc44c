import type { AccountId, ChannelId, GuildId, ReportId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { ReportCategory, ReportKind } from '../../../domain/report/categories.ts'
import type { Reported, ReportedMessage, ReportedProfile } from '../../../domain/report/events.ts'
import type { OffsetPage } from './account-search-queries.ts'

/** A report as the read model holds it. */
export interface ReportRecord {
  readonly id: ReportId
  readonly reporterId: AccountId
  readonly category: ReportCategory
  readonly reported: Reported
  readonly reportedAt: Timestamp
  /** Null for none, and once the reporter is erased. */
  readonly additionalInfo: string | null
  readonly claim: { readonly adminId: AccountId; readonly at: Timestamp } | null
  /** Null while the report is pending. */
  readonly resolution: ReportResolution | null
  /** As the reported account looked then. Null for a guild, and once the account is erased. */
  readonly profile: ReportedProfile | null
}

export interface ReportResolution {
  readonly adminId: AccountId
  readonly at: Timestamp
  /** Null for none, and once the reporter is erased. */
  readonly publicComment: string | null
}

/** A report with everything that was kept of it. */
export interface WholeReport extends ReportRecord {
  /** Oldest first. Empty if no message was reported, or if its author was erased since. */
  readonly messages: readonly ReportedMessage[]
}

export type ReportStatus = 'pending' | 'resolved'

/** A search for reports. A report must match all given members; null matches any. */
export interface ReportSearch extends OffsetPage {
  /** A part of the id, category, words of the reporter, names of guild and channel, or public comment, in any case. */
  readonly text: string | null
  readonly status: ReportStatus | null
  readonly kind: ReportKind | null
  readonly category: string | null
  readonly reporterId: AccountId | null
  readonly reportedUserId: AccountId | null
  readonly reportedGuildId: GuildId | null
  readonly reportedChannelId: ChannelId | null
  readonly guildContextId: GuildId | null
  readonly claimedBy: AccountId | null
  readonly resolvedBy: AccountId | null
  readonly order: { readonly by: 'reported_at' | 'resolved_at'; readonly direction: 'asc' | 'desc' }
}

export interface ReportQueries {
  find(report: ReportId): Promise<WholeReport | undefined>
  /** A page of reports, and the total number that match. */
  search(search: ReportSearch): Promise<{ readonly reports: readonly ReportRecord[]; readonly total_count: number }>
  /**
   * Pending reports against an account, except some categories, oldest first, after one of them. With `orResolved`, also those that
   * an administrator has resolved since then.
   */
  pendingAgainst(
    account: AccountId,
    options: {
      readonly without: readonly ReportCategory[]
      readonly orResolved: { readonly by: AccountId; readonly since: Timestamp } | null
      readonly after: ReportId | null
      readonly count_max: number
    },
  ): Promise<readonly Pick<ReportRecord, 'id' | 'reporterId'>[]>
}
