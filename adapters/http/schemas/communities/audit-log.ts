import { z } from 'zod'
import { auditActions } from '../../../../domain/audit/audit-actions.ts'
import { queryInteger } from '../query-inputs.ts'
import { accountIdInput, entryIdInput, issue } from '../scalars.ts'
import { nothingBuilt } from '../../../../application/wire-objects/scalars.ts'
import { partialUserSchema } from '../../../../application/wire-objects/identity/user-objects.ts'
import { threadSchema } from '../../../../application/wire-objects/conversations/thread-objects.ts'
import { auditWebhookSchema } from '../../../../application/wire-objects/communities/webhook-objects.ts'
import { auditLogEntrySchema } from '../../../../application/wire-objects/communities/audit-log-objects.ts'

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

export const auditLog = z
  .object({
    audit_log_entries: z.array(auditLogEntrySchema).readonly(),
    users: z.array(partialUserSchema).readonly(),
    webhooks: z.array(auditWebhookSchema).readonly().describe('Those that entries name, if they still exist.'),
    integrations: nothingBuilt,
    application_commands: nothingBuilt,
    auto_moderation_rules: nothingBuilt,
    guild_scheduled_events: nothingBuilt,
    threads: z.array(threadSchema).readonly().optional(),
  })
  .meta({ id: 'AuditLog' })
