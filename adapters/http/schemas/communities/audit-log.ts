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
  count: z.int().optional(),
  delete_member_days: z.string().optional(),
  delete_message_seconds: z.int().optional(),
  id: z.string().optional(),
  integration_type: z.int().optional(),
  message_id: z.string().optional(),
  members_removed: z.int().optional(),
  role_name: z.string().optional(),
  type: z.int().optional(),
  inviter_id: z.string().optional(),
  max_age: z.int().optional(),
  max_uses: z.int().optional(),
  temporary: z.boolean().optional(),
  uses: z.int().optional(),
})

export const auditLogEntry = z
  .object({
    id: snowflakeOutput,
    action_type: z.int(),
    user_id: snowflakeOutput.nullable(),
    target_id: z.string().nullable(),
    reason: z.string().optional(),
    options: options.optional(),
    changes: z.array(change).readonly().optional(),
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
