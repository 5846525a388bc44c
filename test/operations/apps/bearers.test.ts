import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, found, listOf } from '../support/answers.ts'
import { asBot } from '../support/applications.ts'
import { asBearer, consent, newClient, refresh, tokensFor } from '../support/oauth2.ts'
import { openServer } from '../support/scene.ts'

let ada: TestAccount

const guildhall = await openServer()
const owner = await guildhall.register()
const engine = await newClient(guildhall, owner)
beforeEach(async () => {
  ada = await guildhall.register()
})

const get = (path: string, token: string) => guildhall.request('GET', path, { token })
const bearer = async (scope: string) => asBearer(await tokensFor(guildhall, ada, engine, scope))
const authorizations = '/v1/oauth2/@me/authorizations'

async function userOf(account: TestAccount, email: boolean) {
  const user = bodyOf(await get('/v1/users/@me', account.token))
  return {
    sub: account.id,
    id: account.id,
    username: user['username'],
    discriminator: user['discriminator'],
    global_name: user['global_name'],
    avatar: null,
    email: email ? account.email : null,
    ...(email ? { verified: true } : {}),
    flags: 0,
    avatar_color: null,
    bot: false,
    system: false,
  }
}

describe('Get userinfo', () => {
  it('returns the account, and the address only with the scope email', async () => {
    const plain = await get('/v1/oauth2/userinfo', await bearer('identify'))
    expect(bodyOf(plain)).toStrictEqual(await userOf(ada, false))
    const addressed = await get('/v1/oauth2/userinfo', await bearer('identify email'))
    expect(bodyOf(addressed)).toStrictEqual(await userOf(ada, true))
  })

  it('needs the scope identify, and accepts no other credential', async () => {
    const refused = await get('/v1/oauth2/userinfo', await bearer('email guilds'))
    expectRefusal(refused, 403, 'MISSING_OAUTH_SCOPE')
    expect(refused.body).toMatchObject({ required_scope: 'identify' })
    for (const token of [ada.token, asBot(engine), `Bearer ${ada.token}`, `Bearer ${'x'.repeat(43)}`])
      expectRefusal(await get('/v1/oauth2/userinfo', token), 401, 'UNAUTHORIZED')
  })
})

describe('Get current authorization', () => {
  it('returns the purpose of the token, and the account only with the scope identify', async () => {
    const answer = bodyOf(await get('/v1/oauth2/@me', await bearer('guilds email')))
    const { expires, ...rest } = answer
    expect(rest).toStrictEqual({
      application: {
        id: engine.id,
        name: 'Engine',
        icon: null,
        description: null,
        bot_public: true,
        bot_require_code_grant: false,
        flags: 0,
      },
      scopes: ['email', 'guilds'],
    })
    expect(Date.parse(String(expires)) - Date.now()).toBeGreaterThan(604_000_000)
    const identified = bodyOf(await get('/v1/oauth2/@me', await bearer('identify email')))
    expect(identified['user']).toStrictEqual(await userOf(ada, true))
  })

  it('is for bearers only', async () => {
    for (const token of [ada.token, asBot(engine)])
      expectRefusal(await get('/v1/oauth2/@me', token), 401, 'UNAUTHORIZED')
  })
})

