import { describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../../application/content-rules/public-address.ts'

/** What the special-purpose registries of the IANA list as not globally reachable: the first and the last address of each. */
const special = {
  'this network': ['0.0.0.0', '0.255.255.255'],
  'private use': ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  'shared address space': ['100.64.0.0', '100.127.255.255'],
  'this machine': ['127.0.0.0', '127.255.255.255', '::1'],
  'link-local': ['169.254.0.0', '169.254.255.255', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe80::1%eth0'],
  'protocol assignments': ['192.0.0.0', '192.0.0.255', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  documentation: ['192.0.2.0', '192.0.2.255', '198.51.100.0', '198.51.100.255', '203.0.113.0', '203.0.113.255'],
  'documentation of IPv6': ['2001:db8::', '2001:db8:ffff::1', '3fff::', '3fff:fff:ffff::1'],
  '6to4 relays': ['192.88.99.0', '192.88.99.255'],
  benchmarks: ['198.18.0.0', '198.19.255.255', '2001:2::', '2001:2:0:ffff::1'],
  'multicast and reserved': ['224.0.0.0', '239.255.255.255', '240.0.0.0', '255.255.255.255', 'ff02::1'],
  'the unspecified address': ['::'],
  'local translation': ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', '64:ff9b:1::8.8.8.8'],
  'discarded and dummies': ['100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  'segment identifiers': ['5f00::', '5f00:ffff::1'],
  'unique local': ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'site-local': ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'not given out yet': ['200::1', '4000::1', 'a000::1', 'fe00::1'],
} as const

/** Private IPv4 addresses in each form that an IPv6 address can carry one. */
const carried = {
  mapped: ['::ffff:10.0.0.1', '::ffff:a00:1', '0:0:0:0:0:FFFF:7F00:0001', '::ffff:198.18.0.1'],
  compatible: ['::10.0.0.1', '::7f00:1', '::8.8.8.8'],
  translated: ['::ffff:0:10.0.0.1', '::ffff:0:8.8.8.8'],
  NAT64: ['64:ff9b::10.0.0.1', '64:ff9b::7f00:1', '64:ff9b::', '64:ff9b::ac1f:ffff', '64:ff9b::203.0.113.7'],
  '6to4': ['2002:a00:1::1', '2002:7f00:1::', '2002::1', '2002:c0a8:ffff:ffff::1', '2002:a9fe:a9fe::1'],
} as const

const found = {
  IPv4: ['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.255.255', '172.32.0.0'],
  'more of IPv4': ['192.0.1.0', '192.0.3.0', '192.88.98.255', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
  IPv6: ['2000::1', '2001:200::1', '2001:db7:ffff::1', '2001:db9::1', '2003::1', '2620:4f:8000::1'],
  'carried IPv4': ['::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '64:ff9b::c614:0', '2002:808:808::1', '2002:ac20::1'],
} as const

const rows = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(table).flatMap(([what, addresses]) => addresses.map((address) => [what, address] as const))

describe('a public address', () => {
  it.each([...rows(special), ...rows(carried)])('is none of %s: %s', (_what, address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each(rows(found))('is one of %s: %s', (_what, address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it('is no other text', () => {
    for (const text of ['', 'mail.example.com', '8.8.8', '8.8.8.8/32']) expect(isPublicAddress(text)).toBe(false)
  })
})
