import type { GuildAuditEntry } from '../../../domain/audit/audit-entry.ts'
import type { AccountId, EntryId, GuildId } from '../../../domain/ids/ids.ts'

export interface AuditLogPage {
  /** Exclusive; at most one of the two is given. */
  readonly before?: EntryId
  readonly after?: EntryId
  readonly actorId?: AccountId
  readonly actionType?: number
  /** An id, or the code of an invite. */
  readonly targetId?: string
  /**
   * For callers without thread access. Leaves out entries about threads, about channels that hold only threads, and
   * about acts in those, whether or not they still exist.
   */
  readonly withoutThreads?: boolean
  /** Leaves out the parts of entries that go with the erasure of the account that they are about. */
  readonly withoutPersonal?: boolean
  /** 1-1000. */
  readonly limit: number
}

export interface AuditLogQueries {
  /** Newest first. Entries with an id below `oldest` have expired. */
  page(guild: GuildId, page: AuditLogPage, oldest: EntryId): Promise<readonly GuildAuditEntry[]>
  /** The entries that exist, in no order; at most 1000. */
  findMany(guild: GuildId, ids: readonly EntryId[]): Promise<readonly GuildAuditEntry[]>
}
