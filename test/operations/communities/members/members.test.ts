import { beforeEach, describe, expect, it } from 'vitest'
import { field, type FieldError } from '../../../../domain/kernel/refusal.ts'
import type { PermissionName } from '../../../../domain/permissions/permission-bits.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, expectFields, expectRefusal, invite, listOf } from '../../support/answers.ts'
import { placeOf, type Place } from '../../support/members.ts'
import { openServer } from '../../support/scene.ts'

/** Ada's guild; every test has its own. */
let home: Place

const guildhall = await openServer()
const [ada, carol] = await Promise.all([guildhall.register(), guildhall.register()])
beforeEach(async () => {
  home = await placeOf(guildhall, ada)
})

const nowhere = '1'
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const read = (account: TestAccount, path = '') => home.send(account, 'GET', `/members${path}`)
const change = (account: TestAccount, target: TestAccount | '@me', body: unknown, headers = {}) =>
  home.send(account, 'PATCH', `/members/${target === '@me' ? target : target.id}`, body, headers)
const memberNow = async ({ id }: TestAccount) => bodyOf(await read(ada, `/${id}`))

describe('reading members', () => {
  it('answers with the guild member object', async () => {
    const brian = await home.member()
    const object = bodyOf(await read(brian, '/@me'))
    expect(object).toStrictEqual({
      user: expect.objectContaining({ id: brian.id }),
      nick: null,
      avatar: null,
      banner: null,
      accent_color: null,
      roles: [],
      joined_at: expect.stringMatching(/Z$/),
      mute: false,
      deaf: false,
      communication_disabled_until: null,
    })
    expect(bodyOf(await read(ada, `/${brian.id}`))).toStrictEqual(object)
  })

  it('lists them by their ids, one if no limit is given', async () => {
    const ids = [ada.id, (await home.member()).id, (await home.member()).id].toSorted((a, b) =>
      BigInt(a) < BigInt(b) ? -1 : 1,
    )
    const list = async (query: string) =>
      listOf(await read(ada, query)).map(({ user }) => (user as Readonly<Record<string, unknown>>)['id'])
    expect(await list('')).toStrictEqual(ids.slice(0, 1))
    expect(await list('?limit=1000')).toStrictEqual(ids)
    expect(await list(`?limit=2&after=${ids[0]}`)).toStrictEqual(ids.slice(1))
    for (const limit of ['0', '1001', 'x', '1.5'])
      expectFields(await read(ada, `?limit=${limit}`), field('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'))
  })

  it('is for members, about members', async () => {
    for (const path of ['', '/@me', `/${ada.id}`]) expectRefusal(await read(carol, path), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await read(ada, `/${carol.id}`), 404, 'UNKNOWN_MEMBER')
    const lost = await guildhall.request('GET', `/v1/guilds/${nowhere}/members`, { token: ada.token })
    expectRefusal(lost, 404, 'UNKNOWN_GUILD')
  })
})

describe('the admission record of a member', () => {
  const admission = (account: TestAccount, { id }: TestAccount) => read(account, `/${id}/admission`)

  it('says how the account joined', async () => {
    expect(bodyOf(await admission(ada, ada))).toMatchObject({ by: 'founding', code: null, inviter: null })
    const brian = await home.holder('MANAGE_GUILD')
    const code = await invite(guildhall, brian, home.channel)
    await accept(guildhall, carol, code)
    const { joined_at: at } = await memberNow(carol)
    const inviter = expect.objectContaining({ id: brian.id })
    expect(bodyOf(await admission(brian, carol))).toStrictEqual({ by: 'invite', code, inviter, admitted_at: at })
  })

  it('is for MANAGE_GUILD, about members', async () => {
    const brian = await home.member()
    expectRefusal(await admission(brian, brian), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await admission(carol, ada), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await admission(ada, carol), 404, 'UNKNOWN_MEMBER')
  })
})

