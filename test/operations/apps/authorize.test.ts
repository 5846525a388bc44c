import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../support/answers.ts'
import { asBot } from '../support/applications.ts'
import {
  asBearer,
  codeFor,
  consent,
  exchange,
  expectProtocolError,
  newClient,
  redirectUri,
  tokensFor,
} from '../support/oauth2.ts'
import { openServer } from '../support/scene.ts'

let ada: TestAccount

const guildhall = await openServer()
const owner = await guildhall.register()
const engine = await newClient(guildhall, owner)
beforeEach(async () => {
  ada = await guildhall.register()
})

type Query = Readonly<Record<string, string>>

/** Where a browser is sent; the redirect is not followed. */
async function sentTo(query: Query, token?: string): Promise<URL> {
  const response = await authorize(query, token)
  expect(response.status).toBe(302)
  expect(await response.text()).toBe('')
  return new URL(response.headers.get('location') ?? '')
}

function authorize(query: Query, token?: string): Promise<Response> {
  const headers = token === undefined ? {} : { authorization: token }
  const wishes = { client_id: engine.id, scope: 'identify', ...query }
  const search = new URLSearchParams(wishes).toString()
  return fetch(`${guildhall.url}/v1/oauth2/authorize?${search}`, { redirect: 'manual', headers })
}

const parametersOf = ({ searchParams }: URL): Query => Object.fromEntries(searchParams)

describe('Authorize', () => {
  it('sends to the consent page of the web application, with all parameters', async () => {
    const query = {
      response_type: 'code',
      client_id: engine.id,
      redirect_uri: redirectUri,
      scope: 'identify bot',
      state: 'a b&c=d',
      guild_id: '1',
      permissions: '8',
      disable_guild_select: 'true',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    }
    for (const prompt of [{}, { prompt: 'consent' }]) {
      const url = await sentTo({ ...query, ...prompt }, ada.token)
      expect(`${url.origin}${url.pathname}`).toBe(`${guildhall.url}/oauth2/authorize`)
      expect(parametersOf(url)).toStrictEqual({ ...query, ...prompt })
    }
  })

  it('with prompt=none redirects with a code if the account has consented to all of it', async () => {
    await codeFor(guildhall, ada, engine, { scope: 'identify email' })
    const query = { prompt: 'none', redirect_uri: redirectUri, state: 's' }
    const url = await sentTo({ ...query, scope: 'email' }, ada.token)
    expect(url.href.startsWith(`${redirectUri}&code=`)).toBe(true)
    const { code = '', ...rest } = parametersOf(url)
    expect(rest).toStrictEqual({ from: 'guildhall', state: 's' })
    expect(bodyOf(await exchange(guildhall, engine, code))).toMatchObject({ scope: 'email' })
  })

  it('with prompt=none redirects with an error, and the state, if it would have to ask', async () => {
    const query = { prompt: 'none', redirect_uri: redirectUri, state: 's' }
    const back = { from: 'guildhall', state: 's' }
    for (const token of [undefined, 'nonsense', asBot(engine), asBearer(await tokensFor(guildhall, ada, engine))])
      expect(parametersOf(await sentTo(query, token))).toStrictEqual({ ...back, error: 'login_required' })
    for (const scope of ['identify guilds', 'nonsense', 'bot'])
      expect(parametersOf(await sentTo({ ...query, scope }, ada.token))).toStrictEqual({
        ...back,
        error: 'consent_required',
      })
  })

  it('redirects only to a registered URL, compared letter by letter', async () => {
    await codeFor(guildhall, ada, engine)
    for (const hostile of [
      'https://evil.example',
      `${redirectUri}x`,
      `${redirectUri}#`,
      'https://engine.example.org/back',
      'https://engine.example.org@evil.example/back?from=guildhall',
      'https://engine.example.org.evil.example/back?from=guildhall',
      'HTTPS://engine.example.org/back?from=guildhall',
      '//evil.example',
      'javascript:alert(1)',
      `${redirectUri}\r\nlocation: https://evil.example`,
    ])
      for (const token of [undefined, ada.token]) {
        const url = await sentTo({ prompt: 'none', redirect_uri: hostile, state: 's' }, token)
        expect(`${url.origin}${url.pathname}`).toBe(`${guildhall.url}/oauth2/authorize`)
        const error = token === undefined ? 'login_required' : 'consent_required'
        expect(parametersOf(url)).toStrictEqual({ error, state: 's' })
      }
    const unknown = await sentTo({ client_id: '1', prompt: 'none', redirect_uri: redirectUri })
    expect(unknown.origin).toBe(guildhall.url)
  })

  it('lets a state break out of neither the query nor the line', async () => {
    await codeFor(guildhall, ada, engine)
    const state = 'x\r\nset-cookie: a=b&code=stolen#end'
    for (const prompt of [{}, { prompt: 'none' }]) {
      const response = await authorize({ redirect_uri: redirectUri, state, ...prompt }, ada.token)
      expect(response.headers.get('set-cookie')).toBeNull()
      expect(new URL(response.headers.get('location') ?? '').searchParams.get('state')).toBe(state)
      expect(new URL(response.headers.get('location') ?? '').searchParams.getAll('code')).not.toContain('stolen')
    }
  })

  it('sends to a registered URL with letters beyond ASCII', async () => {
    const foreign = 'https://engine.example.org/zurück'
    const abroad = await newClient(guildhall, owner, { redirect_uris: [foreign] })
    await codeFor(guildhall, ada, abroad, { redirect_uri: foreign })
    const url = await sentTo({ client_id: abroad.id, prompt: 'none', redirect_uri: foreign }, ada.token)
    expect(url.pathname).toBe('/zur%C3%BCck')
  })

  it.each([
    [{ client_id: 'x' }, field('client_id', 'INVALID_SNOWFLAKE_FORMAT')],
    [{ scope: '' }, field('scope', 'STRING_LENGTH_INVALID')],
    [{ response_type: 'token' }, field('response_type', 'INVALID_FORMAT')],
    [{ prompt: 'login' }, field('prompt', 'INVALID_FORMAT')],
    [{ state: 'x'.repeat(257) }, field('state', 'STRING_LENGTH_INVALID')],
    [{ guild_id: 'x' }, field('guild_id', 'INVALID_SNOWFLAKE_FORMAT')],
    [{ permissions: '-1' }, field('permissions', 'INVALID_INTEGER_FORMAT')],
    [{ permissions: '18446744073709551616' }, field('permissions', 'INTEGER_OUT_OF_INT64_RANGE')],
    [{ disable_guild_select: '1' }, field('disable_guild_select', 'INVALID_FORMAT')],
    [{ code_challenge_method: 's256' }, field('code_challenge_method', 'INVALID_FORMAT')],
  ])('refuses the query %j', async (query, expected) => {
    const response = await authorize(query as unknown as Query)
    expectFields({ status: response.status, headers: response.headers, body: await response.json() }, expected)
  })

  it('treats an empty parameter as missing', async () => {
    expect(parametersOf(await sentTo({ state: '', prompt: '', guild_id: '' }))).toStrictEqual({
      client_id: engine.id,
      scope: 'identify',
    })
  })
})

