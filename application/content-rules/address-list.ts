import { BlockList, isIP, isIPv4 } from 'node:net'

/** Says of an address, as it is written by `plainAddress`, whether it is on a list. */
export type AddressList = (address: string) => boolean

/** A list of addresses and of networks in CIDR notation. What is no address is on no list. */
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

/** An address without a zone, and an IPv4 address that stands in IPv6 clothes as itself. Undefined for anything else. */
export function plainAddress(text: string): string | undefined {
  const address = text.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(address) === 0 ? undefined : address.toLowerCase()
}
