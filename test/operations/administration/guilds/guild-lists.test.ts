import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { permissionBits } from '../../../../domain/permissions/permission-bits.ts'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import { accept, bodyOf, crowd, expectFields, expectRefusal, found, invite, listOf } from '../../support/answers.ts'
import { customCodesOn, newCode, setFeatures } from '../../support/custom-codes.ts'
import { threadsHeader } from '../../support/threads.ts'
import { foundWith, openServer } from '../../support/scene.ts'
import { guildReadsOn, unknownGuild } from './support.ts'

type Members = Readonly<Record<string, unknown>>

const guildhall = await openServer()
const { request } = guildhall
const { read, lastEntry } = await guildReadsOn(guildhall)
const [ada, brian, carol] = await Promise.all([guildhall.register(), guildhall.register(), guildhall.register()])
const idsIn = (people: readonly Members[]) => people.map(({ user }) => (user as { readonly id: string }).id)
const part = async (path: string, name: string) => bodyOf(await read(path))[name] as readonly Members[]
const byId = (...people: readonly { readonly id: string }[]) =>
  people.map(({ id }) => id).toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1))
const nameOf = async ({ token }: { readonly token: string }) =>
  bodyOf(await request('GET', '/v1/users/@me', { token }))['username']

describe('List Admin guild members', () => {
  it('gives them by id, each with how it came in', async () => {
    const home = await found(guildhall, ada)
    const code = await invite(guildhall, ada, home.channel)
    bodyOf(await accept(guildhall, brian, code))
    const nick = { token: ada.token, body: { nick: 'Bee' } }
    bodyOf(await request('PATCH', `/v1/guilds/${home.id}/members/${brian.id}`, nick))
    const members = await part(`/${home.id}/members`, 'members')
    expect(idsIn(members)).toEqual(byId(ada, brian))
    const user = { id: brian.id, username: await nameOf(brian), global_name: null, avatar: null }
    expect(members.find(({ nick: name }) => name === 'Bee')).toStrictEqual({
      user: { ...user, discriminator: expect.stringMatching(/^\d{4}$/) },
      bot: false,
      nick: 'Bee',
      roles: [],
      deaf: false,
      communication_disabled_until: null,
      avatar: null,
      banner: null,
      bio: null,
      pronouns: null,
      joined_at: expect.any(String),
      temporary: false,
      mute: false,
      admitted_by: 'invite',
      invite_code: code,
      inviter_id: ada.id,
    })
    const founder = { admitted_by: 'founding', invite_code: null, inviter_id: null }
    expect(members.find(({ nick: name }) => name === null)).toMatchObject(founder)
    expect(await lastEntry()).toMatchObject({
      action: 'list_guild_members',
      targetType: 'guild',
      targetId: home.id,
      metadata: { limit: '50', has_query: 'false', member_count: '2' },
    })
  })
  it('comes in pages after an account, and by the beginning of the username, the display name or the nickname', async () => {
    const home = await foundWith(guildhall, ada, brian)
    bodyOf(await accept(guildhall, carol, await invite(guildhall, ada, home.channel)))
    const [first = '', second = '', third = ''] = byId(ada, brian, carol)
    const ids = async (query: string) => idsIn(await part(`/${home.id}/members${query}`, 'members'))
    expect(await ids('?limit=2')).toEqual([first, second])
    expect(await ids(`?limit=2&after=${second}`)).toEqual([third])
    expect(await lastEntry()).toMatchObject({
      metadata: { limit: '2', after_user_id: second, has_query: 'false', member_count: '1' },
    })
    const nick = { token: ada.token, body: { nick: 'Queen' } }
    bodyOf(await request('PATCH', `/v1/guilds/${home.id}/members/${carol.id}`, nick))
    expect(await ids('?q=qUEE')).toEqual([carol.id])
    expect(await ids(`?q=queen&after=${carol.id}`)).toEqual([])
    expect(await ids('?q=ueen')).toEqual([])
    for (const person of [brian, carol]) expect(await ids(`?q=${String(await nameOf(person))}`)).toEqual([person.id])
    const shown = { token: carol.token, body: { global_name: 'Countess 100%' } }
    bodyOf(await request('PATCH', '/v1/users/@me', shown))
    expect(await ids('?q=countess%20100%25')).toEqual([carol.id])
    expect(await ids('?q=count%25s')).toEqual([])
    bodyOf(await request('PATCH', '/v1/users/@me', { ...shown, body: { global_name: null } }))
    expect(await ids('?q=countess')).toEqual([])
    expect(await ids('?q=queen')).toEqual([carol.id])
    expect((await lastEntry())?.metadata).toStrictEqual({ limit: '50', has_query: 'true', member_count: '1' })
  })
  it('says who came by which invite, also by one that has ended, and by the custom one', async () => {
    const home = await found(guildhall, ada)
    const people = await crowd(guildhall, 3)
    const [one, two, three] = [people[0] ?? ada, people[1] ?? ada, people[2] ?? ada]
    const [first, second] = [
      await invite(guildhall, ada, home.channel, { max_uses: 1 }),
      await invite(guildhall, ada, home.channel),
    ]
    await setFeatures(guildhall, home.id, 'VANITY_URL')
    const custom = newCode()
    bodyOf(await customCodesOn(() => guildhall).choose(ada, home.id, custom))
    for (const [person, code] of [
      [one, first],
      [two, second],
      [three, custom],
    ] as const)
      bodyOf(await accept(guildhall, person, code))
    const cameBy = async (code: string) => idsIn(await part(`/${home.id}/members?invite=${code}`, 'members'))
    expect(await cameBy(first)).toEqual([one.id])
    expect(await cameBy(second)).toEqual([two.id])
    expect(await cameBy(custom.toUpperCase())).toEqual([three.id])
    expect(await cameBy('never')).toEqual([])
    expect((await lastEntry())?.metadata).toMatchObject({ invite_code: 'never', member_count: '0' })
    const { invites, vanity_url: url } = bodyOf(await read(`/${home.id}/invites`))
    expect(invites).toMatchObject([{ code: second, uses: 1 }])
    expect(url).toStrictEqual({ code: custom, uses: 1 })
  })
})

