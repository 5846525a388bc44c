import { z } from 'zod'
import type { QueuePosition } from '../../../../application/ports/queries/review-queries.ts'
import { guildId } from '../../../../domain/ids/ids.ts'
import { parseSnowflake } from '../../../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../../../domain/kernel/timestamp.ts'
import { queryInteger } from '../query-inputs.ts'
import { issue } from '../scalars.ts'
import { queuedApplicationSchema } from '../../../../application/wire-objects/administration/review-queue-objects.ts'

const page = { min: 1, max: 100, default: 50 } as const

/** `<applied_at>_<guild_id>`, which clients take as it is. */
const cursorInput = z
  .string()
  .meta({ description: 'What the page before gave as next_cursor.' })
  .transform((text, context): QueuePosition => {
    const [, at = '', id = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(\d{1,19})$/.exec(text) ?? []
    const parsed = parseSnowflake(id)
    if (!parsed.ok || Number.isNaN(Date.parse(at))) return issue(context, 'INVALID_FORMAT')
    return { appliedAt: at as Timestamp, guildId: guildId(parsed.id) }
  })

export function cursorOf({ appliedAt, guildId: id }: QueuePosition): string {
  return `${appliedAt}_${id}`
}

export const queueQuery = z.object({ limit: queryInteger(page, page.default), cursor: cursorInput.optional() })

export const reviewQueue = z
  .object({ applications: z.array(queuedApplicationSchema).readonly(), next_cursor: z.string().nullable() })
  .meta({ id: 'DiscoveryReviewQueue' })
