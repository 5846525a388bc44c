import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { field, type FieldError } from '../../domain/kernel/refusal.js'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.js'
import {
  accept,
  bodyOf,
  crowd,
  expectFields,
  expectRefusal,
  found,
  invite,
  listOf,
  type TestGuild,
} from './support/answers.js'
import { openScene } from './support/scene.js'

let guildhall: TestGuildhall
let ada: TestAccount
let brian: TestAccount
let carol: TestAccount
let home: TestGuild

beforeAll(async () => {
  ;({ guildhall, ada, brian, carol, home } = await openScene())
})
afterAll(() => guildhall.close())

const nowhere = '1'
const unknown = 'nobodys1'
const token = ({ token: own }: TestAccount) => ({ token: own })
const get = (code: string) => guildhall.request('GET', `/v1/invites/${encodeURIComponent(code)}`)
const create = (account: TestAccount, channel: string, body: unknown = {}) =>
  guildhall.request('POST', `/v1/channels/${channel}/invites`, { ...token(account), body })
const remove = (account: TestAccount, code: string) =>
  guildhall.request('DELETE', `/v1/invites/${code}`, token(account))
const ofChannel = (account: TestAccount, channel: string) =>
  guildhall.request('GET', `/v1/channels/${channel}/invites`, token(account))
const ofGuild = (account: TestAccount, id: string) =>
  guildhall.request('GET', `/v1/guilds/${id}/invites`, token(account))

describe('Create channel invite', () => {
  it('answers with the metadata object of a new invite', async () => {
    const body = bodyOf(await create(brian, home.channel, { max_uses: 5, max_age: 60, temporary: true, unique: true }))
    expect(body).toStrictEqual({
      code: expect.stringMatching(/^[A-Za-z0-9]{8}$/),
      type: 0,
      guild: expect.objectContaining({ id: home.id }),
      channel: { id: home.channel, name: 'general', type: 0 },
      inviter: expect.objectContaining({ id: brian.id }),
      member_count: 2,
      presence_count: 0,
      expires_at: new Date(Date.parse(String(body['created_at'])) + 60_000).toISOString(),
      temporary: true,
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      uses: 0,
      max_uses: 5,
      max_age: 60,
    })
    expect(body['guild']).not.toHaveProperty('vanity_url_code')
  })

  it('takes the defaults for null and for nothing, and gives the equivalent one that stands', async () => {
    const made = bodyOf(await create(brian, home.channel))
    expect(made).toMatchObject({ max_uses: 0, max_age: 0, temporary: false, expires_at: null })
    const nothing = { max_uses: null, max_age: null, unique: null, temporary: null }
    expect(bodyOf(await create(brian, home.channel, nothing))['code']).toBe(made['code'])
    expect(bodyOf(await create(ada, home.channel))['code']).not.toBe(made['code'])
    expect(bodyOf(await create(brian, home.channel, { max_age: 604_800, max_uses: 100 }))['code']).not.toBe(
      made['code'],
    )
  })

  const refused: readonly (readonly [unknown, FieldError])[] = [
    [{ max_uses: 101 }, field('max_uses', 'INVALID_FORMAT')],
    [{ max_uses: -1 }, field('max_uses', 'INVALID_FORMAT')],
    [{ max_uses: 1.5 }, field('max_uses', 'INVALID_FORMAT')],
    [{ max_uses: '1' }, field('max_uses', 'INVALID_FORMAT')],
    [{ max_age: 604_801 }, field('max_age', 'INVALID_FORMAT')],
    [{ max_age: -1 }, field('max_age', 'INVALID_FORMAT')],
    [{ unique: 'true' }, field('unique', 'INVALID_FORMAT')],
    [{ temporary: 1 }, field('temporary', 'INVALID_FORMAT')],
  ]
  it.each(refused)('refuses %j', async (body, expected) => {
    expectFields(await create(brian, home.channel, body), expected)
  })

  it('refuses nobody, an unknown channel, and a stranger', async () => {
    expectRefusal(await guildhall.request('POST', `/v1/channels/${home.channel}/invites`), 401, 'UNAUTHORIZED')
    expectRefusal(await create(brian, nowhere), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await create(carol, home.channel), 403, 'MISSING_PERMISSIONS')
    expectFields(await create(brian, 'x'), field('channel_id', 'INVALID_SNOWFLAKE_FORMAT'))
  })
})

