import { z } from 'zod'
import { auditActions } from '../../../../domain/audit/audit-actions.ts'
import { nothingBuilt } from './guilds.ts'
import { snowflakeOutput } from '../outputs.ts'
import { queryInteger } from '../query-inputs.ts'
import { accountIdInput, entryIdInput, issue } from '../scalars.ts'
import { partialUser } from '../identity/account/users.ts'
import { thread } from '../conversations/thread-outputs.ts'

const entriesPage_max = 100
const entriesPageDefault = 50

const knownActions: readonly string[] = Object.values(auditActions).map(String)
const actionType = z
  .string()
  .meta({ enum: knownActions })
  .transform((text, context): number => {
    const number = text.trim()
    return knownActions.includes(number) ? Number(number) : issue(context, 'INVALID_FORMAT')
  })

/** The query of the audit log read. A limit of 0 counts as 1. */
export const auditLogPage = z
  .object({
    before: entryIdInput.optional(),
    after: entryIdInput.optional(),
    user_id: accountIdInput.optional(),
    action_type: actionType.optional(),
    limit: queryInteger({ min: 0, max: entriesPage_max }, entriesPageDefault),
  })
  .superRefine(({ before, after }, context) => {
    if (before === undefined || after === undefined) return
    const code = 'CANNOT_SPECIFY_BOTH_BEFORE_AND_AFTER'
    context.addIssue({ code: 'custom', path: ['before'], message: code, params: { code } })
  })
  .transform(({ before, after, user_id: actorId, action_type: actionType, limit }) => ({
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(actorId === undefined ? {} : { actorId }),
    ...(actionType === undefined ? {} : { actionType }),
    limit: Math.max(limit, 1),
  }))

const change = z.object({ key: z.string(), old_value: z.unknown().optional(), new_value: z.unknown().optional() })

const options = z.object({
  channel_id: z.string().optional(),
  count: z.int().optional().describe('How many.'),
  delete_member_days: z.string().optional().describe('Days without a sign of life, as text.'),
  delete_message_seconds: z.int().optional().describe('Messages of the last seconds that go with the ban.'),
  id: z.string().optional(),
  integration_type: z.int().optional().describe('What kind of integration was meant.'),
  message_id: z.string().optional(),
  members_removed: z.int().optional().describe('How many members were removed.'),
  role_name: z.string().optional(),
  type: z.int().optional().describe('Of an overwrite: 0 a role, 1 a member.'),
  inviter_id: z.string().optional(),
  max_age: z.int().optional().describe('Seconds until it expires; 0 for never.'),
  max_uses: z.int().optional().describe('After so many uses it ends.'),
  temporary: z
    .boolean()
    .optional()
    .describe('Whether members who join by it are removed once they are offline, unless they have a role.'),
  uses: z.int().optional().describe('How often it was used.'),
})

export const auditLogEntry = z
  .object({
    id: snowflakeOutput,
    action_type: z.int().describe('What was done, by its number in the registry of audit actions.'),
    user_id: snowflakeOutput.nullable(),
    target_id: z.string().nullable(),
    reason: z.string().optional(),
    options: options.optional().describe('What else belongs to the entry, by action_type.'),
    changes: z
      .array(change)
      .readonly()
      .optional()
      .describe('What changed: each key with its values before and after. Absent where nothing is compared.'),
  })
  .meta({ id: 'AuditLogEntry' })

export const auditLog = z
  .object({
    audit_log_entries: z.array(auditLogEntry).readonly(),
    users: z.array(partialUser).readonly(),
    webhooks: nothingBuilt,
    integrations: nothingBuilt,
    application_commands: nothingBuilt,
    auto_moderation_rules: nothingBuilt,
    guild_scheduled_events: nothingBuilt,
    threads: z.array(thread).readonly().optional(),
  })
  .meta({ id: 'AuditLog' })
