import { describe, expect, it } from 'vitest'
import { administrator } from '../../support/administrators.ts'
import { bodyOf, expectRefusal } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer({})
const admin = await administrator(guildhall, 'admin:authenticate', 'ban:ip:add', 'ban:ip:check', 'ban:ip:remove')
const stranger = await administrator(guildhall, 'admin:authenticate', 'ban:ip:check')
const bans = '/v1/admin/network-bans'

const ban = (address: string, body: object = {}, { token } = admin) =>
  guildhall.request('PUT', `${bans}/${encodeURIComponent(address)}`, { token, body })
const lift = (address: string, { token } = admin) =>
  guildhall.request('DELETE', `${bans}/${encodeURIComponent(address)}`, { token })
const list = async (query = '') => bodyOf(await guildhall.request('GET', `${bans}${query}`, { token: admin.token }))
const networksIn = ({ bans: found }: Readonly<Record<string, unknown>>) =>
  (found as readonly { readonly network: string }[]).map(({ network }) => network)

describe('Ban network', () => {
  it('bans an address in the name of the caller, for good or for hours', async () => {
    expect(bodyOf(await ban('203.0.113.20', { reason: 'spam' }))).toMatchObject({
      network: '203.0.113.20/32',
      cause: 'operator',
      reason: 'spam',
      banned_by_user_id: admin.id,
      expires_at: null,
    })
    const { banned_at: from, expires_at: until } = bodyOf(await ban('203.0.113.20', { hours: 2 }))
    expect(Date.parse(String(until)) - Date.parse(String(from))).toBe(7_200_000)
    expect(await list('?address=203.0.113.20')).toMatchObject({ bans: [{ reason: null, expires_at: until }] })
  })

  it('bans the whole /64 of an IPv6 address', async () => {
    expect(bodyOf(await ban('2001:db8:7::1'))['network']).toBe('2001:db8:7:0::/64')
    expect(networksIn(await list(`?address=${encodeURIComponent('2001:db8:7::9')}`))).toEqual(['2001:db8:7:0::/64'])
  })

  it('is refused for a protected address, a network of another size, and without the right', async () => {
    expectRefusal(await ban('10.1.2.3'), 400, 'IP_BAN_DECLINED')
    expectRefusal(await ban('203.0.113.0/24'), 400, 'INVALID_FORM_BODY')
    expectRefusal(await ban('203.0.113.21', { hours: 0 }), 400, 'INVALID_FORM_BODY')
    expectRefusal(await ban('203.0.113.21', {}, stranger), 403, 'MISSING_ACL')
    expect(networksIn(await list('?address=203.0.113.21'))).toEqual([])
  })

  it('changes nothing in a dry run', async () => {
    const path = `${bans}/203.0.113.22?dry_run=true`
    expect(bodyOf(await guildhall.request('PUT', path, { token: admin.token, body: {} }))).toMatchObject({
      events: [{ type: 'NetworkBanned' }, { type: 'AdminActionRecorded' }],
      audit_entries: [{ action: 'ban_ip', target_id: '203.0.113.22/32' }],
    })
    expect(networksIn(await list('?address=203.0.113.22'))).toEqual([])
  })
})

describe('Lift network ban', () => {
  it('lifts the ban by the network that the list shows, and says whether there was one', async () => {
    await ban('203.0.113.30')
    expect(bodyOf(await lift('203.0.113.30/32'))).toEqual({ network: '203.0.113.30/32', was_banned: true })
    expect(bodyOf(await lift('203.0.113.30'))).toEqual({ network: '203.0.113.30/32', was_banned: false })
    expectRefusal(await lift('203.0.113.20', stranger), 403, 'MISSING_ACL')
  })
})

describe('List network bans', () => {
  it('gives them in pages, the newest first', async () => {
    for (const last of [41, 42, 43]) await ban(`203.0.113.${last}`)
    const first = await list('?limit=2')
    expect(first).toMatchObject({ has_more: true })
    const second = await list(`?limit=2&after=${encodeURIComponent(String(first['next_after']))}`)
    expect([...networksIn(first), ...networksIn(second)].slice(0, 3)).toEqual([
      '203.0.113.43/32',
      '203.0.113.42/32',
      '203.0.113.41/32',
    ])
  })
})
