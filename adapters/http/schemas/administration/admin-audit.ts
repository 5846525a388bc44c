import { z } from 'zod'
import type { AdminAuditSearch } from '../../../../application/ports/queries/admin-audit-queries.ts'
import { queryInteger } from '../query-inputs.ts'
import { accountIdInput, entryIdInput, snowflakeInput, textInput } from '../scalars.ts'
import { refuseBackwardsRange, timestampInput } from '../timestamps.ts'
import { adminAuditEntrySchema } from '../../../../application/wire-objects/administration/admin-audit-objects.ts'

const page = { min: 1, max: 200, default: 50 }
/** No log has more entries. */
const offset_max = Number.MAX_SAFE_INTEGER

/** The order has an effect only with q. */
export const adminAuditSearch = z
  .object({
    q: textInput({ min: 1, max: 1024 }).optional(),
    admin_user_id: accountIdInput.optional(),
    target_type: textInput({ min: 1, max: 64 }).optional(),
    target_id: snowflakeInput.optional(),
    action: textInput({ min: 1, max: 64 }).optional(),
    access: z.enum(['read', 'write']).optional(),
    since: timestampInput.optional(),
    until: timestampInput.optional(),
    before: entryIdInput.optional(),
    sort_by: z.enum(['createdAt', 'relevance']).default('createdAt'),
    sort_order: z.enum(['asc', 'desc']).default('desc'),
    limit: queryInteger(page, page.default),
    offset: queryInteger({ min: 0, max: offset_max }, 0),
  })
  .superRefine(refuseBackwardsRange)
  .transform((query): AdminAuditSearch => ({
    text: query.q ?? null,
    adminId: query.admin_user_id ?? null,
    targetType: query.target_type ?? null,
    targetId: query.target_id ?? null,
    action: query.action ?? null,
    access: query.access ?? null,
    since: query.since ?? null,
    until: query.until ?? null,
    before: query.before ?? null,
    order:
      query.q === undefined
        ? { by: 'created_at', direction: 'desc' }
        : { by: query.sort_by === 'relevance' ? 'relevance' : 'created_at', direction: query.sort_order },
    limit: query.limit,
    offset: query.offset,
  }))

export const adminAuditPage = z
  .object({
    logs: z.array(adminAuditEntrySchema).readonly(),
    total: z.int().describe('How many there are on all pages.'),
  })
  .meta({ id: 'AdminAuditPage' })
