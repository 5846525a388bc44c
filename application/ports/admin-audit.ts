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
  readonly target: AdminAuditTarget
  /** Values are always strings, 0-4000 characters. */
  readonly metadata: Readonly<Record<string, string>>
}

/** Records admin requests that succeeded. One that failed leaves no entry (contract part 3). */
export interface AdminAudit {
  record(entry: AdminAuditEntry, context: CommandContext): Promise<void>
}
