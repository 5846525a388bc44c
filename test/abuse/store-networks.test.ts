import { describe, expect, it } from 'vitest'
import { openServer } from '../operations/support/scene.ts'
import { failuresToBan, hasFailedOften } from './support/failing-networks.ts'

/** Abuse: a store's network under wrong settings (decision 94). */

const guildhall = await openServer({ hosted: true, trustedProxies: ['127.0.0.1'], rateLimits: true })
const [store, offender] = ['203.0.113.20', '203.0.113.21']

const statusOf = async (method: string, path: string, address: string): Promise<number> =>
  (await guildhall.request(method, path, { headers: { 'x-forwarded-for': address } })).status

/** Sends requests that fail. */
async function fail(method: string, path: string, address: string, count = failuresToBan): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => statusOf(method, path, address)))
}

describe('a network of a store whose notifications all fail', () => {
  it('is never banned, where as many failures of another operation ban a network', async () => {
    expect(await statusOf('POST', '/webhooks/store-a', store)).toBe(503)
    await hasFailedOften(guildhall.store.database, `${store}/32`, `${offender}/32`)
    for (const path of ['/webhooks/store-a', '/webhooks/store-b']) await fail('POST', path, store, failuresToBan / 2)
    await fail('GET', '/v1/users/@me', offender)
    await expect.poll(() => statusOf('GET', '/v1/users/@me', offender)).toBe(403)
    const { rows } = await guildhall.store.database.pool.query('select network from network_bans.bans')
    expect(rows).toEqual([{ network: `${offender}/32` }])
    expect(await statusOf('GET', '/v1/users/@me', store)).toBe(401)
  })
})
