import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accountId, guildId, membershipId, roleId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { permissionBits, type PermissionName } from '../../../domain/permissions/permission-bits.ts'
import { bareBan } from '../../../domain/testing/people.ts'
import { Client } from '../../gateway/support/client.ts'
import { identifyOf } from '../../gateway/support/facts.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestAccount, TestAnswer } from '../../support/test-guildhall.ts'
import { accept, bodyOf, crowd, expectRefusal, found, invite, listOf, type TestGuild } from '../support/answers.ts'
import { asBot, type TestApplication } from '../support/applications.ts'
import { asBearer, consent, exchange, newClient, redirectUri, tokensIn } from '../support/oauth2.ts'
import { openServer } from '../support/scene.ts'

const limits = { max_guild_roles: 5, max_guild_members: 6 }

let ada: TestAccount
let owner: TestAccount
let engine: TestApplication
let home: TestGuild
const clients: Client[] = []

const guildhall = await openServer({ limits })
beforeEach(async () => {
  ;[ada, owner] = [await guildhall.register(), await guildhall.register()]
  engine = await newClient(guildhall, owner)
  home = await found(guildhall, ada)
})
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
})

const bits = (...names: readonly PermissionName[]): string =>
  names.reduce((mask, name) => mask | permissionBits[name], 0n).toString()

/** Adds the bot to the guild; the body may have more members. */
const install = (wishes: object = {}, by = ada, application = engine) =>
  consent(guildhall, by, application, { scope: 'bot', redirect_uri: null, guild_id: home.id, ...wishes })

async function guildNow() {
  const guild = bodyOf(await guildhall.request('GET', `/v1/guilds/${home.id}`, { token: ada.token }))
  return guild as unknown as {
    readonly member_count: number
    readonly roles: readonly Readonly<Record<string, unknown>>[]
  }
}

const memberOf = (id: string) =>
  guildhall.ports.queries.members.find(guildId(snowflake(home.id)), accountId(snowflake(id)))

/** Gives a member a role with these permissions. */
async function empower(member: TestAccount, ...names: readonly PermissionName[]): Promise<void> {
  const context = testContext()
  const [guild, account] = [guildId(snowflake(home.id)), accountId(snowflake(member.id))]
  const role = { ...plainRole, id: roleId(snowflake(member.id)), permissions: bits(...names) }
  const { aggregates, readModels } = guildhall.ports
  await aggregates.guild.execute(guild, { type: 'AddBotRole', role, roles_max: 250 }, context)
  const roles = { type: 'AddMemberRole', roleId: role.id } as const
  await aggregates.membership.execute(membershipId(guild, account), roles, context)
  await readModels.reached(context.written)
}

const plainRole = {
  name: 'Mods',
  position: 1,
  color: 0,
  hoist: false,
  hoistPosition: null,
  mentionable: false,
  unicodeEmoji: null,
}

async function expectAbsent(answer: TestAnswer, status: number, code: string): Promise<void> {
  expectRefusal(answer, status, code)
  expect(await memberOf(engine.id)).toBeUndefined()
  expect((await guildNow()).roles).toHaveLength(1)
  expect(listOf(await guildhall.request('GET', '/v1/oauth2/@me/authorizations', { token: ada.token }))).toStrictEqual(
    [],
  )
}

