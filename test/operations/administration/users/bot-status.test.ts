import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { Client } from '../../../gateway/support/client.ts'
import { identifyOf } from '../../../gateway/support/facts.ts'
import { protect } from '../../../support/authenticator.ts'
import { administrator, giveAcls } from '../../../support/administrators.ts'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, found } from '../../support/answers.ts'
import { addBot, applicationsPath, asBot, newApplication, type TestApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { asBearer, consent, newClient, refresh, tokensFor } from '../../support/oauth2.ts'
import { foundWith, openServer } from '../../support/scene.ts'
import { correctionsOn, entriesAbout, idOf, unknownUser } from './support.ts'
import { expectEnded, expectNoSession } from '../../../gateway/support/ended.ts'

const guildhall = await openServer()
const { root, ask } = await correctionsOn(guildhall)
const alone = await openServer({ policy: { accountIdentity: { signIn: 'email', tagStyle: 'none' } } })
const unique = await correctionsOn(alone)
const { connect, end } = connections()
afterAll(end)

const setBot = (id: string, bot: unknown, token = root.token): Promise<TestAnswer> =>
  ask('PUT', id, 'bot-status', { bot }, token)
const self = (token: string): Promise<TestAnswer> => guildhall.request('GET', '/v1/users/@me', { token })

let ada: TestAccount
beforeEach(async () => {
  ada = await guildhall.register()
})

describe('Set user bot status', () => {
  it('makes a person a bot and a bot a person, which both the account and its guilds hear', async () => {
    const bob = await guildhall.register()
    const home = await foundWith(guildhall, bob, ada)
    const [{ client: own }, { client: inGuild }] = [await connect(guildhall, ada), await connect(guildhall, bob)]
    expect(bodyOf(await setBot(ada.id, true))['user']).toMatchObject({ id: ada.id, bot: true, system: false })
    expect((await own.dispatch('USER_UPDATE')).d).toMatchObject({ id: ada.id, bot: true })
    await expectEnded(own)
    const told = { guild_id: home.id, user: { id: ada.id } }
    const isBot = { ...told, user: { id: ada.id, bot: true } }
    expect((await inGuild.dispatch('GUILD_MEMBER_UPDATE')).d).toMatchObject(isBot)
    expect(bodyOf(await setBot(ada.id, false))['user']).toMatchObject({ bot: false })
    const { d } = await inGuild.dispatch('GUILD_MEMBER_UPDATE')
    expect(d).toMatchObject(told)
    expect(d['user']).not.toHaveProperty('bot')
  })

  it('takes the system status from an account that is no bot any more, in one entry of the log', async () => {
    bodyOf(await setBot(ada.id, true))
    bodyOf(await ask('PUT', ada.id, 'system-status', { system: true }))
    expect(bodyOf(await setBot(ada.id, false))['user']).toMatchObject({ bot: false, system: false })
    expect(await entriesAbout(guildhall, ada)).toMatchObject([
      { action: 'set_bot_status', metadata: { bot: 'true' } },
      { action: 'set_system_status' },
      { action: 'set_bot_status', targetType: 'user', metadata: { bot: 'false' } },
    ])
  })

  it('records a status that the account has already, and changes nothing', async () => {
    bodyOf(await setBot(ada.id, false))
    expect(bodyOf(await self(ada.token))).toMatchObject({ id: ada.id })
    expect(await entriesAbout(guildhall, ada)).toMatchObject([{ action: 'set_bot_status', metadata: { bot: 'false' } }])
  })

  it('is not for an account with an Admin ACL; a bot is given none', async () => {
    await giveAcls(guildhall, ada, ['user:lookup'])
    expectRefusal(await setBot(ada.id, true), 403, 'ACCESS_DENIED')
    expectRefusal(await setBot(root.id, true), 403, 'ACCESS_DENIED')
    expect(bodyOf(await setBot(ada.id, false))['user']).toMatchObject({ acls: ['user:lookup'] })
    await giveAcls(guildhall, ada, [])
    bodyOf(await setBot(ada.id, true))
    expectRefusal(await ask('PUT', ada.id, 'acls', { acls: ['user:lookup'] }), 403, 'ACCESS_DENIED')
    bodyOf(await ask('PUT', ada.id, 'acls', { acls: [] }))
  })

  it('leaves no bot with an ACL, however it meets Set user ACLs', async () => {
    const answers = await Promise.all([
      setBot(ada.id, true),
      ask('PUT', ada.id, 'acls', { acls: ['admin:authenticate', 'user:lookup'] }),
    ])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toStrictEqual([200, 403])
    const { user } = bodyOf(answers.find(({ status }) => status === 200) ?? answers[0])
    const { bot, acls } = user as { readonly bot: boolean; readonly acls: readonly string[] }
    expect(bot).toBe(acls.length === 0)
  })

  it('refuses a wrong body and a missing ACL before it looks for the account, and records no refusal', async () => {
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:update:flags')
    for (const bot of [undefined, null, 'true', 1])
      expectRefusal(await setBot(unknownUser, bot), 400, 'INVALID_FORM_BODY')
    expectRefusal(await setBot(ada.id, true, lesser.token), 403, 'MISSING_ACL')
    expectRefusal(await setBot(ada.id, true, ada.token), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await setBot(unknownUser, true), 404, 'UNKNOWN_USER')
    expect(await entriesAbout(guildhall, ada)).toStrictEqual([])
  })
})

describe('a person who becomes a bot', () => {
  it('has no session and gets none, until it is a person again', async () => {
    const { email, password } = ada
    const logIn = () => guildhall.request('POST', '/v1/auth/login', { body: { email, password } })
    bodyOf(await setBot(ada.id, true))
    expectRefusal(await self(ada.token), 401, 'UNAUTHORIZED')
    expectRefusal(await logIn(), 403, 'BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED')
    bodyOf(await setBot(ada.id, false))
    expectRefusal(await self(ada.token), 401, 'UNAUTHORIZED')
    const { token } = bodyOf(await logIn())
    expect(bodyOf(await self(String(token)))).toMatchObject({ id: ada.id })
  })

  it('has no session from any sign-in that met the change', async () => {
    const { email, password } = ada
    const logIn = () => guildhall.request('POST', '/v1/auth/login', { body: { email, password } })
    const [changed, ...signIns] = await Promise.all([setBot(ada.id, true), ...Array.from({ length: 6 }, logIn)])
    bodyOf(changed)
    for (const { status, body } of signIns) {
      if (status !== 200) continue
      const { token } = body as { readonly token: string }
      expectRefusal(await self(token), 401, 'UNAUTHORIZED')
    }
    expect((await guildhall.ports.aggregates.account.load(idOf(ada))).state).toMatchObject({ bot: true, sessions: [] })
  })

  it('acts through no application, and through those that it authorised once it is a person again', async () => {
    const engine = await newClient(guildhall, await guildhall.register())
    const tokens = await tokensFor(guildhall, ada, engine)
    const userinfo = () => guildhall.request('GET', '/v1/oauth2/userinfo', { token: asBearer(tokens) })
    bodyOf(await userinfo())
    bodyOf(await setBot(ada.id, true))
    expectRefusal(await userinfo(), 401, 'UNAUTHORIZED')
    expect((await refresh(guildhall, engine, tokens.refresh)).body).toMatchObject({ error: 'invalid_grant' })
    bodyOf(await setBot(ada.id, false))
    bodyOf(await userinfo())
  })
})

describe('the bot of an application that becomes a person', () => {
  let engine: TestApplication
  beforeEach(async () => {
    engine = await newApplication(guildhall, ada)
  })

  it('has no bot token: neither over HTTP nor at the Gateway, where its session ends', async () => {
    const home = await found(guildhall, ada)
    await addBot(guildhall, engine, home)
    const { client } = await connect(guildhall, { token: engine.botToken })
    bodyOf(await self(asBot(engine)))
    bodyOf(await setBot(engine.id, false))
    expect((await client.op(9)).d).toBe(false)
    expectRefusal(await self(asBot(engine)), 401, 'UNAUTHORIZED')
    const { client: later } = await connect(guildhall, { token: ada.token })
    later.close()
    await expect(connect(guildhall, { token: engine.botToken })).rejects.toThrow('4004')
    bodyOf(await setBot(engine.id, true))
    expect(bodyOf(await self(asBot(engine)))).toMatchObject({ id: engine.id, bot: true })
  })

  it('has no session at the Gateway that began with the bot token meanwhile', async () => {
    const { url } = bodyOf(await guildhall.request('GET', '/v1/gateway/bot', { token: asBot(engine) }))
    const clients = Array.from({ length: 8 }, () => new Client(`${String(url)}?v=1`))
    await Promise.all(
      clients.map(async (client) => {
        await client.op(10)
        client.send(2, identifyOf({ token: engine.botToken }))
      }),
    )
    bodyOf(await setBot(engine.id, false))
    await Promise.all(clients.map(expectNoSession))
    for (const client of clients) client.close()
  })

  it('is no bot of the application: it is neither shown, nor changed, nor added to guilds', async () => {
    const path = `${applicationsPath}/${engine.id}`
    const { token, password } = ada
    bodyOf(await setBot(engine.id, false))
    expect(bodyOf(await guildhall.request('GET', path, { token }))).not.toHaveProperty('bot')
    const bio = { token, body: { bio: 'Notes' } }
    expectRefusal(await guildhall.request('PATCH', `${path}/bot`, bio), 404, 'BOT_USER_NOT_FOUND')
    const proof = { token, body: { password } }
    expectRefusal(await guildhall.request('POST', `${path}/bot/reset-token`, proof), 404, 'BOT_USER_NOT_FOUND')
    const home = await found(guildhall, ada)
    const wish = { scope: 'bot', guild_id: home.id, redirect_uri: undefined, permissions: '0' }
    expectRefusal(await consent(guildhall, ada, engine, wish), 400, 'NOT_A_BOT_APPLICATION')
    bodyOf(await setBot(engine.id, true))
    expect(bodyOf(await guildhall.request('GET', path, { token }))['bot']).toMatchObject({ id: engine.id })
  })

  it('has its owner’s second factors only while it is a bot', async () => {
    await protect(guildhall, ada)
    const typesOf = async () => {
      const { user } = bodyOf(await ask('PUT', engine.id, 'system-status', { system: false }))
      return (user as { readonly authenticator_types: readonly number[] }).authenticator_types
    }
    expect(await typesOf()).not.toStrictEqual([])
    bodyOf(await setBot(engine.id, false))
    expect(await typesOf()).toStrictEqual([])
  })

  it('is erased with the application', async () => {
    bodyOf(await setBot(engine.id, false))
    const { token, password } = ada
    const deleted = await guildhall.request('DELETE', `${applicationsPath}/${engine.id}`, { token, body: { password } })
    expect(deleted.status).toBe(204)
    expectRefusal(await setBot(engine.id, true), 404, 'UNKNOWN_USER')
  })
})

describe('where usernames alone are unique', () => {
  const tagged = (answer: TestAnswer) => {
    const { username, discriminator } = bodyOf(answer)['user'] as {
      readonly username: string
      readonly discriminator: number
    }
    return { username, discriminator }
  }
  const setUnique = (id: string, bot: boolean) => unique.ask('PUT', id, 'bot-status', { bot })
  const rename = (id: string, username: string) => unique.ask('PATCH', id, 'username', { username })

  it('an account keeps its tag, and its next one is of the kind that it has become', async () => {
    const bob = await alone.register()
    const { username, discriminator } = tagged(await setUnique(bob.id, true))
    expect(discriminator).toBe(0)
    const asBotNow = tagged(await rename(bob.id, username))
    expect(asBotNow).toMatchObject({ username })
    expect(asBotNow.discriminator).toBeGreaterThan(0)
    expect(tagged(await setUnique(bob.id, false))).toStrictEqual(asBotNow)
    expect(tagged(await rename(bob.id, username))).toStrictEqual({ username, discriminator: 0 })
    const handle = (await alone.ports.aggregates.handle.load(username.toLowerCase())).state
    expect(handle).toMatchObject({ held: [[0, bob.id]] })
    const other = `${username}_2`
    bodyOf(await setUnique(bob.id, true))
    expect(tagged(await rename(bob.id, other)).discriminator).toBeGreaterThan(0)
    bodyOf(await setUnique(bob.id, false))
    expect(tagged(await rename(bob.id, username))).toStrictEqual({ username, discriminator: 0 })
  })

  it('a bot that becomes a person does not get a username that others have', async () => {
    const owner = await alone.register()
    const one = await newApplication(alone, owner, { name: 'Twin' })
    const other = await newApplication(alone, owner, { name: 'Twin' })
    expect(other.bot.username).toBe(one.bot.username)
    bodyOf(await setUnique(one.id, false))
    expectFields(await rename(one.id, one.bot.username), field('username', 'USERNAME_ALREADY_TAKEN'))
  })
})
