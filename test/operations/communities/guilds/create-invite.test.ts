import { afterAll, describe, expect, it } from 'vitest'
import { disabledOperationBits } from '../../../../domain/guild/state.ts'
import { field, type FieldError } from '../../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../../support/answers.ts'
import { changeSettings, customCodesOn, newCode, setFeatures } from '../../support/custom-codes.ts'
import { connections } from '../../support/connected.ts'
import { placeOf, type Place } from '../../support/members.ts'
import { circle, openDirect, openGroup } from '../../conversations/private-channels/support.ts'
import { openServer } from '../../support/scene.ts'

const { connect, end } = connections()

const guildhall = await openServer({ limits: { max_guild_invites: 6 } })
const [ada, carol] = [await guildhall.register(), await guildhall.register()]
/** Ada's guild, which Brian is in. */
const home = await placeOf(guildhall, ada)
const brian = await home.member()
afterAll(end)

const { choose } = customCodesOn(() => guildhall)
const threads = { 'X-Service-Features': 'channel_threads' }
const create = ({ token }: TestAccount, channel: string, body: unknown = {}, headers = {}) =>
  guildhall.request('POST', `/v1/channels/${channel}/invites`, { token, body, headers })
const overwrite = (place: Place, channel: string, deny: string) =>
  guildhall.request('PUT', `/v1/channels/${channel}/permissions/${place.id}`, {
    token: place.owner.token,
    body: { type: 0, allow: '0', deny },
  })

