import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import type { NetworkBanCursor } from '../../ports/queries/network-ban-queries.ts'
import { networkBanObject, type NetworkBanObject } from '../../wire-objects/administration/network-ban-object.ts'
import { banNetwork, networkNamed, type BanWishes } from './ban-network.ts'

export interface NetworkBansSearch {
  readonly now: Timestamp
  /** Only the ban of this address's network; null for all. */
  readonly address: string | null
  readonly after: NetworkBanCursor | null
  readonly limit: number
}

/** A page of the bans of networks that are in force, the newest first, and what the next page begins after. */
export function listNetworkBans({ queries }: Pick<Ports, 'queries'>) {
  return async ({
    address,
    ...search
  }: NetworkBansSearch): Promise<{
    readonly bans: readonly NetworkBanObject[]
    readonly has_more: boolean
    readonly next_after: string | null
  }> => {
    const network = address === null ? null : networkNamed(address)
    const found = await queries.networkBans.page({ ...search, network, limit: search.limit + 1 })
    const bans = found.slice(0, search.limit)
    const last = found.length > search.limit ? bans.at(-1) : undefined
    return {
      bans: bans.map(networkBanObject),
      has_more: last !== undefined,
      next_after: last ? `${last.bannedAt}_${last.network}` : null,
    }
  }
}

/** Bans the network of an address in the name of an administrator, and gives the ban. Refuses with IP_BAN_DECLINED. */
export function banNetworkAsAdmin({
  aggregates,
  isProtectedAddress,
}: Pick<Ports, 'aggregates' | 'isProtectedAddress'>) {
  const ban = banNetwork({ aggregates }, isProtectedAddress)
  return async ({ context, account }: Caller, wishes: BanWishes): Promise<NetworkBanObject> => {
    const network = await ban(context, wishes)
    const { reason, expiresAt } = wishes
    const made = { network, cause: 'operator', reason, expiresAt, bannedBy: account.id, bannedAt: context.now } as const
    return networkBanObject(made)
  }
}
