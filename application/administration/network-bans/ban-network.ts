import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { plainAddress, type AddressList } from '../../content-rules/address-list.ts'

export interface BanWishes {
  /** As parsed by `bannableAddress`. */
  readonly address: string
  readonly reason: string | null
  /** Null for a permanent ban. */
  readonly expiresAt: Timestamp | null
}

type Needs = Pick<Ports, 'aggregates'>

/**
 * Parses an address from outside: one IPv4 or IPv6 address, or the network that is banned with it, in the form that
 * `ip-bans` prints. Undefined for everything else. A ban covers one client: an IPv4 address or an IPv6 /64.
 */
export function bannableAddress(text: string): string | undefined {
  const [address = '', bits, ...more] = text.trim().split('/')
  const plain = plainAddress(address)
  if (plain === undefined || more.length > 0) return undefined
  return bits === undefined || bits === (plain.includes(':') ? '64' : '32') ? plain : undefined
}

/** The network that is banned with an address. */
export const networkNamed = (address: string): string => networkOf(address, oneClient)

/**
 * Bans the network of an address; this replaces any ban it has. Gives the network. Refuses with IP_BAN_DECLINED for a protected
 * address. The ban takes effect within `copyAge_ms_max` of ../../caches/refreshed-copy.ts after the read models hold it.
 */
export function banNetwork({ aggregates }: Needs, isProtected: AddressList) {
  return async (context: CommandContext, { address, reason, expiresAt }: BanWishes): Promise<string> => {
    if (isProtected(address)) reject('IP_BAN_DECLINED')
    const network = networkNamed(address)
    const { now } = context
    await aggregates.networkBan.execute(
      network,
      { type: 'BanNetwork', network, cause: 'operator', reason, expiresAt, now },
      context,
    )
    return network
  }
}

/** Lifts the ban of an address's network; changes nothing if there is none. Gives the network, and whether it had a ban. */
export function liftNetworkBan({ aggregates }: Needs) {
  return async (
    context: CommandContext,
    address: string,
  ): Promise<{ readonly network: string; readonly wasBanned: boolean }> => {
    const network = networkNamed(address)
    const { changed } = await aggregates.networkBan.execute(
      network,
      { type: 'LiftNetworkBan', now: context.now },
      context,
    )
    return { network, wasBanned: changed }
  }
}
