import { lookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isPublicAddress } from '../../application/content-rules/public-address.ts'

/** A network by an address and how many of its bits count. */
export type Network = ReturnType<typeof ipaddr.parseCIDR>

/** Decides whether an address may be asked. Text that is no address may not. */
export type IsAllowed = (address: string) => boolean

/**
 * Addresses of the public internet, also those that another form hides, but none that lead to IPv4 by NAT64 or 6to4; and those of
 * `networks`.
 */
export function allowedAddresses(networks: readonly Network[]): IsAllowed {
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    if (address.range() === 'unicast' && isPublicAddress(text)) return true
    return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
  }
}

/** A network as an operator writes it, such as `10.0.0.0/8`; undefined for anything else. */
export function parseNetwork(text: string): Network | undefined {
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : undefined
}

/** Looks up a host for a connection, and fails if any of its addresses may not be asked. */
export function guardedLookup(isAllowed: IsAllowed): LookupFunction {
  return (host, options, answer) => {
    lookup(host, { ...options, all: true }, (error, addresses: readonly LookupAddress[] | undefined) => {
      const [first] = addresses ?? []
      if (error || !addresses || !first) return answer(error ?? new Error('The host has no address'), '', 0)
      const refused = addresses.find(({ address }) => !isAllowed(address))
      if (refused) return answer(new Error('The host has an address that may not be asked'), '', 0)
      return options.all === true ? answer(null, [...addresses]) : answer(null, first.address, first.family)
    })
  }
}
