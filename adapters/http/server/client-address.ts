import { addressList, plainAddress } from '../../../application/content-rules/address-list.js'

const hops_max = 32

/** Finds the address of the client: that of the socket, or the one that a trusted proxy names. */
export type ClientAddress = (socketAddress: string | undefined, forwardedFor: string | undefined) => string

/**
 * Believes X-Forwarded-For as far as it was written by the named proxies, addresses or networks (supplement, TRUSTED_PROXIES):
 * the client is the last hop that is not one of them. Without proxies the header counts for nothing. What is not an address
 * ends the search: then the hop before it is the client, as far as anybody knows.
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = addressList(trustedProxies)
  return (socketAddress, forwardedFor) => {
    let client = plainAddress(socketAddress ?? '') ?? 'unknown'
    if (trustedProxies.length === 0 || forwardedFor === undefined) return client
    for (const hop of forwardedFor.split(',').slice(-hops_max).toReversed()) {
      if (!isTrusted(client)) return client
      const address = plainAddress(hop.trim())
      if (address === undefined) return client
      client = address
    }
    return client
  }
}
