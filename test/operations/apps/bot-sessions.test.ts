import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Client } from '../../gateway/support/client.ts'
import { identifyOf } from '../../gateway/support/facts.ts'
import { protect } from '../../support/authenticator.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, found } from '../support/answers.ts'
import { addBot, applicationsPath, asBot, newApplication, type TestApplication } from '../support/applications.ts'
import { openServer } from '../support/scene.ts'
import { expectNoSession } from '../../gateway/support/ended.ts'

/** The Gateway of the whole server as a bot sees it. */

let ada: TestAccount
let engine: TestApplication
const clients: Client[] = []

const guildhall = await openServer()
beforeEach(async () => {
  ada = await guildhall.register()
  engine = await newApplication(guildhall, ada)
})
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
})

async function greeted(): Promise<Client> {
  const { url } = bodyOf(await guildhall.request('GET', '/v1/gateway/bot', { token: asBot(engine) }))
  // As it is, as a newcomer's client takes it.
  const client = new Client(String(url))
  clients.push(client)
  await client.op(10)
  return client
}

async function identified(token = engine.botToken): Promise<Client> {
  const client = await greeted()
  client.send(2, identifyOf({ token }, { intents: 0 }))
  await client.dispatch('READY')
  return client
}

const resetToken = async (): Promise<string> => {
  const path = `${applicationsPath}/${engine.id}/bot/reset-token`
  return String(
    bodyOf(await guildhall.request('POST', path, { token: ada.token, body: { password: ada.password } }))['token'],
  )
}

describe('a bot', () => {
  it('identifies with its token, and gets READY without guilds, then each guild separately', async () => {
    const guild = await found(guildhall, ada)
    await addBot(guildhall, engine, guild)
    const client = await greeted()
    client.send(2, identifyOf({ token: engine.botToken }))
    const { d } = await client.dispatch('READY')
    expect(d).toMatchObject({
      guilds: [],
      presences: [],
      relationships: [],
      users: [],
      user_settings: null,
      user: { id: engine.id, bot: true },
      application: { id: engine.id, flags: 0 },
    })
    expect(d).not.toHaveProperty('auth_session_id_hash')
    const created = await client.dispatch('GUILD_CREATE')
    expect(created.d).toMatchObject({ id: guild.id, member_count: 2 })
  })

  it('may have a scheme before its token, as some libraries do', async () => {
    const client = await greeted()
    client.send(2, identifyOf({ token: asBot(engine) }))
    expect((await client.dispatch('READY')).d).toMatchObject({ user: { id: engine.id } })
  })

  it.each([
    ['with another scheme before its token', () => `Bearer ${engine.botToken}`],
    ['with the client secret', () => engine.clientSecret],
    ['with a token of its form that is none', () => `${engine.id}.${'x'.repeat(43)}`],
  ])('is closed 4004 when it identifies %s', async (_, token) => {
    const client = await greeted()
    client.send(2, identifyOf({ token: token() }))
    expect(await client.closed).toStrictEqual({ code: 4004, reason: 'Invalid token' })
  })

  it('hears of a guild that it joins, and of one that it leaves', async () => {
    const client = await identified()
    const guild = await found(guildhall, ada)
    await addBot(guildhall, engine, guild)
    expect((await client.dispatch('GUILD_CREATE')).d).toMatchObject({ id: guild.id })
    await guildhall.request('DELETE', `/v1/users/@me/guilds/${guild.id}`, { token: asBot(engine) })
    expect((await client.dispatch('GUILD_DELETE')).d).toStrictEqual({ id: guild.id })
  })

  it('hears of its own changes, and of its owner’s second factors, which count as its own', async () => {
    const client = await identified()
    await guildhall.request('PATCH', `${applicationsPath}/${engine.id}/bot`, {
      token: ada.token,
      body: { bio: 'Counts.', bot_flags: 16 },
    })
    expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({ id: engine.id, bio: 'Counts.' })
    expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({ id: engine.id, flags: 16 })
    const owner = await identified(ada.token)
    await protect(guildhall, ada)
    expect((await owner.dispatch('USER_UPDATE')).d).toMatchObject({ id: ada.id, authenticator_types: [0] })
    const told = (await client.dispatch('USER_UPDATE')).d
    expect(told).toMatchObject({ id: engine.id, mfa_enabled: true, authenticator_types: [0], bot: true, email: null })
  })
})

describe('the Gateway sessions of a bot', () => {
  it('end when its token is reset, cannot be resumed, and begin again only with the new token', async () => {
    const client = await identified()
    const { sessionId, sequence } = client
    const token = await resetToken()
    expect(await client.op(9)).toStrictEqual({ op: 9, d: false })
    const back = await greeted()
    back.send(6, { token: engine.botToken, session_id: sessionId, seq: sequence })
    expect(await back.op(9)).toStrictEqual({ op: 9, d: false })
    const old = await greeted()
    old.send(2, identifyOf({ token: engine.botToken }))
    expect((await old.closed).code).toBe(4004)
    const renewed = await identified(token)
    await guildhall.request('PATCH', `${applicationsPath}/${engine.id}/bot`, { token: ada.token, body: { bio: 'x' } })
    expect((await renewed.dispatch('USER_UPDATE')).d).toMatchObject({ bio: 'x' })
  })

  it('end when its application is deleted', async () => {
    const client = await identified()
    const path = `${applicationsPath}/${engine.id}`
    await guildhall.request('DELETE', path, { token: ada.token, body: { password: ada.password } })
    expect(await client.op(9)).toStrictEqual({ op: 9, d: false })
    client.send(2, identifyOf({ token: engine.botToken }))
    expect(await client.closed).toStrictEqual({ code: 4004, reason: 'Invalid token' })
  })

  it('go on when its owner signs out everywhere, and when the client secret is reset', async () => {
    const client = await identified()
    const path = `${applicationsPath}/${engine.id}/client-secret/reset`
    await guildhall.request('POST', path, { token: ada.token, body: { password: ada.password } })
    await guildhall.request('POST', '/v1/auth/logout', { token: ada.token })
    client.send(1, null)
    await client.op(11)
    expect(client.payloads.map(({ op }) => op)).not.toContain(9)
    expect((await guildhall.request('GET', '/v1/users/@me', { token: asBot(engine) })).status).toBe(200)
  })

  it('never outlive a token that is reset while they begin', async () => {
    const begun = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const client = await greeted()
        client.send(2, identifyOf({ token: engine.botToken }))
        return client
      }),
    )
    await resetToken()
    await Promise.all(begun.map(expectNoSession))
  })
})