describe('Create channel invite', () => {
  it('answers with the metadata object of a new invite, whose code has 8 characters of the mixed-case alphabet', async () => {
    const place = await placeOf(guildhall, ada)
    const member = await place.member()
    const wishes = { max_uses: 100, max_age: 604_800, temporary: true, unique: true }
    const body = bodyOf(await create(member, place.channel, wishes))
    expect(body).toStrictEqual({
      code: expect.stringMatching(/^[A-Za-z0-9]{8}$/),
      type: 0,
      guild: expect.objectContaining({ id: place.id }),
      channel: { id: place.channel, name: 'general', type: 0 },
      inviter: expect.objectContaining({ id: member.id }),
      member_count: 2,
      presence_count: 0,
      expires_at: new Date(Date.parse(String(body['created_at'])) + 604_800_000).toISOString(),
      temporary: true,
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      uses: 0,
      max_uses: 100,
      max_age: 604_800,
    })
    expect(body['guild']).not.toHaveProperty('vanity_url_code')
  })

  it('uses the defaults for null and for missing members', async () => {
    const defaults = { max_uses: 0, max_age: 0, temporary: false, expires_at: null }
    const made = bodyOf(await create(brian, home.channel))
    expect(made).toMatchObject(defaults)
    const nothing = { max_uses: null, max_age: null, unique: null, temporary: null }
    expect(bodyOf(await create(brian, home.channel, nothing))).toMatchObject({ ...defaults, code: made['code'] })
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

  it('returns an existing equivalent one, without dispatch or audit entry, and never the custom invite URL', async () => {
    const place = await placeOf(guildhall, ada)
    const { client } = await connect(guildhall, ada)
    const made = bodyOf(await create(ada, place.channel, { max_uses: 3 }))
    expect((await client.dispatch('INVITE_CREATE')).d).toMatchObject({ code: made['code'], uses: 0, max_uses: 3 })
    expect(bodyOf(await create(ada, place.channel, { max_uses: 3 }))['code']).toBe(made['code'])
    for (const other of [{ max_uses: 4 }, { max_uses: 3, max_age: 60 }, { max_uses: 3, temporary: true }])
      expect(bodyOf(await create(ada, place.channel, other))['code']).not.toBe(made['code'])
    expect((await client.dispatch('INVITE_CREATE')).d).toMatchObject({ max_uses: 4 })
    expect(await place.entries(40)).toHaveLength(4)
    await setFeatures(guildhall, place.id, 'VANITY_URL')
    const code = newCode()
    await choose(ada, place.id, code)
    expect(bodyOf(await create(ada, place.channel))['code']).not.toBe(code)
  })

  it('records INVITE_CREATE with the metadata of the invite', async () => {
    const place = await placeOf(guildhall, ada)
    const { client } = await connect(guildhall, ada)
    const made = bodyOf(await create(ada, place.channel, { max_uses: 3, max_age: 60 }))
    const options = { channel_id: place.channel, inviter_id: ada.id, max_age: 60, max_uses: 3, temporary: false }
    const entry = { action_type: 40, user_id: ada.id, target_id: made['code'], options }
    expect(await place.entries(40)).toMatchObject([entry])
    const { d } = await client.dispatch('GUILD_AUDIT_LOG_ENTRY_CREATE')
    expect(d).toMatchObject({ ...entry, guild_id: place.id })
  })

  it('needs membership, VIEW_CHANNEL, CREATE_INSTANT_INVITE and an adult, in this order', async () => {
    const place = await placeOf(guildhall, ada)
    const member = await place.member()
    expectRefusal(await guildhall.request('POST', `/v1/channels/${place.channel}/invites`), 401, 'UNAUTHORIZED')
    expectRefusal(await create(member, '1'), 404, 'UNKNOWN_CHANNEL')
    expectFields(await create(member, 'x'), field('channel_id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectRefusal(await create(carol, place.channel), 403, 'MISSING_PERMISSIONS')
    await overwrite(place, place.channel, '1')
    expectRefusal(await create(member, place.channel), 403, 'MISSING_PERMISSIONS')
    await overwrite(place, place.channel, '1025')
    expectRefusal(await create(member, place.channel), 403, 'MISSING_ACCESS')
    await overwrite(place, place.channel, '0')
    await changeSettings(guildhall, place.id, { disabledOperations: disabledOperationBits.INSTANT_INVITES })
    expectRefusal(await create(member, place.channel), 403, 'FEATURE_TEMPORARILY_DISABLED')
    await setFeatures(guildhall, place.id, 'UNAVAILABLE_FOR_EVERYONE')
    expectRefusal(await create(member, place.channel), 403, 'MISSING_ACCESS')
  })

  it('refuses a minor in an age-restricted channel', async () => {
    const place = await placeOf(guildhall, ada)
    const signUp = {
      email: `${newCode()}@example.com`,
      password: 'a long password',
      username: newCode(),
      consent: true,
    }
    const body = { ...signUp, date_of_birth: `${new Date().getUTCFullYear() - 15}-01-01` }
    const minor = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body }))
    const token = String(minor['token'])
    const code = bodyOf(await create(ada, place.channel))['code']
    expect((await guildhall.request('POST', `/v1/invites/${String(code)}`, { token })).status).toBe(200)
    const change = { token: ada.token, body: { nsfw: true } }
    await guildhall.request('PATCH', `/v1/channels/${place.channel}`, change)
    const path = `/v1/channels/${place.channel}/invites`
    const answer = await guildhall.request('POST', path, { token, body: {} })
    expectRefusal(answer, 403, 'NSFW_CONTENT_AGE_RESTRICTED')
    expect((await create(ada, place.channel)).status).toBe(200)
  })

  it('refuses with INVALID_CHANNEL_TYPE in threads, forum and media channels', async () => {
    const place = await placeOf(guildhall, ada)
    const inPlace = (path: string, body: unknown) =>
      guildhall.request('POST', path, { token: ada.token, headers: threads, body })
    const thread = await inPlace(`/v1/channels/${place.channel}/threads`, { name: 'aside', type: 11 })
    const made = [
      thread,
      await inPlace(`/v1/guilds/${place.id}/channels`, { type: 15, name: 'forum' }),
      await inPlace(`/v1/guilds/${place.id}/channels`, { type: 16, name: 'media' }),
    ]
    for (const answer of made) {
      const id = String(bodyOf(answer)['id'])
      expectRefusal(await create(ada, id, {}, threads), 400, 'INVALID_CHANNEL_TYPE')
      expectRefusal(await create(ada, id), 404, 'UNKNOWN_CHANNEL')
    }
    const threadId = String(bodyOf(thread)['id'])
    const member = await place.member()
    await overwrite(place, place.channel, '1024')
    expectRefusal(await create(member, threadId, {}, threads), 403, 'MISSING_ACCESS')
  })

  it('leads to voice and announcement channels and to categories too', async () => {
    const place = await placeOf(guildhall, ada)
    for (const type of [2, 4, 5]) {
      const { id } = bodyOf(await place.send(ada, 'POST', '/channels', { type, name: 'here' }))
      expect(bodyOf(await create(ada, String(id)))).toMatchObject({ channel: { id, name: 'here', type } })
    }
  })

  it('refuses with MAX_INVITES if the guild is at its limit, which counts the custom invite URL', async () => {
    const place = await placeOf(guildhall, ada)
    await setFeatures(guildhall, place.id, 'VANITY_URL')
    await choose(ada, place.id, newCode())
    for (let made = 0; made < 5; made += 1)
      expect((await create(ada, place.channel, { unique: true })).status).toBe(200)
    expectRefusal(await create(ada, place.channel, { unique: true }), 400, 'MAX_INVITES')
    expect((await create(ada, place.channel)).status).toBe(200)
    await choose(ada, place.id, null)
    expect((await create(ada, place.channel, { unique: true })).status).toBe(200)
  })
})

describe('Create channel invite in a private channel', () => {
  it('is for every recipient, and is announced to every recipient', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const group = await openGroup(guildhall, owner, one)
    const clients = [(await connect(guildhall, owner)).client, (await connect(guildhall, one)).client]
    const body = bodyOf(await create(one, group, { max_age: 60, max_uses: 2 }))
    expect(body).toStrictEqual({
      code: expect.stringMatching(/^[A-Za-z0-9]{8}$/),
      type: 1,
      channel: expect.objectContaining({ id: group, type: 3, name: null }),
      inviter: expect.objectContaining({ id: one.id }),
      member_count: 2,
      expires_at: new Date(Date.parse(String(body['created_at'])) + 60_000).toISOString(),
      temporary: false,
      created_at: expect.any(String),
      uses: 0,
      max_uses: 2,
    })
    const told = { ...body, channel_id: group }
    for (const client of clients) expect((await client.dispatch('INVITE_CREATE')).d).toStrictEqual(told)
    expect(bodyOf(await create(one, group, { max_age: 60, max_uses: 2 }))['code']).toBe(body['code'])
    expect(bodyOf(await create(owner, group, { max_age: 60, max_uses: 2 }))['code']).not.toBe(body['code'])
    const list = await guildhall.request('GET', `/v1/channels/${group}/invites`, { token: owner.token })
    expect(listOf(list)).toHaveLength(2)
  })

  it('refuses a non-recipient with UNKNOWN_CHANNEL, and notes with INVALID_CHANNEL_TYPE', async () => {
    const [owner, one] = await circle(guildhall, 1)
    for (const channel of [await openGroup(guildhall, owner, one), await openDirect(guildhall, owner, one)])
      expectRefusal(await create(carol, channel), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await create(carol, carol.id), 400, 'INVALID_CHANNEL_TYPE')
  })
})
