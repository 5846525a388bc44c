import { Writable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { openLogger } from '../../../adapters/telemetry/open-logger.ts'
import { accessTokensIn } from '../../../application/identity/tokens/access-tokens.ts'
import { introspectToken } from '../../../application/apps/oauth2/inspect-tokens.ts'
import { accessToken_s, refreshToken_s } from '../../../application/apps/oauth2/token-lifetimes.ts'
import { applicationId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../support/answers.ts'
import { applicationsPath } from '../support/applications.ts'
import { everyRow } from '../support/erasure.ts'
import {
  asBasic,
  asBearer,
  codeFor,
  consent,
  exchange,
  expectProtocolError,
  newClient,
  provenBy,
  refresh,
  sendForm,
  tokensFor,
  tokensIn,
} from '../support/oauth2.ts'
import { openServer } from '../support/scene.ts'

let ada: TestAccount
const logged: string[] = []

const destination = new Writable({
  write: (chunk, _encoding, done) => {
    logged.push(String(chunk))
    done()
  },
})
const guildhall = await openServer({ logger: openLogger('trace', destination) })
const owner = await guildhall.register()
const engine = await newClient(guildhall, owner)
const loom = await newClient(guildhall, owner, { name: 'Loom' })
beforeEach(async () => {
  ada = await guildhall.register()
})

const me = (token: string) => guildhall.request('GET', '/v1/oauth2/@me', { token })
const isAlive = async (access: string) => (await me(asBearer({ access }))).status === 200
const introspect = (token: string, client = engine) => sendForm(guildhall, 'introspect', { token, ...provenBy(client) })
const revoke = (token: string, fields = {}, client = engine) =>
  sendForm(guildhall, 'token/revoke', { token, ...fields, ...provenBy(client) })

describe('an account that nobody can sign in to', () => {
  it('no longer allows applications to act for it, until it is back', async () => {
    const tokens = await tokensFor(guildhall, ada, engine)
    const code = await codeFor(guildhall, ada, engine)
    const proof = { token: ada.token, body: { password: ada.password } }
    expect((await guildhall.request('POST', '/v1/users/@me/disable', proof)).status).toBe(204)
    expectRefusal(await me(asBearer(tokens)), 401, 'UNAUTHORIZED')
    expect(bodyOf(await introspect(tokens.access))).toStrictEqual({ active: false })
    expectProtocolError(await refresh(guildhall, engine, tokens.refresh), 'invalid_grant')
    expectProtocolError(await exchange(guildhall, engine, code), 'invalid_grant')
    const { email, password } = ada
    expect((await guildhall.request('POST', '/v1/auth/login', { body: { email, password } })).status).toBe(200)
    expect(await isAlive(tokens.access)).toBe(true)
    expect((await refresh(guildhall, engine, tokens.refresh)).status).toBe(200)
  })
})

describe('Introspect token', () => {
  it('describes an access token: its scopes, account, start and end', async () => {
    const { access } = await tokensFor(guildhall, ada, engine, 'email identify')
    const { exp, iat, ...rest } = bodyOf(await introspect(access))
    expect(rest).toStrictEqual({
      active: true,
      scope: 'identify email',
      client_id: engine.id,
      token_type: 'Bearer',
      sub: ada.id,
    })
    expect(Number(exp) - Number(iat)).toBe(604_800)
    expect(Math.abs(Number(iat) - Date.now() / 1000)).toBeLessThan(60)
  })

  it('describes a refresh token, without an end', async () => {
    const tokens = await tokensFor(guildhall, ada, engine)
    const told = bodyOf(await introspect(tokens.refresh))
    expect(told).toStrictEqual({
      active: true,
      scope: 'identify',
      client_id: engine.id,
      token_type: 'refresh_token',
      iat: expect.any(Number),
      sub: ada.id,
    })
  })

  it('reveals nothing about any other token', async () => {
    const { access, refresh: spent } = await tokensFor(guildhall, ada, engine)
    await refresh(guildhall, engine, spent)
    const code = await codeFor(guildhall, ada, engine)
    for (const token of [spent, code, ada.token, engine.botToken, engine.clientSecret, 'x'])
      expect(bodyOf(await introspect(token))).toStrictEqual({ active: false })
    expect(bodyOf(await introspect(access, loom))).toStrictEqual({ active: false })
  })

  it('requires the client to prove itself, in exactly one way', async () => {
    const { access: token } = await tokensFor(guildhall, ada, engine)
    expectProtocolError(await sendForm(guildhall, 'introspect', { token }), 'invalid_client')
    expect(bodyOf(await sendForm(guildhall, 'introspect', { token }, asBasic(engine)))).toMatchObject({ active: true })
    const twice = { token, client_id: engine.id }
    expectProtocolError(await sendForm(guildhall, 'introspect', twice, asBasic(engine)), 'invalid_request')
    expectFields(await sendForm(guildhall, 'introspect', provenBy(engine)), field('token', 'INVALID_FORMAT'))
  })
})

describe('Revoke token', () => {
  it.each(['access', 'refresh'] as const)(
    'ends all tokens of the account for the application, given its %s token',
    async (kind) => {
      const [first, second] = [
        await tokensFor(guildhall, ada, engine),
        await tokensFor(guildhall, ada, engine, 'guilds'),
      ]
      const [ofOthers, ofLoom] = [await tokensFor(guildhall, owner, engine), await tokensFor(guildhall, ada, loom)]
      const hint = kind === 'refresh' ? { token_type_hint: 'refresh_token' } : {}
      const answer = await revoke(first[kind], hint)
      expect(answer).toMatchObject({ status: 200, body: undefined })
      for (const { access, refresh: refreshToken } of [first, second]) {
        expect(await isAlive(access)).toBe(false)
        expectProtocolError(await refresh(guildhall, engine, refreshToken), 'invalid_grant')
      }
      for (const { access } of [ofOthers, ofLoom]) expect(await isAlive(access)).toBe(true)
    },
  )

  it('answers the same and ends nothing for any other token, or a refresh token without its hint', async () => {
    const tokens = await tokensFor(guildhall, ada, engine)
    for (const answer of [
      await revoke('x'),
      await revoke(tokens.refresh),
      await revoke(tokens.refresh, { token_type_hint: 'access_token' }),
      await revoke(tokens.access, {}, loom),
    ])
      expect(answer).toMatchObject({ status: 200, body: undefined })
    expect(await isAlive(tokens.access)).toBe(true)
    const forged = { ...engine, clientSecret: 'x' }
    expectProtocolError(await revoke(tokens.access, {}, forged), 'invalid_client')
    expectFields(await revoke(tokens.access, { token_type_hint: 'x' }), field('token_type_hint', 'INVALID_FORMAT'))
  })

  it('ends issued codes, too', async () => {
    const { access } = await tokensFor(guildhall, ada, engine)
    const code = await codeFor(guildhall, ada, engine)
    await revoke(access)
    expectProtocolError(await exchange(guildhall, engine, code), 'invalid_grant')
  })
})

describe('tokens', () => {
  it('expire: an access token after seven days, a refresh token after thirty', async () => {
    const tokens = await tokensFor(guildhall, ada, engine)
    const resolveIn = (seconds: number) =>
      accessTokensIn({
        ...guildhall.ports,
        adminApplicationIds: [],
        now: () => Date.now() + seconds * 1000,
      }).resolve(tokens.access)
    expect(await resolveIn(accessToken_s - 60)).toBeDefined()
    expect(await resolveIn(accessToken_s + 1)).toBeUndefined()
    const introspectIn = (token: string, seconds: number) => {
      const context = testContext()
      const requester = { ...nobody, context: { ...context, now: secondsAfter(context.now, seconds) } }
      const client = { clientId: applicationId(snowflake(engine.id)), clientSecret: engine.clientSecret }
      return introspectToken(guildhall.ports)(requester, { token, ...client })
    }
    expect(await introspectIn(tokens.access, accessToken_s - 60)).toMatchObject({ active: true })
    expect(await introspectIn(tokens.access, accessToken_s + 1)).toStrictEqual({ active: false })
    expect(await introspectIn(tokens.refresh, refreshToken_s - 60)).toMatchObject({ active: true })
    expect(await introspectIn(tokens.refresh, refreshToken_s + 1)).toStrictEqual({ active: false })
  })

  it('are invalid once their application is deleted', async () => {
    const client = await newClient(guildhall, owner)
    const { access } = await tokensFor(guildhall, ada, client)
    const path = `${applicationsPath}/${client.id}`
    await guildhall.request('DELETE', path, { token: owner.token, body: { password: owner.password } })
    expectRefusal(await me(asBearer({ access })), 401, 'UNAUTHORIZED')
    expectProtocolError(await consent(guildhall, ada, client), 'invalid_client')
  })

  it('are stored only as hashes, and never logged', async () => {
    const code = await codeFor(guildhall, ada, engine)
    const { access, refresh: refreshToken } = tokensIn(await exchange(guildhall, engine, code))
    const secrets = { code, access, refreshToken, client: engine.clientSecret, bot: engine.botToken }
    const rows = await everyRow(guildhall)
    for (const secret of Object.values(secrets)) expect(rows).not.toContain(secret)
    expect(logged.join('')).toContain('answered')
    for (const secret of Object.values(secrets)) expect(logged.join('')).not.toContain(secret)
  })
})

const nobody = { ip: '::1', userAgent: null, capabilities: new Set<string>(), locale: 'en-US', authorization: null }