describe('adding a bot to a guild', () => {
  it('makes it a member, and redirects to the web application if no redirect URI is named', async () => {
    const { redirect_to: to } = bodyOf(await install({ state: 's' }))
    const url = new URL(String(to))
    expect(url.origin).toBe(guildhall.url)
    expect(url.searchParams.get('state')).toBe('s')
    expect(bodyOf(await guildhall.request('GET', `/v1/guilds/${home.id}`, { token: asBot(engine) }))).toMatchObject({
      id: home.id,
      member_count: 2,
    })
    expect((await guildNow()).roles).toHaveLength(1)
    expect(await memberOf(engine.id)).toMatchObject({ roles: [] })
  })

  it('with permissions creates one role at position 1, named after the application, which the bot holds', async () => {
    const permissions = bits('KICK_MEMBERS', 'VIEW_CHANNEL')
    bodyOf(await install({ permissions: (BigInt(permissions) | (1n << 63n)).toString() }))
    const [role, , ...others] = (await guildNow()).roles
    expect(role).toMatchObject({ name: 'Engine', position: 1, permissions, hoist: false, mentionable: false, color: 0 })
    expect(others).toStrictEqual([])
    expect(await memberOf(engine.id)).toMatchObject({ roles: [role?.['id']] })
  })

  it('beside other scopes gives a code for them', async () => {
    const both = { scope: 'identify bot', redirect_uri: redirectUri }
    const url = new URL(String(bodyOf(await install(both))['redirect_to']))
    const answer = await exchange(guildhall, engine, url.searchParams.get('code') ?? '')
    expect(bodyOf(answer)).toMatchObject({ scope: 'identify bot' })
    const token = asBearer(tokensIn(answer))
    expect(bodyOf(await guildhall.request('GET', '/v1/oauth2/userinfo', { token }))).toMatchObject({ id: ada.id })
    expect(await memberOf(engine.id)).toBeDefined()
  })

  it('is announced like an ordinary join, with the role, and is in the audit log', async () => {
    const [watcher, bot] = [await identified(ada.token), await identified(engine.botToken)]
    bodyOf(await install({ permissions: bits('KICK_MEMBERS') }))
    const { d: added } = await watcher.dispatch('GUILD_MEMBER_ADD')
    const { d: created } = await watcher.dispatch('GUILD_ROLE_CREATE')
    const { role } = created as { readonly role: { readonly id: string } }
    expect(added).toMatchObject({ guild_id: home.id, user: { id: engine.id, bot: true }, roles: [role.id] })
    expect((await bot.dispatch('GUILD_CREATE')).d).toMatchObject({ id: home.id, member_count: 2 })
    const { audit_log_entries: entries } = bodyOf(
      await guildhall.request('GET', `/v1/guilds/${home.id}/audit-logs`, { token: ada.token }),
    ) as { readonly audit_log_entries: readonly object[] }
    expect(entries).toMatchObject([
      { action_type: 30, user_id: ada.id, target_id: role.id },
      { action_type: 28, user_id: ada.id, target_id: engine.id, options: { temporary: false } },
    ])
  })

  it('happens once for one Idempotency-Key', async () => {
    const body = { client_id: engine.id, scope: 'bot', guild_id: home.id, permissions: bits('KICK_MEMBERS') }
    const once = () =>
      guildhall.request('POST', '/v1/oauth2/authorize/consent', {
        token: ada.token,
        body,
        headers: { 'idempotency-key': `add ${engine.id}` },
      })
    const [first, second] = [bodyOf(await once()), bodyOf(await once())]
    expect(second).toStrictEqual(first)
    expect((await guildNow()).roles).toHaveLength(2)
  })

  it('happens once, with one role, if 10 add it at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => install({ permissions: bits('KICK_MEMBERS') })))
    for (const answer of answers) if (answer.status !== 200) expectRefusal(answer, 400, 'BOT_ALREADY_IN_GUILD')
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await guildNow()).toMatchObject({ member_count: 2, roles: { length: 2 } })
  })
})