describe('changing a member', () => {
  it('changes a member’s own profile, and answers with the member', async () => {
    const brian = await home.member()
    const profile = { accent_color: 255, profile_flags: 3, mention_flags: 1 }
    const answer = bodyOf(await change(brian, '@me', { nick: ' Countess ', bio: 'Poet', pronouns: 'she', ...profile }))
    expect(answer).toMatchObject({ nick: 'Countess', ...profile })
    expect(await memberNow(brian)).toStrictEqual(answer)
    const shown = await guildhall.request('GET', `/v1/users/${brian.id}/profile?guild_id=${home.id}`, {
      token: ada.token,
    })
    expect(bodyOf(shown)).toMatchObject({ guild_member_profile: { bio: 'Poet', pronouns: 'she', accent_color: 255 } })
    expect(bodyOf(await change(brian, brian, { nick: null, avatar: null, profile_flags: 0 }))).toMatchObject({
      nick: null,
    })
  })

  it('has an audit entry for its data and one for its roles, and none if nothing differs', async () => {
    const [brian, role] = [await home.member(), await home.role()]
    const patch = { nick: 'Countess', roles: [role, nowhere, role] }
    expect(bodyOf(await change(ada, brian, patch, { 'x-audit-log-reason': 'asked' }))).toMatchObject({ roles: [role] })
    const of = { user_id: ada.id, target_id: brian.id, reason: 'asked' }
    expect(await home.entries(24)).toMatchObject([
      { ...of, changes: [{ key: 'nick', old_value: null, new_value: 'Countess' }] },
    ])
    expect(await home.entries(25)).toMatchObject([
      { ...of, changes: [{ key: 'roles', old_value: [], new_value: [role] }] },
    ])
    await change(ada, brian, patch)
    expect([await home.entries(24), await home.entries(25)].map(({ length }) => length)).toStrictEqual([1, 1])
  })

  const malformed: readonly (readonly [object, FieldError])[] = [
    [{ nick: '' }, field('nick', 'STRING_LENGTH_INVALID')],
    [{ nick: 'x'.repeat(33) }, field('nick', 'STRING_LENGTH_INVALID')],
    [{ bio: 'x'.repeat(321) }, field('bio', 'STRING_LENGTH_INVALID')],
    [{ pronouns: 'x'.repeat(41) }, field('pronouns', 'STRING_LENGTH_INVALID')],
    [{ accent_color: 16_777_216 }, field('accent_color', 'COLOR_VALUE_TOO_HIGH')],
    [{ mute: 'yes' }, field('mute', 'INVALID_FORMAT')],
    [{ roles: Array.from({ length: 251 }, (_, index) => `${index + 1}`) }, field('roles', 'INVALID_FORMAT')],
    [{ communication_disabled_until: 'tomorrow' }, field('communication_disabled_until', 'INVALID_ISO_TIMESTAMP')],
    [{ timeout_reason: 'x'.repeat(513) }, field('timeout_reason', 'STRING_LENGTH_INVALID')],
    [{ banner: '' }, field('banner', 'BASE64_LENGTH_INVALID')],
  ]
  it.each(malformed)('refuses %j', async (body, expected) => {
    expectFields(await change(ada, '@me', body), expected)
  })

  const needed: readonly (readonly [PermissionName, object])[] = [
    ['MANAGE_NICKNAMES', { nick: 'Countess' }],
    ['MANAGE_ROLES', { roles: [] }],
    ['MUTE_MEMBERS', { mute: true }],
    ['DEAFEN_MEMBERS', { deaf: true }],
    ['MODERATE_MEMBERS', { communication_disabled_until: null }],
  ]
  it.each(needed)('requires %s for %j of another member', async (permission, body) => {
    const target = await home.member()
    const [holder, other] = [await home.holder(permission), await home.holder('VIEW_AUDIT_LOG')]
    expectRefusal(await change(other, target, body), 403, 'MISSING_PERMISSIONS')
    expect((await change(holder, target, body)).status).toBe(200)
  })

  it('never changes another member’s profile, and nobody changes the owner', async () => {
    const boss = await home.holder('ADMINISTRATOR')
    const brian = await home.member()
    for (const body of [{ bio: 'x' }, { pronouns: null }, { accent_color: 1 }, { profile_flags: 1 }, { avatar: null }])
      expectRefusal(await change(boss, brian, body), 403, 'MISSING_PERMISSIONS')
    for (const body of [...needed.map(([, one]) => one), { communication_disabled_until: inAnHour() }])
      expectRefusal(await change(boss, ada, body), 403, 'MISSING_PERMISSIONS')
  })

  it('requires a rank above the member’s', async () => {
    const peer = await home.holder(...needed.map(([permission]) => permission))
    const higher = await home.holder('VIEW_AUDIT_LOG')
    for (const body of [...needed.map(([, one]) => one), { communication_disabled_until: inAnHour() }])
      expectRefusal(await change(peer, higher, body), 403, 'MISSING_PERMISSIONS')
  })

  it('gives and removes no role at or above the caller’s own rank', async () => {
    const [low, brian] = [await home.role(), await home.member()]
    const peer = await home.holder('MANAGE_ROLES')
    const high = await home.role()
    const [own] = (await memberNow(peer))['roles'] as readonly string[]
    for (const roles of [[high], [own]]) expectRefusal(await change(peer, brian, { roles }), 403, 'MISSING_PERMISSIONS')
    expect(bodyOf(await change(peer, brian, { roles: [low] }))).toMatchObject({ roles: [low] })
    expect(bodyOf(await change(peer, peer, { roles: [own, low] }))).toMatchObject({ roles: [own, low] })
    expectRefusal(await change(peer, peer, { roles: [low] }), 403, 'MISSING_PERMISSIONS')
    expectFields(await change(ada, brian, { roles: [home.id] }), field('roles', 'INVALID_ROLE_ID'))
  })

  it('finds nobody in voice', async () => {
    const [brian, mover] = [await home.member(), await home.holder('MOVE_MEMBERS')]
    const guild = bodyOf(await home.send(ada, 'GET', ''))
    const channels = guild['channels'] as readonly { readonly id: string; readonly type: number }[]
    const voice = channels.find(({ type }) => type === 2)?.id
    for (const caller of [brian, mover])
      expectRefusal(await change(caller, ada, { channel_id: voice }), 403, 'MISSING_PERMISSIONS')
    expectFields(await change(mover, brian, { channel_id: nowhere }), field('channel_id', 'CHANNEL_DOES_NOT_EXIST'))
    expectFields(await change(mover, brian, { channel_id: home.channel }), field('channel_id', 'CHANNEL_MUST_BE_VOICE'))
    for (const id of [voice, null])
      expectRefusal(await change(mover, brian, { channel_id: id }), 400, 'USER_NOT_IN_VOICE')
  })

  it('is refused to strangers, and for strangers', async () => {
    expectRefusal(await change(carol, '@me', { nick: 'x' }), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await change(ada, carol, { nick: 'x' }), 404, 'UNKNOWN_MEMBER')
  })
})

