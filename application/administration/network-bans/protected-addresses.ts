import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import { privateNetworks } from '../../../domain/network/private-networks.ts'
import { addressList, type AddressList } from '../../content-rules/address-list.ts'

/**
 * The addresses that are never banned: private networks, trusted proxies, and addresses banned together with one. So a
 * local reverse proxy that is missing from TRUSTED_PROXIES does not get everybody banned.
 */
export function protectedAddresses(trustedProxies: readonly string[]): AddressList {
  return addressList([...privateNetworks, ...trustedProxies.map(bannedTogether)])
}

/** The /64 of a single IPv6 address, which is banned as a whole; any other network as it is. */
function bannedTogether(network: string): string {
  const [address = '', bits = '128'] = network.split('/')
  if (!address.includes(':') || Number(bits) <= oneClient.v6) return network
  const client = networkOf(address, oneClient)
  // IPv4-mapped IPv6 addresses are in this /64.
  return client === networkOf('::', oneClient) ? network : client
}
