/** How many leading bits of an address name its network, for each kind of address. A multiple of 8 for IPv4, of 16 for IPv6. */
export interface NetworkBits {
  readonly v4: 24 | 32
  readonly v6: 48 | 64
}

/** One client: an IPv4 address exactly, an IPv6 address by its /64. */
export const oneClient: NetworkBits = { v4: 32, v6: 64 }

/**
 * The network of an address, as text: the same for every address in it, in any spelling. An IPv4-mapped IPv6 address counts as
 * IPv4. Text that is not an address is a network of its own.
 */
export function networkOf(address: string, { v4, v6 }: NetworkBits): string {
  const plain = withoutZone(address).toLowerCase()
  const mapped = /^::ffff:([0-9.]+)$/.exec(plain)?.[1]
  if (mapped !== undefined) return firstBytes(mapped, v4)
  if (!plain.includes(':')) return firstBytes(plain, v4)
  const first = groupsOf(plain).slice(0, v6 / 16)
  return `${first.join(':')}::/${v6}`
}

/** An IPv6 address may name the interface that it is reached by. */
export function withoutZone(address: string): string {
  return address.split('%', 1).join('')
}

function firstBytes(address: string, bits: number): string {
  const first = address.split('.').slice(0, bits / 8)
  return `${first.join('.')}/${bits}`
}

/** The eight groups of an IPv6 address, without leading zeros. A dotted tail counts as two groups. */
function groupsOf(address: string): readonly string[] {
  const last = address.lastIndexOf(':') + 1
  const inGroups = address.includes('.', last) ? `${address.slice(0, last)}0:0` : address
  const [head = '', tail] = inGroups.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const between = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...between, ...after].map((group) => group.replace(/^0+(?=.)/, ''))
}
