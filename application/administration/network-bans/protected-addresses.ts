import { networkOf, oneClient } from '../../../domain/network/network-of.js'
import { addressList, type AddressList } from '../../content-rules/address-list.js'

/**
 * Networks that the instance itself or its operator may use: this machine, private and link-local networks, shared address space,
 * and the unspecified address.
 */
const privateNetworks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
]

/**
 * The addresses that are never banned (reference stores 4.13): private networks, trusted proxies, and addresses banned together
 * with one. So a local reverse proxy that is missing from TRUSTED_PROXIES does not get everybody banned.
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