describe('a timeout', () => {
  it('mutes, prevents changes of the own nickname, and outlives leaving', async () => {
    const brian = await home.member()
    const until = inAnHour()
    const timedOut = { communication_disabled_until: until, mute: true }
    expect(
      bodyOf(await change(ada, brian, { communication_disabled_until: until, timeout_reason: 'flood' })),
    ).toMatchObject(timedOut)
    expectRefusal(await change(brian, '@me', { nick: 'x' }), 403, 'COMMUNICATION_DISABLED')
    expect((await change(brian, '@me', { bio: 'x' })).status).toBe(200)
    const leaving = `/v1/users/@me/guilds/${home.id}`
    expect((await guildhall.request('DELETE', leaving, { token: brian.token })).status).toBe(204)
    await accept(guildhall, brian, await invite(guildhall, ada, home.channel))
    expect(await memberNow(brian)).toMatchObject({ ...timedOut, nick: null })
    const lifted = { communication_disabled_until: null, mute: false }
    expect(bodyOf(await change(ada, brian, { communication_disabled_until: null }))).toMatchObject(lifted)
  })

  it('is not possible for oneself or for holders of MODERATE_MEMBERS', async () => {
    const moderator = await home.holder('MODERATE_MEMBERS')
    const boss = await home.holder('MODERATE_MEMBERS')
    const body = { communication_disabled_until: inAnHour() }
    for (const target of [moderator, boss] as const)
      expectRefusal(await change(boss, target, body), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await change(ada, '@me', body), 403, 'MISSING_PERMISSIONS')
  })

  it('is in the future, and ends within 365.25 days', async () => {
    const brian = await home.member()
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const until = (days: number) => change(ada, brian, { communication_disabled_until: at(days) })
    const path = 'communication_disabled_until'
    expectFields(await until(-1), field(path, 'INVALID_TIMEOUT_VALUE'))
    expectFields(await until(365.26), field(path, 'TIMEOUT_CANNOT_EXCEED_365_DAYS'))
    expect((await until(365)).status).toBe(200)
  })
})

