import { describe, expect, it } from 'vitest'
import { backupCode, protect } from '../../../support/authenticator.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, expectRefusal, invite, listOf } from '../../support/answers.ts'
import { newCode, setFeatures } from '../../support/custom-codes.ts'
import { placeOf, type Place } from '../../support/members.ts'
import { threadsHeader } from '../../support/threads.ts'
import { circle, openDirect, openGroup } from '../../conversations/private-channels/support.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer()
const [ada, carol] = [await guildhall.register(), await guildhall.register()]

const ofChannel = ({ token }: Pick<TestAccount, 'token'>, channel: string) =>
  guildhall.request('GET', `/v1/channels/${channel}/invites`, { token })
const ofGuild = ({ token }: TestAccount, id: string) => guildhall.request('GET', `/v1/guilds/${id}/invites`, { token })
const codesIn = (answer: Awaited<ReturnType<typeof ofGuild>>) => listOf(answer).map(({ code }) => code)
const overwrite = (place: Place, deny: string) =>
  guildhall.request('PUT', `/v1/channels/${place.channel}/permissions/${place.id}`, {
    token: place.owner.token,
    body: { type: 0, allow: '0', deny },
  })

describe('List channel invites and List guild invites', () => {
  it('return the metadata objects of usable invites, the newest first', async () => {
    const place = await placeOf(guildhall, ada)
    expect(listOf(await ofGuild(ada, place.id))).toStrictEqual([])
    expect(listOf(await ofChannel(ada, place.channel))).toStrictEqual([])
    const member = await guildhall.register()
    await accept(guildhall, member, await invite(guildhall, ada, place.channel, { max_uses: 1 }))
    const first = await invite(guildhall, ada, place.channel)
    const second = await invite(guildhall, member, place.channel)
    const made = await place.send(ada, 'POST', '/channels', { type: 0, name: 'elsewhere' })
    const third = await invite(guildhall, ada, String(bodyOf(made)['id']))
    expect(codesIn(await ofGuild(ada, place.id))).toStrictEqual([third, second, first])
    expect(codesIn(await ofChannel(ada, place.channel))).toStrictEqual([second, first])
    const [entry] = listOf(await ofChannel(ada, place.channel))
    expect(entry).toMatchObject({ inviter: { id: member.id }, uses: 0, max_uses: 0, max_age: 0, member_count: 2 })
  })

  it('of a guild include those whose channel is gone, without it, since they still admit', async () => {
    const place = await placeOf(guildhall, ada)
    const code = await invite(guildhall, ada, place.channel)
    await guildhall.request('DELETE', `/v1/channels/${place.channel}`, { token: ada.token })
    const [entry, ...others] = listOf(await ofGuild(ada, place.id))
    expect(entry).toMatchObject({ code, guild: { id: place.id }, uses: 0 })
    expect(entry).not.toHaveProperty('channel')
    expect(others).toStrictEqual([])
    await guildhall.request('DELETE', `/v1/invites/${code}`, { token: ada.token })
    expect(listOf(await ofGuild(ada, place.id))).toStrictEqual([])
  })

  it('of a guild are for holders of MANAGE_GUILD', async () => {
    const place = await placeOf(guildhall, ada)
    expect((await ofGuild(await place.holder('MANAGE_GUILD'), place.id)).status).toBe(200)
    expectRefusal(await ofGuild(await place.holder('MANAGE_CHANNELS'), place.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await ofGuild(carol, place.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await ofGuild(ada, '1'), 404, 'UNKNOWN_GUILD')
    expectRefusal(await guildhall.request('GET', `/v1/guilds/${place.id}/invites`), 401, 'UNAUTHORIZED')
    await setFeatures(guildhall, place.id, 'UNAVAILABLE_FOR_EVERYONE')
    expectRefusal(await ofGuild(ada, place.id), 403, 'MISSING_ACCESS')
    expectRefusal(await ofChannel(ada, place.channel), 403, 'MISSING_ACCESS')
  })

  it('of a channel are for those who view it and hold MANAGE_CHANNELS in the guild', async () => {
    const place = await placeOf(guildhall, ada)
    const [holder, member] = [await place.holder('MANAGE_CHANNELS'), await place.member()]
    expect((await ofChannel(holder, place.channel)).status).toBe(200)
    expectRefusal(await ofChannel(member, place.channel), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await ofChannel(carol, place.channel), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await ofChannel(ada, '1'), 404, 'UNKNOWN_CHANNEL')
    await overwrite(place, '1024')
    for (const account of [holder, member])
      expectRefusal(await ofChannel(account, place.channel), 403, 'MISSING_ACCESS')
  })

  it('of a channel have none if no invite can lead there: threads get an error, and so do forums without a declaration', async () => {
    const place = await placeOf(guildhall, ada)
    const { id: forum } = bodyOf(await place.send(ada, 'POST', '/channels', { type: 15, name: 'forum' }, threadsHeader))
    const started = { token: ada.token, headers: threadsHeader, body: { name: 'aside', type: 11 } }
    const { id: thread } = bodyOf(await guildhall.request('POST', `/v1/channels/${place.channel}/threads`, started))
    const declared = { token: ada.token, headers: threadsHeader }
    expect(listOf(await guildhall.request('GET', `/v1/channels/${String(forum)}/invites`, declared))).toStrictEqual([])
    expectRefusal(await ofChannel(ada, String(forum)), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(
      await guildhall.request('GET', `/v1/channels/${String(thread)}/invites`, declared),
      404,
      'UNKNOWN_CHANNEL',
    )
  })

  it('require a second factor while the guild is ELEVATED', async () => {
    const owner = await protect(guildhall, await guildhall.register())
    const place = await placeOf(guildhall, owner)
    const holder = await place.holder('MANAGE_GUILD', 'MANAGE_CHANNELS')
    const proof = { mfa_method: 'totp', mfa_code: backupCode(owner, 0) }
    expect((await place.send(owner, 'PATCH', '', { mfa_level: 1, ...proof })).status).toBe(200)
    expectRefusal(await ofGuild(holder, place.id), 400, 'TWO_FACTOR_REQUIRED')
    expectRefusal(await ofChannel(holder, place.channel), 400, 'TWO_FACTOR_REQUIRED')
    expect((await ofGuild(owner, place.id)).status).toBe(200)
  })

  it('refuse a minor in an age-restricted channel', async () => {
    const place = await placeOf(guildhall, ada)
    const signUp = {
      email: `${newCode()}@example.com`,
      password: 'a long password',
      username: newCode(),
      consent: true,
    }
    const born = { date_of_birth: `${new Date().getUTCFullYear() - 15}-01-01` }
    const minor = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body: { ...signUp, ...born } }))
    const account = { token: String(minor['token']), id: String(minor['user_id']), email: '', password: '' }
    await accept(guildhall, account, await invite(guildhall, ada, place.channel))
    await place.give(account, await place.role('MANAGE_CHANNELS'))
    expect((await ofChannel(account, place.channel)).status).toBe(200)
    const change = { token: ada.token, body: { nsfw: true } }
    await guildhall.request('PATCH', `/v1/channels/${place.channel}`, change)
    expectRefusal(await ofChannel(account, place.channel), 403, 'NSFW_CONTENT_AGE_RESTRICTED')
  })

  it('of a group are for its owner; other private channels have none', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const group = await openGroup(guildhall, owner, one)
    const [first, second] = [await invite(guildhall, one, group), await invite(guildhall, owner, group)]
    const list = await ofChannel(owner, group)
    expect(codesIn(list)).toStrictEqual([second, first])
    expect(listOf(list)[1]).toMatchObject({ type: 1, inviter: { id: one.id }, member_count: 2, uses: 0 })
    expect(listOf(list)[1]).not.toHaveProperty('max_age')
    expectRefusal(await ofChannel(one, group), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await ofChannel(carol, group), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await ofChannel(owner, await openDirect(guildhall, owner, one)), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await ofChannel(owner, owner.id), 404, 'UNKNOWN_CHANNEL')
  })
})
