import { BlockList, isIP, isIPv4 } from 'node:net'
import { withoutZone } from '../../domain/network/network-of.ts'

/** Whether an address, in the form of `plainAddress`, is on a list. */
export type AddressList = (address: string) => boolean

/** A list of addresses and of networks in CIDR notation. Text that is not an address is on no list. */
export function addressList(networks: readonly string[]): AddressList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

/** The address without its zone; an IPv4-mapped IPv6 address, in any spelling, as IPv4. Undefined for anything else. */
export function plainAddress(text: string): string | undefined {
  const address = withoutZone(text).toLowerCase()
  const version = isIP(address)
  if (version === 0) return undefined
  return version === 6 && address.includes('ffff') ? (mappedAddress(address) ?? address) : address
}

/** The IPv4 address that an IPv6 address maps; undefined for none. */
function mappedAddress(address: string): string | undefined {
  // A URL spells it in one way: ::ffff: and two groups.
  const [, high, low] =
    /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(new URL(`http://[${address}]`).hostname) ?? []
  if (high === undefined || low === undefined) return undefined
  const bytes = [high, low].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff])
  return bytes.join('.')
}
