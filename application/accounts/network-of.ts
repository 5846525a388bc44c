import { isIPv6 } from 'node:net'

/** The first bits of an address that name a network, for each kind of address. A multiple of 8, and of 16. */
export interface NetworkBits {
  readonly v4: 24 | 32
  readonly v6: 48 | 64
}

/** The network that an address is in, as text: the same for every address of it. What is no address is a network of its own. */
export function networkOf(address: string, { v4, v6 }: NetworkBits): string {
  if (!isIPv6(address))
    return `${address
      .split('.')
      .slice(0, v4 / 8)
      .join('.')}/${v4}`
  return `${groupsOf(address)
    .slice(0, v6 / 16)
    .join(':')}::/${v6}`
}

/** The eight groups of an IPv6 address, however it is written. */
function groupsOf(address: string): readonly string[] {
  const canonical = new URL(`http://[${address.replace(/%.*$/, '')}]/`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after]
}
