import type { AdminCredential } from '../../domain/admin-audit/events.js'
import type { AccountId } from '../../domain/ids/ids.js'
import type { CommandContext } from '../commands/command-context.js'

/** What an admin action was about (reference identity 8.4): `0` where the target has no id. */
export interface AdminAuditTarget {
  readonly type: string
  readonly id: string
}

/** One entry of the admin audit log. Its time, reason and id follow from the context. */
export interface AdminAuditEntry {
  readonly action: string
  readonly adminId: AccountId
  readonly credential: AdminCredential
  readonly target: AdminAuditTarget
  /** Values are always strings; what is longer than 4000 characters is cut. */
  readonly metadata: Readonly<Record<string, string>>
  /** More of the same that is personal to the account which is the target, such as its e-mail address. */
  readonly personalMetadata?: Readonly<Record<string, string>>
}

/** Records admin requests that succeeded. One that failed leaves no entry (contract part 3). */
export interface AdminAudit {
  /**
   * Resolves once the entry is durable; a second time for the same entry changes nothing. Refuses with SERVICE_UNAVAILABLE
   * where too many others record at the same time.
   */
  record(entry: AdminAuditEntry, context: CommandContext): Promise<void>
  /** Says that a request which has written events was refused after all, so that no entry of it is waited for. */
  refused(context: CommandContext): Promise<void>
}
