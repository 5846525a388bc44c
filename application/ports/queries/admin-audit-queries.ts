import type { AuditedAccess } from '../../../domain/admin-audit/access-of.ts'
import type { AccountId, EntryId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'

/** An entry of the admin audit log as the read model holds it. */
export interface AdminAuditRecord {
  readonly id: EntryId
  readonly adminId: AccountId
  readonly targetType: string
  /** Decimal; `0` if the target has no id. */
  readonly targetId: string
  readonly action: string
  readonly reason: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: Timestamp
}

/** A search of the log. An entry must match all given members. */
export interface AdminAuditSearch {
  /** Text that action, target, reason or metadata contain, case-insensitive; null for any. */
  readonly text: string | null
  readonly adminId: AccountId | null
  readonly targetType: string | null
  readonly targetId: string | null
  readonly action: string | null
  readonly access: AuditedAccess | null
  /** At this time or later. */
  readonly since: Timestamp | null
  /** Before this time. */
  readonly until: Timestamp | null
  /** Only entries before this one: the last of an earlier page. */
  readonly before: EntryId | null
  /** Leaves out the parts of entries that go with the erasure of the account that they are about. */
  readonly withoutPersonal?: boolean
  readonly order: AdminAuditOrder
  /** 1-200. */
  readonly limit: number
  readonly offset: number
}

/** `relevance` puts entries first whose action or target equals the text, then those whose action or reason contains it. */
export interface AdminAuditOrder {
  readonly by: 'created_at' | 'relevance'
  readonly direction: 'asc' | 'desc'
}

export interface AdminAuditQueries {
  find(entry: EntryId): Promise<AdminAuditRecord | undefined>
  /** A page of entries, and the total number that match. */
  search(
    search: AdminAuditSearch,
  ): Promise<{ readonly entries: readonly AdminAuditRecord[]; readonly total_count: number }>
}
