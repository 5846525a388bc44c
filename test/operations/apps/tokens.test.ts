import { createHash, randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields } from '../support/answers.ts'
import { applicationsPath } from '../support/applications.ts'
import {
  asBasic,
  asBearer,
  codeFor,
  exchange,
  expectProtocolError,
  newClient,
  provenBy,
  redirectUri,
  refresh,
  sendForm,
  tokensFor,
  tokensIn,
} from '../support/oauth2.ts'
import { openServer } from '../support/scene.ts'

let ada: TestAccount

const guildhall = await openServer()
const owner = await guildhall.register()
const engine = await newClient(guildhall, owner)
const loom = await newClient(guildhall, owner, { name: 'Loom' })
beforeEach(async () => {
  ada = await guildhall.register()
})

const me = (token: string) => guildhall.request('GET', '/v1/oauth2/@me', { token })
const isAlive = async (access: string) => (await me(asBearer({ access }))).status === 200
describe('Exchange token, authorisation code', () => {
  it('returns an access token for 604800 seconds and a refresh token, with the scopes in the order of the registry', async () => {
    const code = await codeFor(guildhall, ada, engine, { scope: 'guilds+email  identify' })
    const answer = await exchange(guildhall, engine, code)
    expect(bodyOf(answer)).toStrictEqual({
      access_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      token_type: 'Bearer',
      expires_in: 604_800,
      refresh_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      scope: 'identify email guilds',
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await isAlive(tokensIn(answer).access)).toBe(true)
  })

  it('accepts the client credentials by form or HTTP Basic, each field, and a multipart form as well', async () => {
    const fields = async () => ({
      grant_type: 'authorization_code',
      code: await codeFor(guildhall, ada, engine),
      redirect_uri: redirectUri,
    })
    expect((await sendForm(guildhall, 'token', await fields(), asBasic(engine))).status).toBe(200)
    const secretAlone = { ...(await fields()), client_secret: engine.clientSecret }
    const wrongSecret = asBasic({ ...engine, clientSecret: 'wrong' })
    expect((await sendForm(guildhall, 'token', secretAlone, wrongSecret)).status).toBe(200)
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...(await fields()), ...provenBy(engine) })) form.set(name, value)
    const response = await fetch(`${guildhall.url}/v1/oauth2/token`, { method: 'POST', body: form })
    expect(response.status).toBe(200)
  })

  it('accepts a code once, if 20 exchange it at the same moment', async () => {
    const code = await codeFor(guildhall, ada, engine)
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(guildhall, engine, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 200) expectProtocolError(answer, 'invalid_grant')
  })

  it('compares the redirect URI exactly, and accepts no code of another client', async () => {
    for (const other of [`${redirectUri}&`, redirectUri.toUpperCase(), 'https://engine.example.org/back']) {
      const code = await codeFor(guildhall, ada, engine)
      expectProtocolError(await exchange(guildhall, engine, code, { redirect_uri: other }), 'invalid_grant')
      expectProtocolError(await exchange(guildhall, engine, code), 'invalid_grant')
    }
    const code = await codeFor(guildhall, ada, engine)
    expectProtocolError(await exchange(guildhall, loom, code), 'invalid_grant')
    expectProtocolError(await exchange(guildhall, engine, 'nonsense'), 'invalid_grant')
  })

  it('requires the verifier of a challenge, and none if there was no challenge', async () => {
    const verifier = randomBytes(32).toString('base64url')
    const s256 = createHash('sha256').update(verifier).digest('base64url')
    for (const [challenge, right] of [
      [{ code_challenge: s256, code_challenge_method: 'S256' }, true],
      [{ code_challenge: verifier, code_challenge_method: 'plain' }, true],
      [{ code_challenge: verifier }, true],
      [{ code_challenge: s256, code_challenge_method: 'plain' }, false],
      [{ code_challenge: verifier, code_challenge_method: 'S256' }, false],
      [{}, false],
    ] as const) {
      const fresh = () => codeFor(guildhall, ada, engine, challenge)
      const answer = await exchange(guildhall, engine, await fresh(), { code_verifier: verifier })
      if (right) expect(answer.status).toBe(200)
      else expectProtocolError(answer, 'invalid_grant')
      if (!('code_challenge' in challenge)) continue
      expectProtocolError(await exchange(guildhall, engine, await fresh()), 'invalid_grant')
      const wrong = { code_verifier: `${verifier}x` }
      expectProtocolError(await exchange(guildhall, engine, await fresh(), wrong), 'invalid_grant')
    }
  })

  it.each([
    ['an unknown client', () => ({ client_id: '1', client_secret: engine.clientSecret })],
    ['a wrong secret', () => ({ client_id: engine.id, client_secret: loom.clientSecret })],
    ['no secret', () => ({ client_id: engine.id, client_secret: '' })],
    ['no client', () => ({ client_id: '', client_secret: engine.clientSecret })],
  ])('refuses %s with invalid_client, and leaves the code as it is', async (_, client) => {
    const code = await codeFor(guildhall, ada, engine)
    expectProtocolError(await exchange(guildhall, engine, code, client()), 'invalid_client')
    expect((await exchange(guildhall, engine, code)).status).toBe(200)
  })

  it.each(['Basic', 'Basic !', 'Basic bm8gY29sb24=', `Basic ${Buffer.from('1:%zz').toString('base64')}`])(
    'refuses the header %j with invalid_client',
    async (authorization) => {
      const fields = { grant_type: 'refresh_token', refresh_token: 'x' }
      expectProtocolError(await sendForm(guildhall, 'token', fields, { authorization }), 'invalid_client')
    },
  )

  it('accepts no replaced secret', async () => {
    const client = await newClient(guildhall, owner)
    const code = await codeFor(guildhall, ada, client)
    const reset = `${applicationsPath}/${client.id}/client-secret/reset`
    const proof = { password: owner.password }
    const answer = bodyOf(await guildhall.request('POST', reset, { token: owner.token, body: proof }))
    expectProtocolError(await exchange(guildhall, client, code), 'invalid_client')
    const renewed = { ...client, clientSecret: String(answer['client_secret']) }
    expect((await exchange(guildhall, renewed, code)).status).toBe(200)
  })

  it('refuses anything but such a form with the standard error', async () => {
    const send = (body: string, type = 'application/x-www-form-urlencoded') =>
      guildhall.request('POST', '/v1/oauth2/token', { body, headers: { 'content-type': type } })
    expectFields(await send('grant_type=password'), field('grant_type', 'INVALID_FORMAT'))
    expectFields(await send(''), field('grant_type', 'INVALID_FORMAT'))
    const missing = ['code', 'redirect_uri'].map((path) => field(path, 'INVALID_FORMAT'))
    expectFields(await send('grant_type=authorization_code&code='), ...missing)
    expectFields(
      await send('grant_type=refresh_token&refresh_token=a&refresh_token=b'),
      field('refresh_token', 'INVALID_FORMAT'),
    )
    expectFields(
      await send(`grant_type=refresh_token&refresh_token=${'a'.repeat(257)}`),
      field('refresh_token', 'STRING_LENGTH_INVALID'),
    )
    expectFields(await send('grant_type=refresh_token&refresh_token=%00'), field('refresh_token', 'INVALID_FORMAT'))
    expectFields(await send('{"grant_type":"refresh_token"}', 'application/json'), field('body', 'INVALID_FORMAT'))
    expectFields(await send('no parts', 'multipart/form-data; boundary=x'), field('body', 'INVALID_FORMAT'))
    expectFields(await send('no boundary', 'multipart/form-data'), field('body', 'INVALID_FORMAT'))
    expectFields(await send('a=b&'.repeat(200)), field('body', 'TOO_LARGE'))
    expectFields(await send('a'.repeat(2 * 1024 * 1024)), field('body', 'TOO_LARGE'))
  })

  it('accepts no file as a field', async () => {
    const form = new FormData()
    form.set('grant_type', 'refresh_token')
    form.set('refresh_token', new Blob(['x']), 'token.txt')
    const response = await fetch(`${guildhall.url}/v1/oauth2/token`, { method: 'POST', body: form })
    expect(await response.json()).toMatchObject({ errors: [field('refresh_token', 'INVALID_FORMAT')] })
  })
})

