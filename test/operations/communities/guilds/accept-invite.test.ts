import { afterAll, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { disabledOperationBits } from '../../../../domain/guild/state.ts'
import { accept, bodyOf, crowd, expectFields, expectRefusal, found, invite, listOf } from '../../support/answers.ts'
import { changeSettings, customCodesOn, newCode, setFeatures } from '../../support/custom-codes.ts'
import { connections } from '../../support/connected.ts'
import {
  circle,
  openDirect,
  openGroup,
  privateChannelsOn,
  saidIn,
} from '../../conversations/private-channels/support.ts'
import { placeOf } from '../../support/members.ts'
import { setFlags } from '../../support/relationships.ts'
import { openServer } from '../../support/scene.ts'

const { connect, end } = connections()

const guildhall = await openServer({ limits: { max_group_dm_recipients: 4 } })
const [ada, carol] = [await guildhall.register(), await guildhall.register()]
afterAll(end)

const { choose } = customCodesOn(() => guildhall)
const usesOf = async (guild: string, code: string) =>
  listOf(await guildhall.request('GET', `/v1/guilds/${guild}/invites`, { token: ada.token })).find(
    (each) => each['code'] === code,
  )?.['uses']

describe('Accept invite', () => {
  it('answers with an invite object, and uses up nothing for a member', async () => {
    const place = await placeOf(guildhall, ada)
    const code = await invite(guildhall, ada, place.channel, { max_uses: 2 })
    expect(bodyOf(await accept(guildhall, carol, code))).toMatchObject({ code, type: 0, member_count: 2 })
    expect(bodyOf(await accept(guildhall, carol, code))).toMatchObject({ code, member_count: 2 })
    expect(await usesOf(place.id, code)).toBe(1)
    const { client } = await connect(guildhall, ada)
    await accept(guildhall, carol, code)
    await accept(guildhall, await guildhall.register(), code)
    expect((await client.dispatch('GUILD_MEMBER_ADD')).d['user']).not.toMatchObject({ id: carol.id })
    expect(await usesOf(place.id, code)).toBe(undefined)
    expectRefusal(await accept(guildhall, carol, code), 404, 'UNKNOWN_INVITE')
  })

  it('is only for users, with a code of 1-256 characters', async () => {
    const { channel } = await found(guildhall, ada)
    const code = await invite(guildhall, ada, channel)
    expectRefusal(await guildhall.request('POST', `/v1/invites/${code}`), 401, 'UNAUTHORIZED')
    expectFields(await accept(guildhall, carol, 'x'.repeat(257)), field('invite_code', 'STRING_LENGTH_INVALID'))
    expectFields(await accept(guildhall, carol, '%20'), field('invite_code', 'STRING_LENGTH_INVALID'))
    expectRefusal(await accept(guildhall, carol, 'x'.repeat(256)), 404, 'UNKNOWN_INVITE')
  })

  it('admits by an invite whose channel was deleted, and takes a use, although it answers UNKNOWN_CHANNEL', async () => {
    const place = await placeOf(guildhall, ada)
    const code = await invite(guildhall, ada, place.channel)
    await guildhall.request('DELETE', `/v1/channels/${place.channel}`, { token: ada.token })
    expectRefusal(await accept(guildhall, carol, code), 404, 'UNKNOWN_CHANNEL')
    expect((await place.send(carol, 'GET', '')).status).toBe(200)
  })

  it('refuses in one order, and no refusal takes a use', async () => {
    const place = await placeOf(guildhall, ada)
    const code = await invite(guildhall, ada, place.channel, { max_uses: 1, temporary: true })
    const expectCode = async (status: number, refusal: string) =>
      expectRefusal(await accept(guildhall, carol, code), status, refusal)
    await place.send(ada, 'PUT', `/bans/${carol.id}`, {})
    await changeSettings(guildhall, place.id, { disabledOperations: disabledOperationBits.INSTANT_INVITES })
    await setFeatures(guildhall, place.id, 'UNAVAILABLE_FOR_EVERYONE', 'INVITES_DISABLED')
    await expectCode(403, 'MISSING_ACCESS')
    await setFeatures(guildhall, place.id, 'INVITES_DISABLED')
    await expectCode(403, 'USER_BANNED_FROM_GUILD')
    await place.send(ada, 'DELETE', `/bans/${carol.id}`)
    await expectCode(403, 'INVITES_DISABLED')
    await setFeatures(guildhall, place.id, 'RAID_DETECTED')
    await expectCode(403, 'INVITES_DISABLED')
    await setFeatures(guildhall, place.id)
    await expectCode(403, 'FEATURE_TEMPORARILY_DISABLED')
    await changeSettings(guildhall, place.id, { disabledOperations: 0 })
    await expectCode(400, 'TEMPORARY_INVITE_REQUIRES_PRESENCE')
    expect(await usesOf(place.id, code)).toBe(0)
    const { client } = await connect(guildhall, carol)
    expect((await accept(guildhall, carol, code)).status).toBe(200)
    expect((await client.dispatch('GUILD_CREATE')).d).toMatchObject({ id: place.id })
    await expectCode(404, 'UNKNOWN_INVITE')
  })

  it('refuses a limited account before it reveals anything of the invite, except to a member', async () => {
    const place = await placeOf(guildhall, ada)
    const [code, member, limited] = [
      await invite(guildhall, ada, place.channel, { max_uses: 1 }),
      await place.member(),
      await guildhall.register(),
    ]
    for (const account of [member, limited]) await setFlags(guildhall, account, 'ACCOUNT_LIMITED')
    const [owner, one] = await circle(guildhall, 1)
    const codes = [code, 'nobodys1', await invite(guildhall, owner, await openGroup(guildhall, owner, one))]
    for (const each of codes) expectRefusal(await accept(guildhall, limited, each), 403, 'ACCOUNT_LIMITED')
    await setFeatures(guildhall, place.id, 'UNAVAILABLE_FOR_EVERYONE', 'INVITES_DISABLED')
    expect(bodyOf(await accept(guildhall, member, code))).toMatchObject({ code, type: 0 })
    await setFeatures(guildhall, place.id)
    expect(await usesOf(place.id, code)).toBe(0)
  })

  it('refuses with UNKNOWN_GUILD if the guild is gone', async () => {
    const place = await placeOf(guildhall, ada)
    const code = await invite(guildhall, ada, place.channel)
    await place.send(ada, 'POST', '/delete', { password: ada.password })
    expectRefusal(await accept(guildhall, carol, code), 404, 'UNKNOWN_GUILD')
    expectRefusal(await guildhall.request('DELETE', `/v1/invites/${code}`, { token: ada.token }), 404, 'UNKNOWN_GUILD')
  })
})

describe('Accept invite of a custom invite URL', () => {
  it('admits in any case with neither inviter nor code', async () => {
    const place = await placeOf(guildhall, ada)
    await setFeatures(guildhall, place.id, 'VANITY_URL')
    const code = newCode()
    await choose(ada, place.id, code)
    const newcomer = await guildhall.register()
    const { client } = await connect(guildhall, newcomer)
    expect(bodyOf(await accept(guildhall, newcomer, code.toUpperCase()))).toMatchObject({ code, inviter: null })
    expect((await client.dispatch('GUILD_CREATE')).d).toMatchObject({ id: place.id })
    const admissions: unknown[] = []
    for await (const page of guildhall.store.events.readStream(`membership-${place.id}-${newcomer.id}`, -1))
      for (const { type, data } of page)
        if (type === 'MemberJoined' && 'admission' in data) admissions.push(data['admission'])
    expect(admissions).toStrictEqual([{ by: 'custom_invite' }])
  })
})

describe('Accept invite of a group', () => {
  it('adds the caller, who needs no friend there, and announces it', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const group = await openGroup(guildhall, owner, one)
    const code = await invite(guildhall, owner, group, { max_uses: 1 })
    const newcomer = await guildhall.register()
    const [{ client: owners }, { client: own }] = [await connect(guildhall, owner), await connect(guildhall, newcomer)]
    expect(bodyOf(await accept(guildhall, newcomer, code))).toMatchObject({ code, type: 1, member_count: 3 })
    expect((await own.dispatch('CHANNEL_CREATE')).d).toMatchObject({ id: group, type: 3 })
    const added = { channel_id: group, user: { id: newcomer.id } }
    expect((await owners.dispatch('CHANNEL_RECIPIENT_ADD')).d).toMatchObject(added)
    for (const client of [owners, own])
      expect((await client.dispatch('MESSAGE_CREATE')).d).toMatchObject({ channel_id: group, type: 1 })
    const said = { type: 1, author: newcomer.id, mentions: [newcomer.id], content: '' }
    expect((await saidIn(guildhall, newcomer, group))[0]).toStrictEqual(said)
    expectRefusal(await accept(guildhall, carol, code), 404, 'UNKNOWN_INVITE')
  })

  it('changes nothing for a recipient, and takes no use', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const group = await openGroup(guildhall, owner, one)
    const code = await invite(guildhall, owner, group, { max_uses: 1 })
    expect(bodyOf(await accept(guildhall, one, code))).toMatchObject({ code, member_count: 2 })
    expect((await accept(guildhall, carol, code)).status).toBe(200)
  })

  it('refuses an unclaimed account', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const code = await invite(guildhall, owner, await openGroup(guildhall, owner, one))
    const signUp = { username: `u${newCode()}`, date_of_birth: '1990-12-10', consent: true }
    const visitor = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body: signUp }))
    const accepting = await guildhall.request('POST', `/v1/invites/${code}`, { token: String(visitor['token']) })
    expectRefusal(accepting, 400, 'UNCLAIMED_ACCOUNT_CANNOT_JOIN_GROUP_DMS')
  })

  it('refuses an invite to a direct message with INVALID_CHANNEL_TYPE, except for its two accounts', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const code = await invite(guildhall, owner, await openDirect(guildhall, owner, one))
    expectRefusal(await accept(guildhall, carol, code), 400, 'INVALID_CHANNEL_TYPE')
    expect(bodyOf(await accept(guildhall, one, code))).toMatchObject({ code, type: 1, member_count: 2 })
  })

  it('refuses with MAX_GROUP_DM_RECIPIENTS if the group is full, exactly so in a race', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const group = await openGroup(guildhall, owner, one)
    const code = await invite(guildhall, owner, group)
    const people = await crowd(guildhall, 6)
    const answers = await Promise.all(people.map((person) => accept(guildhall, person, code)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(4)
    for (const answer of refused) expectRefusal(answer, 400, 'MAX_GROUP_DM_RECIPIENTS')
    const list = await guildhall.request('GET', `/v1/channels/${group}/invites`, { token: owner.token })
    expect(listOf(list)).toMatchObject([{ code, uses: 2 }])
    expectRefusal(await accept(guildhall, carol, code), 400, 'MAX_GROUP_DM_RECIPIENTS')
    const [guest] = people.filter((_, index) => answers[index]?.status === 200)
    if (guest) await privateChannelsOn(guildhall).close(guest, group)
    expect((await accept(guildhall, carol, code)).status).toBe(200)
  })
})
