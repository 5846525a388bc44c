import { addressList, plainAddress } from '../../../application/content-rules/address-list.ts'

const hops_max = 32

/** Gives the address of the client: the socket's, or the one that a trusted proxy names. */
export type ClientAddress = (socketAddress: string | undefined, forwardedFor: string | undefined) => string

/**
 * Trusts X-Forwarded-For as far as the named proxies, addresses or networks, wrote it: the client is the last hop that
 * is not one of them. Without proxies the header is ignored. A hop that is not an address ends the search: then the
 * proxy that passed it on counts as the client, and `onUnreadable` is called, since all of its clients count as one
 * then.
 */
export function clientAddress(trustedProxies: readonly string[], onUnreadable = (): void => undefined): ClientAddress {
  const isTrusted = addressList(trustedProxies)
  return (socketAddress, forwardedFor) => {
    let client = plainAddress(socketAddress ?? '') ?? 'unknown'
    if (trustedProxies.length === 0 || forwardedFor === undefined) return client
    for (const hop of forwardedFor.split(',').slice(-hops_max).toReversed()) {
      if (!isTrusted(client)) return client
      const address = hopAddress(hop.trim())
      if (address === undefined) {
        onUnreadable()
        return client
      }
      client = address
    }
    return client
  }
}

/**
 * The address in what a proxy writes of a hop: bare, in quotes, in brackets, and with a port, as RFC 7239 (6) has it and load balancers
 * do. Undefined for anything else, such as `unknown`.
 */
function hopAddress(hop: string): string | undefined {
  const [, inBrackets] = /^"?\[([^\]]{1,64})\](?::\d{1,5})?"?$/.exec(hop) ?? []
  if (inBrackets !== undefined) return plainAddress(inBrackets)
  const [, withPort] = /^"?(\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?"?$/.exec(hop) ?? []
  return plainAddress(withPort ?? hop)
}
