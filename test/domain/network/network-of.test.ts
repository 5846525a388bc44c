import { describe, expect, it } from 'vitest'
import { networkOf } from '../../../domain/network/network-of.ts'

const client = { v4: 32, v6: 64 } as const
const network = { v4: 24, v6: 48 } as const

describe('the network of an address', () => {
  it('is the address itself, or the /24, for IPv4', () => {
    expect(networkOf('192.0.2.1', client)).toBe('192.0.2.1/32')
    expect(networkOf('192.0.2.1', network)).toBe(networkOf('192.0.2.254', network))
    expect(networkOf('192.0.2.1', network)).not.toBe(networkOf('192.0.3.1', network))
  })

  it('is the /64, or the /48, for IPv6, however the address is written', () => {
    const same = [
      '2001:db8:1:2:3:4:5:6',
      '2001:DB8:1:2::9',
      '2001:0db8:0001:0002:0:0:0:1',
      '2001:db8:1:2::192.0.2.1',
      '2001:db8:1:2::1%eth0',
    ]
    expect(new Set(same.map((address) => networkOf(address, client)))).toStrictEqual(new Set(['2001:db8:1:2::/64']))
    expect(networkOf('2001:db8:1:3::1', network)).toBe('2001:db8:1::/48')
    expect(networkOf('::1', client)).toBe('0:0:0:0::/64')
    expect(networkOf('fe80::1%eth0', client)).toBe('fe80:0:0:0::/64')
    expect(networkOf('2001:db8:0:1:aaaa::1', client)).toBe(networkOf('2001:0DB8::1:bbbb:0:0:2', client))
  })

  it('of an IPv4 address that is written as IPv6 is that of the IPv4 address', () => {
    expect(networkOf('::ffff:192.0.2.1', client)).toBe('192.0.2.1/32')
  })

  it('is the text itself for what is no address', () => {
    expect(networkOf('unknown', client)).toBe('unknown/32')
  })
})
