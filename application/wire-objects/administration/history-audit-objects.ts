import { z } from 'zod'
import { auditActions, type AuditAction } from '../../../domain/audit/audit-actions.ts'
import type { GuildAuditEntry } from '../../../domain/audit/audit-entry.ts'
import { snowflakeMs } from '../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { auditChangeSchema, auditOptionsSchema } from '../communities/audit-log-objects.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'
import { snowflakeOutput, timestampOutput } from '../scalars.ts'

/** The names of all actions in audit logs of guilds. */
export const auditActionNames = Object.keys(auditActions) as readonly AuditAction[]

/** No cache may keep it: what is revealed is personal. */
export const historyAuditEntrySchema = wireObject('HistoryAuditEntry', {
  id: snowflakeOutput,
  action: z.string().describe('The name of what was done, as in MEMBER_BAN_ADD.'),
  actor_id: snowflakeOutput.nullable().describe('The account that did it; null if no account did.'),
  target_id: z.string().nullable().describe('An id, or the code of an invite; null for an action without a target.'),
  reason: z.string().nullable(),
  options: auditOptionsSchema.describe('What else belongs to the entry, by its action.'),
  changes: z.array(auditChangeSchema).readonly().describe('What changed: each key with its values before and after.'),
  at: timestampOutput,
  left_out: z.array(z.string()).readonly().describe('JSON pointers to what is personal, with keys for indexes.'),
})

export type HistoryAuditEntryObject = ObjectOf<typeof historyAuditEntrySchema>

/** An entry of a guild's audit log, for those who read history. */
export function historyAuditEntryObject(
  { id, actionType, userId, targetId, reason, options, changes }: GuildAuditEntry,
  leftOut: readonly string[],
): HistoryAuditEntryObject {
  return objectOf(historyAuditEntrySchema, {
    id,
    action: auditActionNames.find((name) => auditActions[name] === actionType) ?? String(actionType),
    actor_id: userId,
    target_id: targetId,
    reason,
    options,
    changes,
    at: timestamp(snowflakeMs(id)),
    left_out: leftOut,
  })
}
