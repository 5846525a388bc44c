/** This machine, private and link-local networks, shared address space, multicast, reserved addresses. */
const privateIPv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Of documentation, and of the former relays of 6to4. */
const unusedIPv4 = ['192.0.2.0/24', '192.88.99.0/24', '198.51.100.0/24', '203.0.113.0/24']

/**
 * Networks that the instance itself or its operator may use: those that the special-purpose registries of the IANA list as not
 * globally reachable, apart from networks of documentation and of protocols, where no machine is.
 */
export const privateNetworks = [
  ...privateIPv4,
  ...privateIPv4.flatMap(carriersOf),
  // This machine, the unspecified address, and former forms of IPv4 addresses.
  '::/96',
  '::ffff:0:0:0/96',
  // NAT64 of local use.
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  // Formerly site-local.
  'fec0::/10',
  'ff00::/8',
]

/** Networks in which nothing can be that others on the Internet reach. Some are in none of `globalNetworks`. */
export const specialNetworks = [
  ...privateNetworks,
  ...unusedIPv4,
  ...unusedIPv4.flatMap(carriersOf),
  // Protocols, Teredo and benchmarks. The few addresses in it that are globally reachable lead to the nearest relay.
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
]

/** All that is given out on the Internet, with the IPv4 addresses that NAT64 reaches. */
export const globalNetworks = ['0.0.0.0/0', '2000::/3', '64:ff9b::/96']

/** The IPv6 networks that lead to an IPv4 network: by NAT64 and by 6to4. IPv4-mapped addresses count as IPv4 anyway. */
function carriersOf(network: string): readonly string[] {
  const [address = '', bits] = network.split('/')
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const groups = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  return [`64:ff9b::${groups}/${96 + Number(bits)}`, `2002:${groups}::/${16 + Number(bits)}`]
}
