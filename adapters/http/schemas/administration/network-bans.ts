import { z } from 'zod'
import { bannableAddress } from '../../../../application/administration/network-bans/ban-network.ts'
import type { NetworkBanCursor } from '../../../../application/ports/queries/network-ban-queries.ts'
import { networkBanSchema } from '../../../../application/wire-objects/administration/network-ban-object.ts'
import type { Timestamp } from '../../../../domain/kernel/timestamp.ts'
import { queryInteger } from '../query-inputs.ts'
import { issue, orNull, textInput } from '../scalars.ts'

const hours = { min: 1, max: 87_600 }

/** An address, or the network that is banned with one. */
const address = z
  .string()
  .min(2)
  .max(64)
  .transform((text, context) => bannableAddress(text) ?? issue(context, 'INVALID_FORMAT'))
  .meta({ description: 'An IPv4 or IPv6 address, or the network that a ban of one names, as in 203.0.113.7/32.' })

export const networkBanParams = z.object({ address })

const cursor = z
  .string()
  .transform((text, context): NetworkBanCursor => {
    const found = /^(?<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(?<network>[\da-f.:/]{2,64})$/.exec(text)?.groups
    if (!found || Number.isNaN(Date.parse(found['at'] ?? ''))) return issue(context, 'INVALID_FORMAT')
    return { bannedAt: found['at'] as Timestamp, network: found['network'] ?? '' }
  })
  .meta({ description: 'What the page before gave as next_after.' })

export const networkBansQuery = z
  .object({
    address: address.optional(),
    after: cursor.optional(),
    limit: queryInteger({ min: 1, max: 200 }, 50),
  })
  .transform(({ limit, ...query }) => ({ limit, address: query.address ?? null, after: query.after ?? null }))

export const networkBanBody = z.object({
  hours: orNull(z.int().min(hours.min).max(hours.max)).describe('How long; null until the ban is lifted.'),
  reason: orNull(textInput({ min: 1, max: 1024 })),
})

export const networkBansPage = z
  .object({
    bans: z.array(networkBanSchema).readonly(),
    has_more: z.boolean().describe('Whether there is another page.'),
    next_after: z.string().nullable(),
  })
  .meta({ id: 'NetworkBansPage' })

export const liftedBan = z.object({
  network: z.string(),
  was_banned: z.boolean().describe('False if it had no ban: then nothing has changed.'),
})
