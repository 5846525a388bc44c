import type { AuditedAccess } from '../../../domain/admin-audit/access-of.js'
import type { AccountId, EntryId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'

/** An entry of the admin audit log as the read model holds it. */
export interface AdminAuditRecord {
  readonly id: EntryId
  readonly adminId: AccountId
  readonly targetType: string
  /** Decimal; `0` where the target has no id. */
  readonly targetId: string
  readonly action: string
  readonly reason: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: Timestamp
}

/** What is asked of the log. Members that are given all have to hold. */
export interface AdminAuditSearch {
  /** Words that action, target, reason or metadata have in them, in any case; null for none. */
  readonly text: string | null
  readonly adminId: AccountId | null
  readonly targetType: string | null
  readonly targetId: string | null
  readonly access: AuditedAccess | null
  readonly order: AdminAuditOrder
  /** 1-200. */
  readonly limit: number
  readonly offset: number
}

/** `relevance` puts entries first whose action or target is the text, then those that have it in action or reason. */
export interface AdminAuditOrder {
  readonly by: 'created_at' | 'relevance'
  readonly direction: 'asc' | 'desc'
}

export interface AdminAuditQueries {
  find(entry: EntryId): Promise<AdminAuditRecord | undefined>
  /** A page, and how many there are of its kind in all. */
  search(
    search: AdminAuditSearch,
  ): Promise<{ readonly entries: readonly AdminAuditRecord[]; readonly total_count: number }>
}