describe('an OAuth2 bearer', () => {
  it('reads its user with identify, with reduced data, and guilds with guilds', async () => {
    const guild = await found(guildhall, ada)
    const identify = await bearer('identify')
    expect(bodyOf(await get('/v1/users/@me', identify))).toMatchObject({ id: ada.id, email: null, acls: [] })
    const guilds = await bearer('guilds')
    expect(listOf(await get('/v1/users/@me/guilds', guilds)).map(({ id }) => id)).toStrictEqual([guild.id])
    expect(bodyOf(await get(`/v1/guilds/${guild.id}`, guilds))).toMatchObject({ id: guild.id })
    for (const [path, token, scope] of [
      ['/v1/users/@me', guilds, 'identify'],
      ['/v1/users/@me/guilds', identify, 'guilds'],
      [`/v1/guilds/${guild.id}`, identify, 'guilds'],
    ] as const) {
      const refused = await get(path, token)
      expectRefusal(refused, 403, 'MISSING_OAUTH_SCOPE')
      expect(refused.body).toMatchObject({ required_scope: scope })
    }
  })

  it('reaches only operations that have opted in, and ends no session', async () => {
    const token = await bearer('identify email guilds connections')
    for (const [method, path, body] of [
      ['POST', '/v1/auth/logout', undefined],
      ['GET', '/v1/auth/sessions', undefined],
      ['POST', '/v1/guilds', { name: 'Stolen' }],
      ['PATCH', '/v1/users/@me', { bio: 'Stolen' }],
      ['GET', '/v1/users/@me/applications', undefined],
      ['GET', authorizations, undefined],
      ['DELETE', `${authorizations}/${engine.id}`, undefined],
      ['GET', '/v1/admin/users/@me', undefined],
    ] as const)
      expectRefusal(await guildhall.request(method, path, { token, body }), 403, 'ACCESS_DENIED')
    expect((await get('/v1/users/@me', ada.token)).status).toBe(200)
  })
})

describe('the own authorizations', () => {
  it('are listed, with all that was consented to', async () => {
    expect(listOf(await get(authorizations, ada.token))).toStrictEqual([])
    await tokensFor(guildhall, ada, engine, 'identify')
    await consent(guildhall, ada, engine, { scope: 'guilds' })
    expect(listOf(await get(authorizations, ada.token))).toStrictEqual([
      {
        application: { id: engine.id, name: 'Engine', icon: null, description: null, bot_public: true },
        scopes: ['identify', 'guilds'],
        authorized_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ])
    expect(listOf(await get(authorizations, owner.token))).toStrictEqual([])
  })

  it('end everything that an application had, one by one', async () => {
    const tokens = await tokensFor(guildhall, ada, engine)
    const remove = () => guildhall.request('DELETE', `${authorizations}/${engine.id}`, { token: ada.token })
    expect((await remove()).status).toBe(204)
    expectRefusal(await get('/v1/oauth2/@me', asBearer(tokens)), 401, 'UNAUTHORIZED')
    expect((await refresh(guildhall, engine, tokens.refresh)).body).toMatchObject({ error: 'invalid_grant' })
    expect(listOf(await get(authorizations, ada.token))).toStrictEqual([])
    expectRefusal(await remove(), 404, 'UNKNOWN_APPLICATION')
    await tokensFor(guildhall, ada, engine, 'guilds')
    expect(listOf(await get(authorizations, ada.token))).toMatchObject([{ scopes: ['guilds'] }])
  })

  it('end several at once, and skip unknown ones', async () => {
    const loom = await newClient(guildhall, owner, { name: 'Loom' })
    const [first, second] = [await tokensFor(guildhall, ada, engine), await tokensFor(guildhall, ada, loom)]
    const ofOwner = await tokensFor(guildhall, owner, engine)
    const revoke = (ids: unknown) =>
      guildhall.request('POST', `${authorizations}/revoke`, { token: ada.token, body: { application_ids: ids } })
    expect((await revoke([engine.id, '1', loom.id, engine.id])).status).toBe(204)
    for (const tokens of [first, second])
      expectRefusal(await get('/v1/oauth2/@me', asBearer(tokens)), 401, 'UNAUTHORIZED')
    expect((await get('/v1/oauth2/@me', asBearer(ofOwner))).status).toBe(200)
    expectFields(await revoke([]), field('application_ids', 'INVALID_FORMAT'))
    expectFields(await revoke(Array(101).fill('1')), field('application_ids', 'INVALID_FORMAT'))
    expectFields(await revoke(['x']), field('application_ids.0', 'INVALID_SNOWFLAKE_FORMAT'))
  })
})