describe('adding a bot is refused', () => {
  it('if the application requires a code exchange, and no redirect URI is named', async () => {
    engine = await newClient(guildhall, owner, { bot_require_code_grant: true })
    expect((await install()).body).toMatchObject({ error: 'invalid_request' })
    expect((await install({ redirect_uri: redirectUri })).status).toBe(200)
  })

  it('with BOT_IS_PRIVATE for everybody but its owner', async () => {
    engine = await newClient(guildhall, ada, { bot_public: false })
    home = await found(guildhall, owner)
    expectRefusal(await install({}, owner), 403, 'BOT_IS_PRIVATE')
    home = await found(guildhall, ada)
    expect((await install()).status).toBe(200)
  })

  it('with UNKNOWN_GUILD, and UNKNOWN_CHANNEL or INVALID_CHANNEL_TYPE for a channel', async () => {
    await expectAbsent(await install({ guild_id: '1' }), 404, 'UNKNOWN_GUILD')
    const to = (channel: string) => install({ guild_id: null, channel_id: channel })
    await expectAbsent(await to('1'), 404, 'UNKNOWN_CHANNEL')
    await expectAbsent(await to(home.channel), 400, 'INVALID_CHANNEL_TYPE')
    const elsewhere = await found(guildhall, owner)
    await expectAbsent(await to(elsewhere.channel), 404, 'UNKNOWN_CHANNEL')
  })

  it('with MISSING_PERMISSIONS for strangers and for members who may not manage the guild', async () => {
    const brian = await guildhall.register()
    expectRefusal(await install({}, brian), 403, 'MISSING_PERMISSIONS')
    await accept(guildhall, brian, await invite(guildhall, ada, home.channel))
    expectRefusal(await install({}, brian), 403, 'MISSING_PERMISSIONS')
    await empower(brian, 'MANAGE_ROLES')
    expectRefusal(await install({}, brian), 403, 'MISSING_PERMISSIONS')
    expect(await memberOf(engine.id)).toBeUndefined()
  })

  it('with MISSING_PERMISSIONS for permissions that the caller does not have', async () => {
    const brian = await guildhall.register()
    await accept(guildhall, brian, await invite(guildhall, ada, home.channel))
    await empower(brian, 'MANAGE_GUILD', 'KICK_MEMBERS')
    for (const more of ['ADMINISTRATOR', 'BAN_MEMBERS'] as const)
      expectRefusal(await install({ permissions: bits(more) }, brian), 403, 'MISSING_PERMISSIONS')
    expect(await memberOf(engine.id)).toBeUndefined()
    expect((await install({ permissions: bits('KICK_MEMBERS') }, brian)).status).toBe(200)
  })

  it('with MISSING_ACCESS in an unavailable guild', async () => {
    const context = testContext()
    const features = ['UNAVAILABLE_FOR_EVERYONE'] as const
    const guild = guildId(snowflake(home.id))
    await guildhall.ports.aggregates.guild.execute(guild, { type: 'SetFeatures', features }, context)
    await guildhall.ports.readModels.reached(context.written)
    expectRefusal(await install(), 403, 'MISSING_ACCESS')
  })

  it('with TWO_FACTOR_REQUIRED for a manager while the MFA level is ELEVATED', async () => {
    const brian = await guildhall.register()
    await accept(guildhall, brian, await invite(guildhall, ada, home.channel))
    await empower(brian, 'MANAGE_GUILD')
    const context = testContext()
    const change = { type: 'ChangeSettings', settings: { mfaLevel: 1 } } as const
    await guildhall.ports.aggregates.guild.execute(guildId(snowflake(home.id)), change, context)
    await guildhall.ports.readModels.reached(context.written)
    expectRefusal(await install({}, brian), 400, 'TWO_FACTOR_REQUIRED')
    expect((await install()).status).toBe(200)
  })

  it('with BOT_ALREADY_IN_GUILD for a member', async () => {
    expect((await install()).status).toBe(200)
    expectRefusal(await install({ permissions: bits('KICK_MEMBERS') }), 400, 'BOT_ALREADY_IN_GUILD')
    expect((await guildNow()).roles).toHaveLength(1)
  })

  it('with USER_BANNED_FROM_GUILD for a banned bot', async () => {
    const context = testContext()
    const ids = { guildId: guildId(snowflake(home.id)), accountId: accountId(snowflake(engine.id)) }
    const ban = { type: 'BanMember', ...ids, moderatorId: accountId(snowflake(ada.id)), reason: null } as const
    await guildhall.ports.aggregates.membership.execute(
      membershipId(ids.guildId, ids.accountId),
      { ...ban, ...bareBan, expiresAt: null, now: context.now },
      context,
    )
    await guildhall.ports.readModels.reached(context.written)
    await expectAbsent(await install({ permissions: bits('KICK_MEMBERS') }), 403, 'USER_BANNED_FROM_GUILD')
  })

  it('with MAX_GUILD_ROLES only for a bot with permissions, also in a race', async () => {
    const bots = await Promise.all(Array.from({ length: 5 }, () => newClient(guildhall, owner)))
    const permissions = bits('KICK_MEMBERS')
    const answers = await Promise.all(bots.map((bot) => install({ permissions }, ada, bot)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(1)
    for (const answer of refused) {
      expectRefusal(answer, 400, 'MAX_GUILD_ROLES')
      expect(answer.body).toMatchObject({ max_guild_roles: 5 })
    }
    expect(await guildNow()).toMatchObject({ member_count: 5, roles: { length: 5 } })
    expect((await install()).status).toBe(200)
  })

  it('with MAX_GUILD_MEMBERS in a full guild', async () => {
    const code = await invite(guildhall, ada, home.channel)
    for (const newcomer of await crowd(guildhall, 5)) await accept(guildhall, newcomer, code)
    await expectAbsent(await install({ permissions: bits('KICK_MEMBERS') }), 400, 'MAX_GUILD_MEMBERS')
  })
})

async function identified(token: string): Promise<Client> {
  const { url } = bodyOf(await guildhall.request('GET', '/v1/gateway/bot', { token: asBot(engine) }))
  const client = new Client(`${String(url)}?v=1&encoding=json`)
  clients.push(client)
  await client.op(10)
  client.send(2, identifyOf({ token }))
  await client.dispatch('READY')
  return client
}