describe('Exchange token, refresh token', () => {
  it('returns new tokens for the same scopes, and earlier access tokens stay valid', async () => {
    const first = await tokensFor(guildhall, ada, engine, 'identify email')
    const answer = await refresh(guildhall, engine, first.refresh)
    expect(bodyOf(answer)).toMatchObject({ scope: 'identify email', expires_in: 604_800 })
    const second = tokensIn(answer)
    expect(second.access).not.toBe(first.access)
    expect(await isAlive(first.access)).toBe(true)
    expect(await isAlive(second.access)).toBe(true)
    expect((await refresh(guildhall, engine, second.refresh)).status).toBe(200)
  })

  it('uses the token up once, if 20 present it at the same moment', async () => {
    const { refresh: presented } = await tokensFor(guildhall, ada, engine)
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(guildhall, engine, presented)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 200) expectProtocolError(answer, 'invalid_grant')
  })

  it('accepts neither an access token nor the token of another client', async () => {
    const tokens = await tokensFor(guildhall, ada, engine)
    expectProtocolError(await refresh(guildhall, engine, tokens.access), 'invalid_grant')
    expectProtocolError(await refresh(guildhall, loom, tokens.refresh), 'invalid_grant')
    expect((await refresh(guildhall, engine, tokens.refresh)).status).toBe(200)
  })
})