describe('List Admin guild channels and roles', () => {
  it('give what only a few see, with overwrites and permissions', async () => {
    const home = await found(guildhall, ada)
    const as = { token: ada.token, headers: threadsHeader }
    const permissions = (permissionBits.BAN_MEMBERS | permissionBits.MANAGE_THREADS).toString()
    const body = { name: 'Moderator', permissions }
    const role = bodyOf(await request('POST', `/v1/guilds/${home.id}/roles`, { ...as, body }))
    const hidden = [{ id: home.id, type: 0, allow: '0', deny: permissionBits.VIEW_CHANNEL.toString() }]
    const secret = { name: 'secret', type: 0, permission_overwrites: hidden }
    const made = bodyOf(await request('POST', `/v1/guilds/${home.id}/channels`, { ...as, body: secret }))
    const forum = bodyOf(
      await request('POST', `/v1/guilds/${home.id}/channels`, { ...as, body: { name: 'f', type: 15 } }),
    )
    const said = { ...as, body: { content: 'hello' } }
    const message = bodyOf(await request('POST', `/v1/channels/${String(made['id'])}/messages`, said))
    const channels = await part(`/${home.id}/channels`, 'channels')
    expect(channels.find(({ id }) => id === made['id'])).toMatchObject({
      name: 'secret',
      permission_overwrites: hidden,
      last_message_id: message['id'],
    })
    expect(channels.find(({ id }) => id === forum['id'])).toMatchObject({ available_tags: [] })
    const count = String(channels.length)
    expect(await lastEntry()).toMatchObject({
      action: 'list_guild_channels',
      targetId: home.id,
      metadata: { channel_count: count },
    })
    const roles = await part(`/${home.id}/roles`, 'roles')
    expect(roles.map(({ name }) => name)).toEqual(['Moderator', '@everyone'])
    expect(roles[0]).toMatchObject({ id: role['id'], permissions })
    expect(await lastEntry()).toMatchObject({ action: 'list_guild_roles', metadata: { role_count: '2' } })
  })
})

describe('List Admin guild invites', () => {
  it('gives those that can still admit, newest first, each with who made it', async () => {
    const home = await foundWith(guildhall, ada, brian)
    const code = await invite(guildhall, brian, home.channel, { max_uses: 5, max_age: 3600 })
    const invites = await part(`/${home.id}/invites`, 'invites')
    expect(invites).toHaveLength(2)
    expect(invites[0]).toStrictEqual({
      code,
      channel_id: home.channel,
      channel_name: 'general',
      inviter: expect.objectContaining({ id: brian.id }),
      uses: 0,
      temporary: false,
      created_at: expect.any(String),
      expires_at: expect.any(String),
      max_uses: 5,
      max_age: 3600,
    })
    expect(invites[1]).toMatchObject({ inviter: { id: ada.id }, uses: 1 })
    expect(await lastEntry()).toMatchObject({ action: 'list_guild_invites', metadata: { invite_count: '2' } })
    await request('DELETE', `/v1/channels/${home.channel}`, { token: ada.token })
    expect(await part(`/${home.id}/invites`, 'invites')).toMatchObject([{ channel_name: null }, { channel_name: null }])
  })
})

