import { z } from 'zod'
import type { Review } from '../../../../application/administration/discovery/review-application.ts'
import { categoryInput } from '../communities/discovery.ts'
import { queryInteger } from '../query-inputs.ts'
import { guildIdInput, textInput } from '../scalars.ts'
import { snowflakeOutput } from '../../../../application/wire-objects/scalars.ts'

const reasonLength = { min: 1, max: 500 } as const
const movedGuilds_max = 100
const categoryPage_max = 100
const categoryPageDefault = 50
const offset_max = 10_000

/** The decision on an application: a rejection needs a reason. */
export const review = z
  .discriminatedUnion('status', [
    z.object({ status: z.literal('approved'), reason: textInput(reasonLength).optional() }),
    z.object({ status: z.literal('rejected'), reason: textInput(reasonLength) }),
  ])
  .transform((body): Review =>
    body.status === 'approved' ? { status: body.status, reason: body.reason ?? null } : body,
  )
  .meta({ id: 'DiscoveryReview' })

/** The body of Remove discovery listing: a reason is demanded. */
export const removal = z.object({ reason: textInput(reasonLength) })

/** The body of Move discovery listings to a category. */
export const movedListings = z.object({
  guild_ids: z.array(guildIdInput).min(1).max(movedGuilds_max),
  category_type: categoryInput,
})

export const moveResult = z.object({
  updated: z.int().describe('How many were changed.'),
  failed_guild_ids: z.array(snowflakeOutput).readonly(),
})

export const categoryPage = z.object({
  limit: queryInteger({ min: 1, max: categoryPage_max }, categoryPageDefault),
  offset: queryInteger({ min: 0, max: offset_max }, 0),
})
