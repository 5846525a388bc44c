import { BlockList, isIP, isIPv4 } from 'node:net'

const hops_max = 32

/** Finds the address of the client: that of the socket, or the one that a trusted proxy names. */
export type ClientAddress = (socketAddress: string | undefined, forwardedFor: string | undefined) => string

/**
 * Believes X-Forwarded-For as far as it was written by the named proxies, addresses or networks (supplement, TRUSTED_PROXIES):
 * the client is the last hop that is not one of them. Without proxies the header counts for nothing. What is not an address
 * ends the search: then the hop before it is the client, as far as anybody knows.
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = proxyList(trustedProxies)
  return (socketAddress, forwardedFor) => {
    let client = plain(socketAddress ?? '') ?? 'unknown'
    if (trustedProxies.length === 0 || forwardedFor === undefined) return client
    for (const hop of forwardedFor.split(',').slice(-hops_max).toReversed()) {
      if (!isTrusted(trusted, client)) return client
      const address = plain(hop.trim())
      if (address === undefined) return client
      client = address
    }
    return client
  }
}

function proxyList(proxies: readonly string[]): BlockList {
  const list = new BlockList()
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

function isTrusted(trusted: BlockList, address: string): boolean {
  return isIP(address) !== 0 && trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

/** An address without a zone, and an IPv4 address that stands in IPv6 clothes as itself. Undefined for anything else. */
function plain(text: string): string | undefined {
  const address = text.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(address) === 0 ? undefined : address.toLowerCase()
}
