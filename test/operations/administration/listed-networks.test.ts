import { describe, expect, it } from 'vitest'
import { banNetwork } from '../../../application/administration/network-bans/ban-network.ts'
import { networkBanQueries } from '../../../projections/network-bans/queries.ts'
import { administrator } from '../../support/administrators.ts'
import { testContext } from '../../support/test-context.ts'
import { bodyOf, expectRefusal } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

/** Addresses on the blocklist are refused like banned networks. */

const office = '192.0.2.50'

const guildhall = await openServer({ trustedProxies: ['127.0.0.1', '198.51.100.0/24', '2001:db8:5::1'], looks_ms: 50 })
const admin = await administrator(guildhall, '*')

const path = (ip?: string): string =>
  `/v1/admin/blocklists/ip/entries${ip === undefined ? '' : `/${encodeURIComponent(ip)}`}`
const ask = (method: string, where: string, body?: object, from = office) =>
  guildhall.request(method, where, {
    token: admin.token,
    headers: { 'x-forwarded-for': from },
    ...(body === undefined ? {} : { body }),
  })
const add = (ip: string, details: object = {}, from?: string) => ask('POST', path(), { ip, ...details }, from)
const isBanned = async (ip: string) => bodyOf(await ask('GET', path(ip)))['banned']

/** The answer to a client at this address, with any credential. */
const knock = (address: string, token?: string) =>
  guildhall.request('GET', '/v1/users/@me', {
    headers: { 'x-forwarded-for': address },
    ...(token === undefined ? {} : { token }),
  })
async function statusSoon(address: string, status: number): Promise<void> {
  const now = async (): Promise<number> => (await knock(address)).status
  await expect.poll(now).toBe(status)
}

async function ban(address: string): Promise<void> {
  const context = testContext()
  const { ports } = guildhall
  await banNetwork(ports, ports.isProtectedAddress)(context, { address, reason: 'spam', expiresAt: null })
  await ports.readModels.reached(context.written)
}

describe('an address on the blocklist', () => {
  it('is banned before its credential is checked, until the entry is removed', async () => {
    expectRefusal(await knock('203.0.113.1'), 401, 'UNAUTHORIZED')
    expect((await add('203.0.113.1', { reason: 'a secret' })).status).toBe(204)
    await statusSoon('203.0.113.1', 403)
    const { status, body } = await knock('203.0.113.1', admin.token)
    expect(status).toBe(403)
    expect(body).toStrictEqual({
      code: 'GLOBAL_IP_BANNED',
      message: expect.any(String),
      ip_address: '203.0.113.1',
      appeal_email: '',
      appeals_supported: false,
      ban_kind: 'permanent',
      expires_at: null,
    })
    expectRefusal(await knock('203.0.113.2'), 401, 'UNAUTHORIZED')
    expect(await isBanned('203.0.113.1')).toBe(true)
    expect((await ask('DELETE', path('203.0.113.1'))).status).toBe(204)
    await statusSoon('203.0.113.1', 401)
    expect(await isBanned('203.0.113.1')).toBe(false)
  })

  it('is the whole /64 of an IPv6 address', async () => {
    expect((await add('2001:db8:0:7::1')).status).toBe(204)
    await statusSoon('2001:db8:0:7:ffff::9', 403)
    expectRefusal(await knock('2001:db8:0:8::1'), 401, 'UNAUTHORIZED')
    expect(await isBanned('2001:db8:0:7::2')).toBe(true)
    expect((await ask('DELETE', path('2001:db8:0:7::/64'))).status).toBe(204)
    await statusSoon('2001:db8:0:7:ffff::9', 401)
  })

  it('is let in if the entry only warns', async () => {
    expect((await add('203.0.113.3', { severity: 1 })).status).toBe(204)
    expect((await add('203.0.113.4')).status).toBe(204)
    await statusSoon('203.0.113.4', 403)
    expectRefusal(await knock('203.0.113.3'), 401, 'UNAUTHORIZED')
    expect((await ask('PATCH', path('203.0.113.3'), { severity: 3 })).status).toBe(204)
    await statusSoon('203.0.113.3', 403)
    expect((await ask('PATCH', path('203.0.113.3'), { severity: 0 })).status).toBe(204)
    await statusSoon('203.0.113.3', 401)
  })

  it('does not appear as a ban of the operator, whose list stays as it was', async () => {
    expect((await add('203.0.113.5')).status).toBe(204)
    await statusSoon('203.0.113.5', 403)
    const bans = await networkBanQueries(guildhall.store.database).holding(testContext().now, 100)
    expect(bans).toStrictEqual([])
  })
})

describe('a network that is banned without being listed', () => {
  it('is shown as banned, and let in when its address is taken off', async () => {
    for (const [banned, asked] of [
      ['203.0.113.6', '203.0.113.6'],
      ['2001:db8:0:9::1', '2001:db8:0:9::2'],
    ] as const) {
      expect(await isBanned(asked)).toBe(false)
      await ban(banned)
      await statusSoon(banned, 403)
      expect(await isBanned(asked)).toBe(true)
      expect((await ask('DELETE', path(asked))).status).toBe(204)
      await statusSoon(banned, 401)
      expect(await isBanned(asked)).toBe(false)
    }
  })
})

describe('an address that is never banned', () => {
  it.each(['127.0.0.1', '10.1.2.3', '198.51.100.4', '2001:db8:5::1', office, '::1'])('is declined: %s', async (ip) => {
    const answer = await add(ip)
    expectRefusal(answer, 400, 'IP_BAN_DECLINED')
    expect(answer.body).toMatchObject({ message: 'This address is never banned.' })
    expect(await isBanned(ip)).toBe(false)
  })

  it('is the acting Admin’s /64, also if it is listed already and would only now be blocked', async () => {
    const home = '2001:db8:1:1::1'
    expectRefusal(await add('2001:db8:1:1:9::9', {}, home), 400, 'IP_BAN_DECLINED')
    expect((await add(home, { severity: 1 })).status).toBe(204)
    expectRefusal(await ask('PATCH', path(home), { severity: 2 }, home), 400, 'IP_BAN_DECLINED')
    expect((await ask('PATCH', path(home), { severity: 1, notes: 'ours' }, home)).status).toBe(204)
    expect(await isBanned(home)).toBe(false)
  })
})
