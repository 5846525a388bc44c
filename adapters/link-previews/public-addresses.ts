import { lookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { addressList, plainAddress } from '../../application/content-rules/address-list.ts'
import { isPublicAddress } from '../../application/content-rules/public-address.ts'

/** Decides whether an address may be asked. Text that is no address may not. */
export type IsAllowed = (address: string) => boolean

/** NAT64 and 6to4: where they lead is decided elsewhere. */
const isCarrier = addressList(['64:ff9b::/96', '2002::/16'])

/** Public addresses, and those of `networks` in CIDR notation. */
export function allowedAddresses(networks: readonly string[]): IsAllowed {
  const isNamed = addressList(networks)
  return (text) => {
    const address = plainAddress(text) ?? ''
    return (isPublicAddress(address) && !isCarrier(address)) || isNamed(address)
  }
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
