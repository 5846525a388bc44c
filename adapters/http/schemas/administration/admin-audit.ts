import { z } from 'zod'
import { checkedEntries_max } from '../../../../application/administration/audit/verify-entries.ts'
import type { AdminAuditSearch } from '../../../../application/ports/queries/admin-audit-queries.ts'
import { queryInteger } from '../query-inputs.ts'
import { accountIdInput, entryIdInput, snowflakeInput, textInput } from '../scalars.ts'
import { refuseBackwardsRange, timestampInput } from '../timestamps.ts'
import { snowflakeOutput } from '../../../../application/wire-objects/scalars.ts'
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

const revision_max = 2_147_483_647

/** From the first entry on where no cursor is given. */
export const adminAuditCheck = z.object({
  cursor: queryInteger({ min: 0, max: revision_max }, undefined).describe('The `next_cursor` of an answer.'),
  limit: queryInteger({ min: 1, max: checkedEntries_max }, checkedEntries_max),
})

export const adminAuditChecked = z
  .object({
    checked_count: z.int().describe('How many entries hold.'),
    newest_hash: z.string().nullable().describe('The hash of the last entry that holds; null for an empty log.'),
    fault: z
      .object({
        log_id: snowflakeOutput.nullable(),
        position: z.string().nullable().describe('The position of its event.'),
        what: z
          .enum(['changed', 'out of place', 'unreadable'])
          .describe(
            'Whether the entry is not what its hash was taken of, does not follow on the one before it, or can’t be read.',
          ),
      })
      .nullable()
      .describe('The first entry that does not hold.'),
    next_cursor: z
      .int()
      .nullable()
      .describe('Where the next check goes on; null at the end of the log, and after a fault.'),
  })
  .meta({ id: 'AdminAuditChecked' })
