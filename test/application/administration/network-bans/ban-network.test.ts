import { describe, expect, it } from 'vitest'
import { banForFailures } from '../../../../application/administration/network-bans/ban-for-failures.ts'
import {
  bannableAddress,
  banNetwork,
  liftNetworkBan,
} from '../../../../application/administration/network-bans/ban-network.ts'
import { banRefusal } from '../../../../application/administration/network-bans/ban-refusal.ts'
import { protectedAddresses } from '../../../../application/administration/network-bans/protected-addresses.ts'
import { secondsAfter } from '../../../../domain/kernel/timestamp.ts'
import { codeOf } from '../../support/refusals.ts'
import { world } from '../../support/world.ts'

const wishes = { reason: null, expiresAt: null }

describe('an address', () => {
  it('is one IPv4 or IPv6 address, or the network that is banned with it', () => {
    expect(bannableAddress(' 203.0.113.7 ')).toBe('203.0.113.7')
    expect(bannableAddress('203.0.113.7/32')).toBe('203.0.113.7')
    expect(bannableAddress('::ffff:203.0.113.7')).toBe('203.0.113.7')
    expect(bannableAddress('2001:DB8::1')).toBe('2001:db8::1')
    expect(bannableAddress('2001:db8:0:0::/64')).toBe('2001:db8:0:0::')
    const wrong = ['', 'example.org', '203.0.113', '203.0.113.0/24', '203.0.113.7/64', '2001:db8::/48', '1.2.3.4/32/32']
    for (const text of wrong) expect([text, bannableAddress(text)]).toStrictEqual([text, undefined])
  })

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '100.64.0.1',
    '169.254.1.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    '::',
    'fd00::1',
    'fe80::1',
    'ff02::1',
    '192.0.0.2',
    '198.19.255.255',
    '::10.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::203.0.113.7',
    '2002:c0a8:1::1',
    'fec0::1',
    '198.51.100.4',
    '2001:db8:ffff::1',
    '2001:db8:5::1',
    '2001:db8:5::9',
  ])('is never banned if it is private or a trusted proxy: %s', async (address) => {
    const on = world()
    const isProtected = protectedAddresses(['198.51.100.0/24', '2001:db8:ffff::/48', '2001:db8:5::1', '::1'])
    const ban = banNetwork(on.ports, isProtected)(on.requester().context, { ...wishes, address })
    expect(await codeOf(ban)).toBe('IP_BAN_DECLINED')
    expect(await on.events()).toStrictEqual([])
  })
})

describe('the ban of a network', () => {
  it('covers an IPv4 address exactly, and the /64 of an IPv6 address', async () => {
    const on = world()
    const ban = banNetwork(on.ports, protectedAddresses(['::1', '2001:db8:5::1/128']))
    expect(await ban(on.requester().context, { ...wishes, address: '203.0.113.7' })).toBe('203.0.113.7/32')
    expect(await ban(on.requester().context, { ...wishes, address: '2001:db8::5' })).toBe('2001:db8:0:0::/64')
    expect(await liftNetworkBan(on.ports)(on.requester().context, '2001:db8::6')).toStrictEqual({
      network: '2001:db8:0:0::/64',
      wasBanned: true,
    })
    expect((await on.events()).map(({ stream, type }) => [stream, type])).toStrictEqual([
      ['network_ban-203.0.113.7/32', 'NetworkBanned'],
      ['network_ban-2001:db8:0:0::/64', 'NetworkBanned'],
      ['network_ban-2001:db8:0:0::/64', 'NetworkBanLifted'],
    ])
  })

  it('for failures lasts 24 hours, and is one if several processes count towards it', async () => {
    const on = world()
    const ban = banForFailures(on.ports)
    await Promise.all([ban('203.0.113.7/32'), ban('203.0.113.7/32'), ban('203.0.113.7/32')])
    const events = await on.events()
    expect(events).toHaveLength(1)
    const [{ data, metadata } = { data: {}, metadata: undefined }] = events
    expect(data).toMatchObject({ network: '203.0.113.7/32', cause: 'failures', reason: null })
    const { bannedAt, expiresAt } = data as { readonly bannedAt: typeof on.now; readonly expiresAt: typeof on.now }
    expect(expiresAt).toBe(secondsAfter(bannedAt, 24 * 3600))
    expect(metadata?.actor).toStrictEqual({ kind: 'system', name: 'failed requests' })
  })
})

describe('what a banned client is told', () => {
  const record = { network: '', cause: 'operator', reason: 'a secret', bannedBy: null } as const

  it('contains whether the ban ends, and where to appeal, but not why', () => {
    const on = world()
    const forever = { ...record, bannedAt: on.now, expiresAt: null }
    expect(banRefusal(forever, '203.0.113.7', 'help@example.org')).toStrictEqual({
      code: 'GLOBAL_IP_BANNED',
      fields: [],
      details: {
        ip_address: '203.0.113.7',
        appeal_email: 'help@example.org',
        appeals_supported: true,
        ban_kind: 'permanent',
        expires_at: null,
      },
    })
    expect(banRefusal({ ...forever, expiresAt: on.now }, '2001:db8:0:0:1::1', '')).toStrictEqual({
      code: 'GLOBAL_IP_TEMPORARILY_BANNED',
      fields: [],
      details: {
        ip_address: '2001:db8::1:0:0:1',
        appeal_email: '',
        appeals_supported: false,
        ban_kind: 'temporary_24h',
        expires_at: on.now,
      },
    })
  })
})
