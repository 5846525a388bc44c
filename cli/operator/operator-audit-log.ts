import { adminAuditLog } from '../../application/administration/audit/admin-audit-log.ts'
import type { ChainNeeds } from '../../application/administration/audit/chain-entry.ts'
import type { AdminAudit } from '../../application/ports/admin-audit.ts'
import { operatorName } from './operator.ts'

/** The admin audit log for acts of the command line: each entry names the operator on this machine, beside `more`. */
export function operatorAuditLog(needs: ChainNeeds, more: Readonly<Record<string, string>> = {}): AdminAudit {
  const log = adminAuditLog(needs)
  const operator = operatorName()
  return {
    ...log,
    record: (entry, context) => log.record({ ...entry, metadata: { ...entry.metadata, operator, ...more } }, context),
  }
}
