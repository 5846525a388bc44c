import { blocks } from '../../../domain/blocklist-entry/lists.ts'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import { listedAddress } from '../../content-rules/listed-value.ts'
import type { BlocklistQueries, BlocklistRecord } from '../../ports/queries/blocklist-queries.ts'
import type { HoldingNetworkBans, NetworkBanRecord } from '../../ports/queries/network-ban-queries.ts'

/**
 * The bans of networks, together with the blocked addresses of the blocklist, which are banned too. An entry lasts
 * until it is removed, so it takes precedence over a ban that expires.
 */
export function bansAndListedAddresses(
  bans: HoldingNetworkBans,
  blocklists: Pick<BlocklistQueries, 'changes' | 'newestOf'>,
): HoldingNetworkBans {
  return {
    async holding(now, limit) {
      const entries = await blocklists.newestOf(['ip'], limit)
      const listed = entries.filter(({ details }) => blocks(details.severity)).map(banOf)
      const banned = await bans.holding(now, limit - listed.length)
      const byNetwork = new Map([...banned, ...listed].map((ban) => [ban.network, ban]))
      return [...byNetwork.values()]
    },
    // Neither number ever falls, so the sum changes whenever one of them does.
    changes: async () => (await bans.changes()) + (await blocklists.changes()),
  }
}

function banOf({ value, details, addedBy, addedAt }: BlocklistRecord): NetworkBanRecord {
  return {
    network: networkOf(listedAddress({ value }), oneClient),
    cause: 'operator',
    reason: details.reason,
    bannedBy: addedBy,
    bannedAt: addedAt,
    expiresAt: null,
  }
}
