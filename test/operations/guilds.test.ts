import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GuildCommand } from '../../domain/guild/commands.js'
import { field, type FieldError } from '../../domain/kernel/refusal.js'
import { testContext } from '../support/test-context.js'
import type { TestAccount, TestGuildhall } from '../support/test-guildhall.js'
import {
  accept,
  bodyOf,
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
const create = (account: TestAccount, body: unknown) =>
  guildhall.request('POST', '/v1/guilds', { token: account.token, body })
const get = (account: TestAccount, id: string) => guildhall.request('GET', `/v1/guilds/${id}`, { token: account.token })
const list = (account: TestAccount, query = '') =>
  guildhall.request('GET', `/v1/users/@me/guilds${query}`, { token: account.token })
const leave = (account: TestAccount, id: string, query = '', body?: unknown) =>
  guildhall.request('DELETE', `/v1/users/@me/guilds/${id}${query}`, { token: account.token, body })
const remove = (account: TestAccount, id: string, body: unknown = { password: account.password }) =>
  guildhall.request('POST', `/v1/guilds/${id}/delete`, { token: account.token, body })
const auditLog = (account: TestAccount, id: string, query = '') =>
  guildhall.request('GET', `/v1/guilds/${id}/audit-logs${query}`, { token: account.token })

/** Does to a guild what no operation of this build can. */
async function command(id: string, change: GuildCommand): Promise<void> {
  const context = testContext()
  await guildhall.ports.aggregates.guild.execute(id, change, context)
  await guildhall.ports.readModels.reached(context.written)
}

describe('Create guild', () => {
  it('answers with the guild object, without what only Get guild fills', async () => {
    const body = bodyOf(await create(ada, { name: '  The Engine \u202e' }))
    expect(body).toMatchObject({
      name: 'The Engine',
      owner_id: ada.id,
      nsfw_level: 0,
      afk_timeout: 300,
      features: expect.arrayContaining(['BANNER']),
    })
    for (const member of ['roles', 'channels', 'permissions', 'member_count']) expect(body).not.toHaveProperty(member)
  })

  it('takes names of 1 to 100 characters, counted as characters, and null for what is not given', async () => {
    for (const name of ['x', '🏰'.repeat(100), 'a'.repeat(100)])
      expect(bodyOf(await create(ada, { name }))['name']).toBe(name)
    const body = {
      name: 'x',
      icon: null,
      empty_features: true,
      template: null,
      owner_id: brian.id,
      features: ['VERIFIED'],
    }
    expect(bodyOf(await create(ada, body))).toMatchObject({ owner_id: ada.id, features: [] })
  })

  const refused: readonly (readonly [unknown, FieldError])[] = [
    [{}, field('name', 'INVALID_FORMAT')],
    [{ name: null }, field('name', 'INVALID_FORMAT')],
    [{ name: 7 }, field('name', 'INVALID_FORMAT')],
    [{ name: '' }, field('name', 'STRING_LENGTH_INVALID')],
    [{ name: ' \f ' }, field('name', 'STRING_LENGTH_INVALID')],
    [{ name: 'a'.repeat(101) }, field('name', 'STRING_LENGTH_INVALID')],
    [{ name: 'x', empty_features: 'true' }, field('empty_features', 'INVALID_FORMAT')],
    [{ name: 'x', icon: '' }, field('icon', 'BASE64_LENGTH_INVALID')],
    [{ name: 'x', icon: 'data:image/png;base64,' }, field('icon', 'BASE64_LENGTH_INVALID')],
    [{ name: 'x', icon: 'not base64!' }, field('icon', 'INVALID_BASE64_FORMAT')],
    [{ name: 'x', icon: 'data:image/png;base64,iVBORw0KGgo=' }, field('icon', 'FAILED_TO_UPLOAD_IMAGE')],
    [{ name: 'x', template: 'x' }, field('template', 'INVALID_FORMAT')],
  ]
  it.each(refused)('refuses %j', async (body, expected) => {
    expectFields(await create(ada, body), expected)
  })

  it('refuses, in this order: nobody, an unclaimed account, an unverified one, a template', async () => {
    const register = async (body: unknown) =>
      String(bodyOf(await guildhall.request('POST', '/v1/auth/register', { body }))['token'])
    const as = (token: string) => create({ ...ada, token }, { name: 'x', template: {} })
    expectRefusal(await guildhall.request('POST', '/v1/guilds', { body: {} }), 401, 'UNAUTHORIZED')
    expectRefusal(await as(await register({})), 400, 'UNCLAIMED_ACCOUNT_CANNOT_CREATE_GUILDS')
    expectRefusal(
      await as(await register({ password: 'a password' })),
      403,
      'GUILD_CREATION_EMAIL_VERIFICATION_REQUIRED',
    )
    expectRefusal(await as(ada.token), 400, 'GUILD_TEMPLATE_INVALID')
  })
})

describe('Get guild', () => {
  it('has roles, viewable channels and counts, for a member', async () => {
    const body = bodyOf(await get(brian, home.id))
    expect(body).toMatchObject({ id: home.id, member_count: 2, online_count: 0, emojis: [], stickers: [] })
    const channels = body['channels'] as readonly { readonly name: string }[]
    expect(channels.toSorted((one, other) => one.name.localeCompare(other.name, 'en'))).toMatchObject([
      { name: 'general', type: 0, id: home.channel },
      { name: 'General', type: 2, bitrate: 64_000 },
      { name: 'Text Channels', type: 4 },
      { name: 'Voice Channels', type: 4 },
    ])
    expect(body['roles']).toMatchObject([{ id: home.id, name: '@everyone', hoist_position: null }])
  })

  it('keeps thread permissions for who declares that it understands threads', async () => {
    const masks = async (headers = {}) => {
      const { roles } = bodyOf(await guildhall.request('GET', `/v1/guilds/${home.id}`, { token: ada.token, headers }))
      return (roles as readonly { readonly permissions: string }[]).map(({ permissions }) => permissions)
    }
    expect(await masks()).toStrictEqual([(8_933_636_165_185n | (1n << 54n)).toString()])
    const threads = (1n << 35n) | (1n << 36n) | (1n << 38n)
    expect(await masks({ 'x-service-features': 'x, Channel_Threads' })).toStrictEqual([
      (8_933_636_165_185n | (1n << 54n) | threads).toString(),
    ])
  })

  it('refuses an unknown guild, a stranger, and an id that is none', async () => {
    expectRefusal(await get(ada, nowhere), 404, 'UNKNOWN_GUILD')
    expectRefusal(await get(ada, '0'), 404, 'UNKNOWN_GUILD')
    expectRefusal(await get(carol, home.id), 403, 'MISSING_PERMISSIONS')
    expectFields(await get(ada, 'home'), field('guild_id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectFields(await get(ada, `0${home.id}`), field('guild_id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectFields(await get(ada, '9223372036854775808'), field('guild_id', 'SNOWFLAKE_OUT_OF_RANGE'))
    expectRefusal(await guildhall.request('GET', `/v1/guilds/${home.id}`), 401, 'UNAUTHORIZED')
  })

  it('refuses everybody while the guild is unavailable, though it stays in the list and can be left', async () => {
    const shut = await found(guildhall, ada)
    await accept(guildhall, carol, await invite(guildhall, ada, shut.channel))
    await command(shut.id, { type: 'SetFeatures', features: ['UNAVAILABLE_FOR_EVERYONE'] })
    for (const account of [ada, brian, carol]) expectRefusal(await get(account, shut.id), 403, 'MISSING_ACCESS')
    expect(listOf(await list(carol)).map(({ id }) => id)).toContain(shut.id)
    expect((await leave(carol, shut.id)).status).toBe(204)
    expectRefusal(await auditLog(ada, shut.id), 403, 'MISSING_ACCESS')
    expectRefusal(await remove(ada, shut.id), 403, 'MISSING_ACCESS')
  })
})

describe('List current user guilds', () => {
  it('pages in ascending order, ignores a foreign cursor, and lets after win', async () => {
    const account = await guildhall.register()
    const ids: string[] = []
    for (let made = 0; made < 5; made += 1) ids.push((await found(guildhall, account)).id)
    const page = async (query: string) => listOf(await list(account, query)).map(({ id }) => id)
    expect(await page('')).toStrictEqual(ids)
    expect(await page('?limit=2')).toStrictEqual(ids.slice(0, 2))
    expect(await page(`?after=${ids[1]}`)).toStrictEqual(ids.slice(2))
    expect(await page(`?before=${ids[3]}`)).toStrictEqual(ids.slice(0, 3))
    expect(await page(`?before=${ids[3]}&limit=2`)).toStrictEqual(ids.slice(1, 3))
    expect(await page(`?before=${ids[1]}&after=${ids[3]}`)).toStrictEqual(ids.slice(4))
    for (const cursor of [`after=${home.id}`, `before=${home.id}`, 'after=0'])
      expect(await page(`?${cursor}`)).toStrictEqual(ids)
    expect(await page(`?after=${ids[4]}`)).toStrictEqual([])
  })

  it('has permissions always, and counts where they are wanted', async () => {
    const [plain] = listOf(await list(brian))
    expect(plain).toMatchObject({ id: home.id, permissions: (8_933_636_165_185n | (1n << 54n)).toString() })
    expect(plain).not.toHaveProperty('approximate_member_count')
    for (const spelling of ['true', 'True', '1']) {
      const [counted] = listOf(await list(brian, `?with_counts=${spelling}`))
      expect(counted).toMatchObject({ approximate_member_count: 2, approximate_presence_count: 0 })
    }
    expect(listOf(await list(brian, '?with_counts=TRUE'))[0]).not.toHaveProperty('approximate_member_count')
  })

  it.each([
    ['?limit=0', field('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE')],
    ['?limit=201', field('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE')],
    ['?limit=1e2', field('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE')],
    ['?limit=', field('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE')],
    ['?before=x', field('before', 'INVALID_SNOWFLAKE_FORMAT')],
    ['?after=-1', field('after', 'INVALID_SNOWFLAKE_FORMAT')],
  ])('refuses %s', async (query, expected) => {
    expectFields(await list(brian, query), expected)
  })
})

describe('Leave guild', () => {
  it('ends the membership, and says UNKNOWN_MEMBER from then on', async () => {
    await accept(guildhall, carol, await invite(guildhall, ada, home.channel))
    expect(await leave(carol, home.id)).toMatchObject({ status: 204, body: undefined })
    expectRefusal(await leave(carol, home.id), 404, 'UNKNOWN_MEMBER')
    expectRefusal(await get(carol, home.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await leave(carol, nowhere), 404, 'UNKNOWN_MEMBER')
  })

  it('refuses the owner on guild_id', async () => {
    expectFields(await leave(ada, home.id), field('guild_id', 'CANNOT_LEAVE_GUILD_AS_OWNER'))
  })

  it('tells a stranger who wants messages deleted whether the guild exists', async () => {
    expectRefusal(await leave(carol, home.id, '?delete_messages=true'), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await leave(carol, nowhere, '?delete_messages=true'), 404, 'UNKNOWN_GUILD')
    expectRefusal(await leave(carol, nowhere, '?delete_messages=TRUE'), 404, 'UNKNOWN_MEMBER')
  })

  it('checks the sudo fields of its body always', async () => {
    expectFields(await leave(brian, home.id, '', { mfa_code: '' }), field('mfa_code', 'INVALID_MFA_CODE'))
    expectFields(await leave(brian, home.id, '', { mfa_method: 'sms' }), field('mfa_method', 'INVALID_FORMAT'))
    expectFields(await leave(brian, home.id, '', { mfa_code: 'x'.repeat(33) }), field('mfa_code', 'INVALID_MFA_CODE'))
    expect((await get(brian, home.id)).status).toBe(200)
  })

  it('needs sudo mode of a member who wants messages deleted, and of nobody else', async () => {
    const other = await found(guildhall, ada)
    await accept(guildhall, carol, await invite(guildhall, ada, other.channel))
    const wrong = { password: 'another password' }
    expectRefusal(await leave(carol, other.id, '?delete_messages=true'), 403, 'SUDO_MODE_REQUIRED')
    expectFields(await leave(carol, other.id, '?delete_messages=true', wrong), field('password', 'INVALID_PASSWORD'))
    expectRefusal(await leave(brian, other.id, '?delete_messages=true', wrong), 403, 'MISSING_PERMISSIONS')
    expect((await leave(carol, other.id, '?delete_messages=true', { password: carol.password })).status).toBe(204)
    await accept(guildhall, carol, await invite(guildhall, ada, other.channel))
    expect((await leave(carol, other.id, '', wrong)).status).toBe(204)
  })
})

describe('Delete guild', () => {
  it('is the owner’s alone, and leaves nothing behind', async () => {
    const gone = await found(guildhall, ada)
    const code = await invite(guildhall, ada, gone.channel)
    await accept(guildhall, brian, code)
    expectRefusal(await remove(brian, gone.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await remove(carol, gone.id), 403, 'MISSING_PERMISSIONS')
    expect(await remove(ada, gone.id)).toMatchObject({ status: 204, body: undefined })
    for (const account of [ada, brian]) {
      expectRefusal(await get(account, gone.id), 404, 'UNKNOWN_GUILD')
      expect(listOf(await list(account)).map(({ id }) => id)).not.toContain(gone.id)
    }
    expectRefusal(await remove(ada, gone.id), 404, 'UNKNOWN_GUILD')
    expectRefusal(await auditLog(ada, gone.id), 404, 'UNKNOWN_GUILD')
    expectRefusal(await leave(brian, gone.id), 404, 'UNKNOWN_MEMBER')
    expect((await guildhall.request('GET', `/v1/invites/${code}`)).status).toBe(404)
  })

  it('needs sudo mode before it says anything of the guild', async () => {
    for (const id of [home.id, nowhere]) expectRefusal(await remove(brian, id, {}), 403, 'SUDO_MODE_REQUIRED')
  })

  it('checks the sudo fields of its body', async () => {
    expectFields(await remove(ada, home.id, { mfa_method: 'sms' }), field('mfa_method', 'INVALID_FORMAT'))
  })
})
