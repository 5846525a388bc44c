import type { GuildAuditEntry } from '../../../domain/audit/audit-entry.js'
import type { AccountId, EntryId, GuildId } from '../../../domain/ids/ids.js'

/** Entries older than so many days are not shown any more (reference gateway 3.14). */
export const auditEntryLife_days = 45

export interface AuditLogPage {
  /** Exclusive; at most one of the two is given. */
  readonly before?: EntryId
  readonly after?: EntryId
  readonly actorId?: AccountId
  readonly actionType?: number
  /**
   * For who has no thread access: nothing of threads, nor of channels for threads alone, nor of what was done in one, whether or not
   * it still stands (reference gateway 5.6).
   */
  readonly withoutThreads?: boolean
  /** 1-1000. */
  readonly limit: number
}

export interface AuditLogQueries {
  /** Newest first. `oldest` is the id below which entries are past their life. */
  page(guild: GuildId, page: AuditLogPage, oldest: EntryId): Promise<readonly GuildAuditEntry[]>
  /** Those that stand, in no order; at most 1000. */
  findMany(guild: GuildId, ids: readonly EntryId[]): Promise<readonly GuildAuditEntry[]>
}