describe('List Admin guild bans', () => {
  it('gives those in force by id, in pages, with their reasons for holders of audit_log:view alone', async () => {
    const home = await found(guildhall, ada)
    const [one, two] = byId(brian, carol)
    for (const id of [one, two])
      await request('PUT', `/v1/guilds/${home.id}/bans/${id}`, { token: ada.token, body: { reason: `CANARY ${id}` } })
    const bans = await part(`/${home.id}/bans`, 'bans')
    expect(bans[0]).toStrictEqual({
      user: expect.objectContaining({ id: one }),
      moderator: expect.objectContaining({ id: ada.id }),
      reason: `CANARY ${one}`,
      banned_at: expect.any(String),
      expires_at: null,
    })
    expect(idsIn(bans)).toEqual([one, two])
    expect(idsIn(await part(`/${home.id}/bans?limit=1`, 'bans'))).toEqual([one])
    expect(idsIn(await part(`/${home.id}/bans?limit=1&after=${one}`, 'bans'))).toEqual([two])
    expect(await lastEntry()).toMatchObject({
      action: 'list_guild_bans',
      targetId: home.id,
      metadata: { limit: '1', after_user_id: one, ban_count: '1' },
    })
    const narrow = await administrator(guildhall, 'admin:authenticate', 'guild:lookup')
    const masked = bodyOf(await read(`/${home.id}/bans`, narrow))['bans']
    expect(masked).toMatchObject([{ reason: null }, { reason: null }])
    expect(JSON.stringify(masked)).not.toContain('CANARY')
    await request('DELETE', `/v1/guilds/${home.id}/bans/${one}`, { token: ada.token })
    expect(idsIn(await part(`/${home.id}/bans`, 'bans'))).toEqual([two])
  })
})

describe('The lists of a guild', () => {
  const lists = ['members', 'channels', 'roles', 'invites', 'bans'] as const
  it.each(lists)(
    'refuse an unknown guild and a deleted one, what is no id, and callers who may not read: %s',
    async (below) => {
      const home = await found(guildhall, ada)
      const path = `/${home.id}/${below}`
      const other = below === 'members' ? 'guild:lookup' : 'guild:list:members'
      const narrow = await administrator(guildhall, 'admin:authenticate', other)
      const before = (await auditEntries(guildhall)).length
      expectRefusal(await read(`/${unknownGuild}/${below}`), 404, 'UNKNOWN_GUILD')
      expectFields(await read(`/none/${below}`), field('guild_id', 'INVALID_SNOWFLAKE_FORMAT'))
      expectRefusal(await read(path, narrow), 403, 'MISSING_ACL')
      expectRefusal(await read(path, ada), 403, 'MISSING_PERMISSIONS')
      expectRefusal(await request('GET', `/v1/admin/guilds${path}`), 401, 'UNAUTHORIZED')
      const proof = { token: ada.token, body: { password: ada.password } }
      expect((await request('POST', `/v1/guilds/${home.id}/delete`, proof)).status).toBe(204)
      expectRefusal(await read(path), 404, 'UNKNOWN_GUILD')
      expect((await auditEntries(guildhall)).length).toBe(before)
    },
  )
  it.each([
    ['members?limit=0', 'limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['members?limit=201', 'limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['members?after=none', 'after', 'INVALID_SNOWFLAKE_FORMAT'],
    ['members?q=', 'q', 'STRING_LENGTH_INVALID'],
    [`members?q=${'a'.repeat(33)}`, 'q', 'STRING_LENGTH_INVALID'],
    ['members?invite=', 'invite', 'STRING_LENGTH_INVALID'],
    ['bans?limit=201', 'limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['bans?after=-1', 'after', 'INVALID_SNOWFLAKE_FORMAT'],
  ] as const)('refuse %s', async (query, path, code) => {
    expectFields(await read(`/${unknownGuild}/${query}`), field(path, code))
  })
})

describe('What is said of a guild elsewhere', () => {
  it('is its audit log in history, for holders of guild:audit_log:view too, and nothing else of history', async () => {
    const home = await found(guildhall, ada, 'Before')
    await request('PATCH', `/v1/guilds/${home.id}`, { token: ada.token, body: { name: 'After' } })
    const { token } = await administrator(guildhall, 'admin:authenticate', 'guild:audit_log:view')
    const history = `/v1/admin/history/guilds/${home.id}`
    expect(listOf(await request('GET', `${history}/audit-logs`, { token }))).toMatchObject([{ action: 'GUILD_UPDATE' }])
    expectRefusal(await request('GET', history, { token }), 403, 'MISSING_ACL')
  })
  it('is what was reported of it', async () => {
    const home = await foundWith(guildhall, ada, brian)
    const body = { guild_id: home.id, category: 'spam' }
    bodyOf(await request('POST', '/v1/reports/guild', { token: brian.token, body }))
    const { token } = await administrator(guildhall, 'admin:authenticate', 'report:view')
    const reports = bodyOf(await request('GET', `/v1/admin/reports?reported_guild_id=${home.id}`, { token }))
    expect(reports).toMatchObject({ total: 1, reports: [{ reported_guild_id: home.id, category: 'spam' }] })
  })
})
