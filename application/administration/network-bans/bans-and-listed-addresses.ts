import { blocks } from '../../../domain/blocklist-entry/lists.js'
import { networkOf, oneClient } from '../../../domain/network/network-of.js'
import { listedAddress } from '../../content-rules/listed-value.js'
import type { BlocklistQueries, BlocklistRecord } from '../../ports/queries/blocklist-queries.js'
import type { NetworkBanQueries, NetworkBanRecord } from '../../ports/queries/network-ban-queries.js'

/**
 * The bans of networks, and the addresses on the blocklist that are blocked, which are banned likewise (reference stores 4.13).
 * An entry stands until it is removed, so that it goes before a ban that ends.
 */
export function bansAndListedAddresses(
  bans: NetworkBanQueries,
  blocklists: Pick<BlocklistQueries, 'changes' | 'newestOf'>,
): NetworkBanQueries {
  return {
    async holding(now, limit) {
      const entries = await blocklists.newestOf(['ip'], limit)
      const listed = entries.filter(({ details }) => blocks(details.severity)).map(banOf)
      const banned = await bans.holding(now, limit - listed.length)
      const byNetwork = new Map([...banned, ...listed].map((ban) => [ban.network, ban]))
      return [...byNetwork.values()]
    },
    // Neither number ever falls, so that the sum is another one whenever either is.
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
