import { addressList, type AddressList } from '../network/address-list.js'

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
 * Whether an address is never banned (reference stores 4.13): one of a private network, or a trusted proxy. So a reverse proxy
 * beside the server that somebody forgot to name in TRUSTED_PROXIES does not get everybody banned.
 */
export function protectedAddresses(trustedProxies: readonly string[]): AddressList {
  return addressList([...privateNetworks, ...trustedProxies])
}