describe('Get invite', () => {
  it('is the same for everybody, whatever Authorization says', async () => {
    const code = await invite(guildhall, ada, home.channel)
    const open = await get(code)
    expect(bodyOf(open)).toMatchObject({ code, member_count: 2, temporary: false })
    expect(bodyOf(open)).not.toHaveProperty('uses')
    for (const authorization of [ada.token, carol.token, 'Bearer nonsense', 'nonsense']) {
      const answer = await guildhall.request('GET', `/v1/invites/${code}`, { headers: { authorization } })
      expect(answer.body).toStrictEqual(open.body)
    }
  })

  it('reads a code without form feeds, right-to-left overrides and space around it', async () => {
    const code = await invite(guildhall, ada, home.channel)
    const dressed = ` \u202e${code.slice(0, 4)}\f${code.slice(4)} `
    expect(bodyOf(await get(dressed))['code']).toBe(code)
    const accepted = await guildhall.request('POST', `/v1/invites/${encodeURIComponent(dressed)}`, token(brian))
    expect(bodyOf(accepted)['code']).toBe(code)
    expect((await guildhall.request('DELETE', `/v1/invites/${encodeURIComponent(dressed)}`, token(ada))).status).toBe(
      204,
    )
  })

  it('refuses an unknown code, and one that is too long or nothing at all', async () => {
    const code = await invite(guildhall, ada, home.channel)
    expectRefusal(await get(unknown), 404, 'UNKNOWN_INVITE')
    expectRefusal(await get('x'.repeat(256)), 404, 'UNKNOWN_INVITE')
    expectRefusal(await get(`${code}x`), 404, 'UNKNOWN_INVITE')
    for (const none of ['x'.repeat(257), ' ', '\f\u202e'])
      expectFields(await get(none), field('invite_code', 'STRING_LENGTH_INVALID'))
  })
})

