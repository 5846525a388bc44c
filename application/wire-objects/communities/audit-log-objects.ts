import type { AuditChange, GuildAuditEntry } from '../../../domain/audit/audit-entry.ts'
import { withoutThreadBits } from '../../../domain/audit/without-threads.ts'
import type { Viewer } from './guild-objects.ts'

/** The network address of a ban: recorded, never shown. */
const hiddenChange = 'ip'

/** The audit log entry object. Reason, options and changes are left out if they are empty. */
export interface AuditLogEntryObject {
  readonly id: string
  readonly action_type: number
  readonly user_id: string | null
  readonly target_id: string | null
  readonly reason?: string
  readonly options?: GuildAuditEntry['options']
  readonly changes?: readonly AuditChange[]
}

/** Masks show thread bits only to viewers with thread access. */
export function auditLogEntryObject(entry: GuildAuditEntry, { threadAccess }: Viewer): AuditLogEntryObject {
  const shown = entry.changes.filter(({ key }) => key !== hiddenChange)
  const changes = threadAccess ? shown : withoutThreadBits(shown)
  return {
    id: entry.id,
    action_type: entry.actionType,
    user_id: entry.userId,
    target_id: entry.targetId,
    ...(entry.reason === null ? {} : { reason: entry.reason }),
    ...(Object.keys(entry.options).length === 0 ? {} : { options: entry.options }),
    ...(changes.length === 0 ? {} : { changes }),
  }
}
