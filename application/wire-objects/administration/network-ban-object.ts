import { z } from 'zod'
import type { NetworkBanRecord } from '../../ports/queries/network-ban-queries.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'
import { snowflakeOutput, timestampOutput } from '../scalars.ts'

export const networkBanSchema = wireObject('NetworkBan', {
  network: z.string().describe('An IPv4 address as /32, or the /64 of an IPv6 address.'),
  cause: z
    .enum(['operator', 'failures'])
    .describe('Whether somebody banned it, or the server did after failed requests.'),
  reason: z.string().nullable(),
  banned_by_user_id: snowflakeOutput.nullable().describe('Null if the command line or the server banned it.'),
  banned_at: timestampOutput,
  expires_at: timestampOutput.nullable().describe('Null for a ban that does not end by itself.'),
})

export type NetworkBanObject = ObjectOf<typeof networkBanSchema>

/** The ban of a network as administrators see it. */
export function networkBanObject(ban: NetworkBanRecord): NetworkBanObject {
  return objectOf(networkBanSchema, {
    network: ban.network,
    cause: ban.cause,
    reason: ban.reason,
    banned_by_user_id: ban.bannedBy,
    banned_at: ban.bannedAt,
    expires_at: ban.expiresAt,
  })
}
