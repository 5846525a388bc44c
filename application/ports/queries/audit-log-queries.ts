import type { GuildAuditEntry } from '../../../domain/audit/guild-audit-entry.js'
import type { AccountId, EntryId, GuildId } from '../../../domain/ids/ids.js'

/** Entries older than so many days are not shown any more (reference gateway 3.14). */
export const auditEntryLife_days = 45

export interface AuditLogPage {
  /** Exclusive; at most one of the two is given. */
  readonly before?: EntryId
  readonly after?: EntryId
  readonly actorId?: AccountId
  readonly actionType?: number
  /** 1-100. */
  readonly limit: number
}

export interface AuditLogQueries {
  /** Newest first. `oldest` is the id below which entries are past their life. */
  page(guild: GuildId, page: AuditLogPage, oldest: EntryId): Promise<readonly GuildAuditEntry[]>
}
