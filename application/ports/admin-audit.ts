import type { AdminCredential } from '../../domain/admin-audit/events.ts'
import type { ErrorCode } from '../../domain/kernel/error-codes.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import type { CommandContext } from '../commands/command-context.ts'

/** The target of an admin action: `0` if the target has no id. */
export interface AdminAuditTarget {
  readonly type: string
  readonly id: string
}

/** One entry of the admin audit log. Its time, reason and id come from the context. */
export interface AdminAuditEntry {
  readonly action: string
  readonly adminId: AccountId
  readonly credential: AdminCredential
  readonly target: AdminAuditTarget
  /** Values are always strings, cut to 4000 characters. */
  readonly metadata: Readonly<Record<string, string>>
  /** More metadata: values that are personal to the target account, such as its e-mail address. */
  readonly personalMetadata?: Readonly<Record<string, string>>
}

/** Records admin requests that succeeded. A failed request leaves no entry (rules/administration#audit-log). */
export interface AdminAudit {
  /**
   * Resolves once the entry is durable. Recording the same entry again changes nothing. Refuses with SERVICE_UNAVAILABLE when too
   * many requests record at the same time.
   */
  record(entry: AdminAuditEntry, context: CommandContext): Promise<void>
  /**
   * Marks a request that wrote events but was refused in the end, so that nothing waits for its entry: with which code, if it was not
   * that something could not be read.
   */
  refused(context: CommandContext, code: ErrorCode | undefined): Promise<void>
}