describe('a role of a member', () => {
  const put = (account: TestAccount, target: TestAccount, role: string) =>
    home.send(account, 'PUT', `/members/${target.id}/roles/${role}`)
  const take = (account: TestAccount, target: TestAccount, role: string) =>
    home.send(account, 'DELETE', `/members/${target.id}/roles/${role}`)

  it('is given and removed once, with an entry each', async () => {
    const [brian, role] = [await home.member(), await home.role()]
    for (const answer of [await put(ada, brian, role), await put(ada, brian, role)]) expect(answer.status).toBe(204)
    expect(await memberNow(brian)).toMatchObject({ roles: [role] })
    for (const answer of [await take(ada, brian, role), await take(ada, brian, role)]) expect(answer.status).toBe(204)
    expect(await memberNow(brian)).toMatchObject({ roles: [] })
    expect(await home.entries(25)).toHaveLength(2)
  })

  it('is lost in no race', async () => {
    const [brian, roles] = [await home.member(), await Promise.all([home.role(), home.role(), home.role()])]
    await Promise.all(roles.map((role) => put(ada, brian, role)))
    expect(new Set((await memberNow(brian))['roles'] as readonly string[])).toStrictEqual(new Set(roles))
  })

  it('requires MANAGE_ROLES, and a rank above the role and the member', async () => {
    const [low, brian] = [await home.role(), await home.member()]
    const peer = await home.holder('MANAGE_ROLES')
    const [own] = (await memberNow(peer))['roles'] as readonly string[]
    const higher = await home.holder('VIEW_AUDIT_LOG')
    for (const ask of [put, take]) {
      expectRefusal(await ask(brian, brian, low), 403, 'MISSING_PERMISSIONS')
      expectRefusal(await ask(peer, brian, String(own)), 403, 'MISSING_PERMISSIONS')
      expectRefusal(await ask(peer, higher, low), 403, 'MISSING_PERMISSIONS')
      expectRefusal(await ask(peer, carol, low), 404, 'UNKNOWN_MEMBER')
      for (const unknown of [nowhere, home.id]) {
        expectRefusal(await ask(peer, brian, unknown), 403, 'MISSING_PERMISSIONS')
        expectRefusal(await ask(ada, brian, unknown), 404, 'UNKNOWN_ROLE')
      }
      for (const target of [brian, peer]) expect((await ask(peer, target, low)).status).toBe(204)
      expect((await ask(ada, ada, low)).status).toBe(204)
    }
  })
})

describe('kicking a member', () => {
  const kick = (account: TestAccount, { id }: TestAccount) => home.send(account, 'DELETE', `/members/${id}`)

  it('ends the membership, which can begin again', async () => {
    const brian = await home.member()
    expect((await kick(ada, brian)).status).toBe(204)
    expectRefusal(await read(brian), 403, 'MISSING_PERMISSIONS')
    expect(await home.entries(20)).toMatchObject([{ user_id: ada.id, target_id: brian.id }])
    expect((await home.entries(20))[0]).not.toHaveProperty('changes')
    expect((await accept(guildhall, brian, await invite(guildhall, ada, home.channel))).status).toBe(200)
  })

  it('requires KICK_MEMBERS and a higher rank, and applies neither to oneself nor to the owner', async () => {
    const [brian, kicker] = [await home.member(), await home.holder('KICK_MEMBERS')]
    const higher = await home.holder('VIEW_AUDIT_LOG')
    expectRefusal(await kick(brian, kicker), 403, 'MISSING_PERMISSIONS')
    for (const target of [kicker, ada, carol]) expectRefusal(await kick(kicker, target), 404, 'UNKNOWN_MEMBER')
    expectRefusal(await kick(kicker, higher), 403, 'MISSING_PERMISSIONS')
    expect((await kick(kicker, brian)).status).toBe(204)
  })
})
