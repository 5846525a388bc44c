import { networkOf, oneClient } from '../../../domain/network/network-of.js'
import { addressList, type AddressList } from '../../content-rules/address-list.js'

/**
 * Networks behind which the instance itself or its operator may be: this machine, private and link-local networks, shared
 * address space, and what is nobody's address.
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
 * Whether an address is never banned (reference stores 4.13): one of a private network, or a trusted proxy, or banned together
 * with one. So a reverse proxy
 * beside the server that somebody forgot to name in TRUSTED_PROXIES does not get everybody banned.
 */
export function protectedAddresses(trustedProxies: readonly string[]): AddressList {
  return addressList([...privateNetworks, ...trustedProxies.map(bannedTogether)])
}

/** The /64 of a single IPv6 address, since it is banned as a whole; every other network as it is. */
function bannedTogether(network: string): string {
  const [address = '', bits = '128'] = network.split('/')
  if (!address.includes(':') || Number(bits) <= oneClient.v6) return network
  const client = networkOf(address, oneClient)
  // Of which IPv4 addresses in IPv6 clothes are a part.
  return client === networkOf('::', oneClient) ? network : client
}
