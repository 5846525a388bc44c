import { z } from 'zod'
import type { GuildAuditEntry } from '../../../domain/audit/audit-entry.ts'
import { withoutThreadBits } from '../../../domain/audit/without-threads.ts'
import type { Viewer } from './guild-objects.ts'
import { snowflakeOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

export const auditChangeSchema = z.object({
  key: z.string(),
  old_value: z.unknown().optional(),
  new_value: z.unknown().optional(),
})

export const auditOptionsSchema = z.object({
  channel_id: z.string().optional(),
  count: z.int().optional().describe('How many.'),
  delete_member_days: z.string().optional().describe('Days without a sign of life, as text.'),
  delete_message_seconds: z.int().optional().describe('Messages of the last seconds that go with the ban.'),
  id: z.string().optional(),
  integration_type: z.int().optional().describe('What kind of integration was meant.'),
  message_id: z.string().optional(),
  members_removed: z.int().optional().describe('How many members were removed.'),
  role_name: z.string().optional(),
  type: z.int().optional().describe('Of an overwrite: 0 a role, 1 a member. Of a webhook: 1 incoming, 2 a follower.'),
  inviter_id: z.string().optional(),
  max_age: z.int().optional().describe('Seconds until it expires; 0 for never.'),
  max_uses: z.int().optional().describe('After so many uses it ends.'),
  temporary: z
    .boolean()
    .optional()
    .describe('Whether members who join by it are removed once they are offline, unless they have a role.'),
  uses: z.int().optional().describe('How often it was used.'),
})

export const auditLogEntrySchema = wireObject('AuditLogEntry', {
  id: snowflakeOutput,
  action_type: z.int().describe('What was done, by its number in the registry of audit actions.'),
  user_id: snowflakeOutput.nullable(),
  target_id: z.string().nullable(),
  reason: z.string().optional(),
  options: auditOptionsSchema.optional().describe('What else belongs to the entry, by action_type.'),
  changes: z
    .array(auditChangeSchema)
    .readonly()
    .optional()
    .describe('What changed: each key with its values before and after. Absent where nothing is compared.'),
})

export type AuditLogEntryObject = ObjectOf<typeof auditLogEntrySchema>

/** The network address of a ban: recorded, never shown. */
const hiddenChange = 'ip'

/** Masks show thread bits only to viewers with thread access. */
export function auditLogEntryObject(entry: GuildAuditEntry, { threadAccess }: Viewer): AuditLogEntryObject {
  const shown = entry.changes.filter(({ key }) => key !== hiddenChange)
  const changes = threadAccess ? shown : withoutThreadBits(shown)
  return objectOf(auditLogEntrySchema, {
    id: entry.id,
    action_type: entry.actionType,
    user_id: entry.userId,
    target_id: entry.targetId,
    ...(entry.reason === null ? {} : { reason: entry.reason }),
    ...(Object.keys(entry.options).length === 0 ? {} : { options: entry.options }),
    ...(changes.length === 0 ? {} : { changes }),
  })
}
