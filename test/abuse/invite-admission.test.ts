import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startTestGuildhall, type TestAccount, type TestAnswer } from '../support/test-guildhall.ts'
import { accept, bodyOf, expectRefusal, invite, listOf } from '../operations/support/answers.ts'
import { customCodesOn, newCode, setFeatures } from '../operations/support/custom-codes.ts'
import { placeOf, type Place } from '../operations/support/members.ts'
import { openServer } from '../operations/support/scene.ts'

const guildhall = await openServer('proxied')
const ada = await guildhall.register()

const { choose, show } = customCodesOn(() => guildhall)
const from = (ip: string) => ({ 'x-forwarded-for': ip })
const acceptFrom = ({ token }: TestAccount, code: string, ip: string) =>
  guildhall.request('POST', `/v1/invites/${code}`, { token, headers: from(ip) })

/** Signs in from an address, bans the account, and returns it. */
async function bannedAt(place: Place, ip: string): Promise<TestAccount> {
  const account = await place.member()
  const { email, password } = account
  await guildhall.request('POST', '/v1/auth/login', { body: { email, password }, headers: from(ip) })
  expect((await place.send(ada, 'PUT', `/bans/${account.id}`, {})).status).toBe(204)
  return account
}

describe('invites for accounts that are kept out', () => {
  it('admit nobody who is banned, by account or network, and use up nothing: random codes', async () => {
    const place = await placeOf(guildhall, ada)
    const account = await bannedAt(place, '203.0.113.50')
    const neighbour = await guildhall.register()
    const code = await invite(guildhall, ada, place.channel, { max_uses: 1 })
    expectRefusal(await acceptFrom(account, code, '203.0.113.99'), 403, 'USER_BANNED_FROM_GUILD')
    expectRefusal(await acceptFrom(neighbour, code, '203.0.113.50'), 403, 'USER_IP_BANNED_FROM_GUILD')
    const [listed] = listOf(await place.send(ada, 'GET', '/invites'))
    expect(listed).toMatchObject({ code, uses: 0 })
    expect((await acceptFrom(neighbour, code, '203.0.113.99')).status).toBe(200)
  })

  it('custom codes do so too', async () => {
    const place = await placeOf(guildhall, ada)
    await setFeatures(guildhall, place.id, 'VANITY_URL')
    const account = await bannedAt(place, '203.0.113.60')
    const code = newCode()
    await choose(ada, place.id, code)
    expectRefusal(await acceptFrom(account, code, '203.0.113.99'), 403, 'USER_BANNED_FROM_GUILD')
    await setFeatures(guildhall, place.id, 'VANITY_URL', 'INVITES_DISABLED')
    const other = await guildhall.register()
    expectRefusal(await accept(guildhall, other, code), 403, 'INVITES_DISABLED')
    expect(bodyOf(await show(ada, place.id))['uses']).toBe(0)
  })

  it('temporary invites without presence do so too, and stay as they were', async () => {
    const place = await placeOf(guildhall, ada)
    const code = await invite(guildhall, ada, place.channel, { temporary: true, max_uses: 1 })
    const newcomer = await guildhall.register()
    expectRefusal(await accept(guildhall, newcomer, code), 400, 'TEMPORARY_INVITE_REQUIRES_PRESENCE')
    expect(listOf(await place.send(ada, 'GET', '/invites'))).toMatchObject([{ code, uses: 0 }])
  })

  it('expire: after max_age they admit nobody', async () => {
    const place = await placeOf(guildhall, ada)
    const code = await invite(guildhall, ada, place.channel, { max_age: 1 })
    await expect.poll(async () => (await guildhall.request('GET', `/v1/invites/${code}`)).status).toBe(404)
    expectRefusal(await accept(guildhall, await guildhall.register(), code), 404, 'UNKNOWN_INVITE')
  })
})

describe('guessing invite codes', () => {
  it('is stopped: after 300 unknown codes, an existing code gets the same answer as an unknown one', async () => {
    const strict = await startTestGuildhall({ rateLimits: true, trustedProxies: ['127.0.0.1'] })
    const owner = await strict.register()
    const place = await placeOf(strict, owner)
    const code = await invite(strict, owner, place.channel)
    // The global bucket also refuses for a second, which this test is not about.
    const look = async (asked: string, ip: string, token?: string): Promise<TestAnswer> => {
      const options = { headers: from(ip), ...(token === undefined ? {} : { token }) }
      const answer = await strict.request('GET', `/v1/invites/${asked}`, options)
      if (answer.headers.get('x-ratelimit-global') !== 'true') return answer
      await setTimeout(200)
      return look(asked, ip, token)
    }
    let guesses = 0
    const guess = async () => expectRefusal(await look(`guess${(guesses += 1)}`, '198.51.100.7'), 404, 'UNKNOWN_INVITE')
    while (guesses < 300) await guess()
    // Meanwhile one guess is forgiven every two seconds.
    while (guesses < 400 && (await look(code, '198.51.100.7')).status === 200) await guess()
    expectRefusal(await look(code, '198.51.100.7'), 429, 'RATE_LIMITED')
    expect(guesses).toBeLessThan(400)
    expect((await look(code, '198.51.100.8')).status).toBe(200)
    expect((await look(code, '198.51.100.7', owner.token)).status).toBe(200)
    await strict.close()
  })
})
