import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import { networkOf, oneClient } from '../../../domain/network/network-of.js'
import type { CommandContext } from '../../commands/command-context.js'
import { reject } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'
import { plainAddress, type AddressList } from '../../content-rules/address-list.js'

export interface BanWishes {
  /** As `bannableAddress` reads it. */
  readonly address: string
  readonly reason: string | null
  /** Null for a ban that stands until it is lifted. */
  readonly expiresAt: Timestamp | null
}

type Needs = Pick<Ports, 'aggregates'>

/**
 * Reads an address from outside: one IPv4 or IPv6 address, or the network that is banned with it, as `ip-bans` prints it.
 * Undefined for everything else: a ban is of one client, an IPv4 address or an IPv6 /64 (reference stores 4.13).
 */
export function bannableAddress(text: string): string | undefined {
  const [address = '', bits, ...more] = text.trim().split('/')
  const plain = plainAddress(address)
  if (plain === undefined || more.length > 0) return undefined
  return bits === undefined || bits === (plain.includes(':') ? '64' : '32') ? plain : undefined
}

/**
 * Bans the network that an address is in, in place of any ban that it has. Gives the network. Refuses with IP_BAN_DECLINED
 * where the address is protected. It counts within `copyAge_ms_max` of ../copies/refreshed-copy.ts once the read models hold it.
 */
export function banNetwork({ aggregates }: Needs, isProtected: AddressList) {
  return async (context: CommandContext, { address, reason, expiresAt }: BanWishes): Promise<string> => {
    if (isProtected(address)) reject('IP_BAN_DECLINED')
    const network = networkOf(address, oneClient)
    const { now } = context
    await aggregates.networkBan.execute(
      network,
      { type: 'BanNetwork', network, cause: 'operator', reason, expiresAt, now },
      context,
    )
    return network
  }
}

/** Lifts the ban of the network that an address is in; where there is none, nothing changes. Gives the network. */
export function liftNetworkBan({ aggregates }: Needs) {
  return async (context: CommandContext, address: string): Promise<string> => {
    const network = networkOf(address, oneClient)
    await aggregates.networkBan.execute(network, { type: 'LiftNetworkBan', now: context.now }, context)
    return network
  }
}