describe('Accept invite', () => {
  it('joins, and changes nothing for a member', async () => {
    const place = await found(guildhall, ada)
    const code = await invite(guildhall, ada, place.channel, { max_uses: 2 })
    expect(bodyOf(await accept(guildhall, brian, code))).toMatchObject({
      code,
      member_count: 2,
      guild: { id: place.id },
    })
    expect(bodyOf(await accept(guildhall, brian, code))).toMatchObject({ code, member_count: 2 })
    expect(listOf(await ofGuild(ada, place.id))).toMatchObject([{ code, uses: 1 }])
    expect((await accept(guildhall, carol, code)).status).toBe(200)
    expectRefusal(await accept(guildhall, brian, code), 404, 'UNKNOWN_INVITE')
    expect(listOf(await ofGuild(ada, place.id))).toStrictEqual([])
  })

  it('refuses nobody, an unknown code, and one that has ended', async () => {
    const code = await invite(guildhall, ada, home.channel, { max_age: 1 })
    expectRefusal(await guildhall.request('POST', `/v1/invites/${code}`), 401, 'UNAUTHORIZED')
    expectRefusal(await accept(guildhall, carol, unknown), 404, 'UNKNOWN_INVITE')
    await new Promise((resolve) => setTimeout(resolve, 1100))
    expectRefusal(await accept(guildhall, carol, code), 404, 'UNKNOWN_INVITE')
    expectRefusal(await get(code), 404, 'UNKNOWN_INVITE')
  })

  it('admits nobody for a while who is not there, and takes no use', async () => {
    const code = await invite(guildhall, ada, home.channel, { temporary: true, max_uses: 1 })
    expectRefusal(await accept(guildhall, carol, code), 400, 'TEMPORARY_INVITE_REQUIRES_PRESENCE')
    expect((await get(code)).status).toBe(200)
  })

  it('lets exactly 10 of 64 in when all accept an invite of 10 uses at the same moment', async () => {
    const place = await found(guildhall, ada)
    const people = await crowd(guildhall, 64)
    const code = await invite(guildhall, ada, place.channel, { max_uses: 10 })
    const answers = await Promise.all(people.map((person) => accept(guildhall, person, code)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(54)
    for (const answer of refused) expectRefusal(answer, 404, 'UNKNOWN_INVITE')
    expectRefusal(await get(code), 404, 'UNKNOWN_INVITE')
    expect(bodyOf(await guildhall.request('GET', `/v1/guilds/${place.id}`, token(ada)))['member_count']).toBe(11)
    const uses: number[] = []
    for await (const page of guildhall.store.events.readStream(`invite-${code}`, -1)) {
      for (const { type, data } of page) if (type === 'InviteRedeemed' && 'uses' in data) uses.push(Number(data.uses))
    }
    expect(uses).toStrictEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  }, 60_000)
})

describe('Delete invite', () => {
  it('is for the creator, and for who holds MANAGE_GUILD', async () => {
    const [own, adas] = [await invite(guildhall, brian, home.channel), await invite(guildhall, ada, home.channel)]
    expectRefusal(await remove(brian, adas), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await remove(carol, adas), 403, 'MISSING_PERMISSIONS')
    expect(await remove(brian, own)).toMatchObject({ status: 204, body: undefined })
    expect((await remove(ada, adas)).status).toBe(204)
    for (const gone of [own, adas, unknown]) expectRefusal(await remove(ada, gone), 404, 'UNKNOWN_INVITE')
    expectRefusal(await guildhall.request('DELETE', `/v1/invites/${adas}`), 401, 'UNAUTHORIZED')
  })
})

describe('the lists of invites', () => {
  it('have the newest first, and are for who manages the guild', async () => {
    const place = await found(guildhall, ada)
    await accept(guildhall, brian, await invite(guildhall, ada, place.channel, { max_uses: 1 }))
    const first = await invite(guildhall, ada, place.channel)
    const second = await invite(guildhall, brian, place.channel)
    for (const answer of [await ofGuild(ada, place.id), await ofChannel(ada, place.channel)]) {
      expect(listOf(answer).map(({ code }) => code)).toStrictEqual([second, first])
    }
    for (const account of [brian, carol]) {
      expectRefusal(await ofGuild(account, place.id), 403, 'MISSING_PERMISSIONS')
      expectRefusal(await ofChannel(account, place.channel), 403, 'MISSING_PERMISSIONS')
    }
    expectRefusal(await ofGuild(ada, nowhere), 404, 'UNKNOWN_GUILD')
    expectRefusal(await ofChannel(ada, nowhere), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await guildhall.request('GET', `/v1/guilds/${place.id}/invites`), 401, 'UNAUTHORIZED')
  })
})

describe('limits under a race', () => {
  it('are exact: invites, guilds and members', async () => {
    const limits = { max_guild_invites: 10, max_guilds: 3, max_guild_members: 5 }
    const small = await startTestGuildhall({ limits })
    const people = await crowd(small, 20)
    const [owner] = people
    if (!owner) throw new Error('Nobody is there')
    const place = await found(small, owner)
    const codes = (answers: readonly { readonly status: number; readonly body: unknown }[]) =>
      answers.map(({ status, body }) => (status === 200 ? 'done' : String((body as { readonly code: unknown }).code)))
    const count = (outcomes: readonly string[], outcome: string) => outcomes.filter((each) => each === outcome).length

    const body = { unique: true }
    const invites = codes(
      await Promise.all(
        people.map(() => small.request('POST', `/v1/channels/${place.channel}/invites`, { token: owner.token, body })),
      ),
    )
    expect([count(invites, 'done'), count(invites, 'MAX_INVITES')]).toStrictEqual([10, 10])

    const [code] = listOf(await small.request('GET', `/v1/guilds/${place.id}/invites`, { token: owner.token })).map(
      ({ code: each }) => String(each),
    )
    const joined = codes(await Promise.all(people.slice(1).map((person) => accept(small, person, code ?? ''))))
    expect([count(joined, 'done'), count(joined, 'MAX_GUILD_MEMBERS')]).toStrictEqual([4, 15])

    const founded = codes(
      await Promise.all(
        people.map(() => small.request('POST', '/v1/guilds', { token: owner.token, body: { name: 'x' } })),
      ),
    )
    expect([count(founded, 'done'), count(founded, 'MAX_GUILDS')]).toStrictEqual([2, 18])
    expect(listOf(await small.request('GET', '/v1/users/@me/guilds', { token: owner.token }))).toHaveLength(3)
    await small.close()
  }, 60_000)
})
