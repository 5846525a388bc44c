import { z } from 'zod'
import type { PurchaseCursor } from '../../../../application/ports/queries/store-purchase-queries.ts'
import { listedPurchaseSchema } from '../../../../application/wire-objects/administration/listed-purchase-object.ts'
import { storePurchaseId } from '../../../../domain/ids/ids.ts'
import { parseSnowflake } from '../../../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../../../domain/kernel/timestamp.ts'
import { purchaseState, storeProvider } from '../identity/purchases.ts'
import { queryInteger } from '../query-inputs.ts'
import { accountIdInput, issue } from '../scalars.ts'
import { refuseBackwardsRange, timestampInput } from '../timestamps.ts'

const cursor = z
  .string()
  .transform((text, context): PurchaseCursor => {
    const found = /^(?<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(?<id>\d+)$/.exec(text)?.groups
    const id = parseSnowflake(found?.['id'] ?? '')
    if (!found || !id.ok || Number.isNaN(Date.parse(found['at'] ?? ''))) return issue(context, 'INVALID_FORMAT')
    return { seenAt: found['at'] as Timestamp, id: storePurchaseId(id.id) }
  })
  .meta({ description: 'What the page before gave as next_after.' })

/** The query of List purchases. */
export const purchasesQuery = z
  .object({
    user_id: accountIdInput.optional().describe('The account that has them.'),
    provider: storeProvider.optional(),
    state: purchaseState.optional(),
    since: timestampInput.optional().describe('Seen first from this time on.'),
    until: timestampInput.optional().describe('Seen first before this time.'),
    after: cursor.optional(),
    limit: queryInteger({ min: 1, max: 200 }, 50),
  })
  .transform(({ user_id: accountId, limit, ...query }, context) => {
    refuseBackwardsRange(query, context)
    return {
      accountId: accountId ?? null,
      provider: query.provider ?? null,
      state: query.state ?? null,
      since: query.since ?? null,
      until: query.until ?? null,
      after: query.after ?? null,
      limit,
    }
  })

export const purchasesPage = z
  .object({
    purchases: z.array(listedPurchaseSchema).readonly(),
    has_more: z.boolean().describe('Whether there is another page.'),
    next_after: z.string().nullable(),
  })
  .meta({ id: 'PurchasesPage' })