describe('Consent', () => {
  it('says where to send the browser, with a code and the state', async () => {
    const answer = bodyOf(await consent(guildhall, ada, engine, { state: 'x y' }))
    expect(answer).toStrictEqual({
      redirect_to: expect.stringMatching(
        /^https:\/\/engine\.example\.org\/back\?from=guildhall&code=[A-Za-z0-9_-]{43}&state=x\+y$/,
      ),
    })
  })

  it.each([
    ['an unknown application', { client_id: '1' }, 'invalid_client'],
    ['an unknown scope', { scope: 'identify admin' }, 'invalid_scope'],
    ['no scope', { scope: '+' }, 'invalid_scope'],
    ['no redirect URI', { redirect_uri: null }, 'invalid_request'],
    ['one that is not registered', { redirect_uri: 'https://engine.example.org/back' }, 'invalid_request'],
    ['a method without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
    ['a bot for nowhere', { scope: 'bot' }, 'invalid_request'],
    ['a bot for two places', { scope: 'bot', guild_id: '1', channel_id: '2' }, 'invalid_request'],
  ])('refuses %s in the envelope of OAuth2, and authorises nothing', async (_, wishes, error) => {
    expectProtocolError(await consent(guildhall, ada, engine, wishes), error)
    const { body } = await guildhall.request('GET', '/v1/oauth2/@me/authorizations', { token: ada.token })
    expect(body).toStrictEqual([])
  })

  it.each([
    [{ response_type: 'token' }, field('response_type', 'INVALID_FORMAT')],
    [{ scope: null }, field('scope', 'INVALID_FORMAT')],
    [{ state: ' ' }, field('state', 'STRING_LENGTH_INVALID')],
    [{ permissions: 8 }, field('permissions', 'INVALID_FORMAT')],
    [{ permissions: '0x8' }, field('permissions', 'INVALID_INTEGER_FORMAT')],
  ])('refuses the body %j with the standard error', async (wishes, expected) => {
    expectFields(await consent(guildhall, ada, engine, wishes), expected)
  })

  it('is for user sessions only', async () => {
    const bearer = asBearer(await tokensFor(guildhall, ada, engine))
    expectRefusal(await consent(guildhall, { token: asBot(engine) }, engine), 403, 'ACCESS_DENIED')
    expectRefusal(await consent(guildhall, { token: bearer }, engine), 403, 'ACCESS_DENIED')
    expectRefusal(await consent(guildhall, { token: 'nobody' }, engine), 401, 'UNAUTHORIZED')
  })
})
