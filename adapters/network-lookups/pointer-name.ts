import { isIPv4 } from 'node:net'
import { plainAddress } from '../../application/content-rules/address-list.ts'

/** The name under which DNS knows the host of an address (RFC 1035, 3.5; RFC 3596, 2.5). Undefined for text that is no address. */
export function pointerName(text: string): string | undefined {
  const address = plainAddress(text)
  if (address === undefined) return undefined
  if (isIPv4(address)) return `${address.split('.').toReversed().join('.')}.in-addr.arpa`
  const digits = groupsOf(address)
    .map((group) => group.padStart(4, '0'))
    .join('')
  return `${digits.split('').toReversed().join('.')}.ip6.arpa`
}

/** The eight groups of an IPv6 address in hexadecimal. URLs spell an address in one way, without a dotted tail. */
function groupsOf(address: string): readonly string[] {
  const spelt = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [before = [], after = []] = spelt.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const between = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...between, ...after]
}
