import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { protect } from '../../../support/authenticator.ts'
import { startOpenIdProvider } from '../../../support/openid-provider.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import {
  authorize,
  complete,
  openProvider,
  openWith,
  signOn,
  somebody,
  withPolicy,
} from '../../support/single-sign-on.ts'

const provider = await openProvider()
const guildhall = await openWith(provider, { displayName: 'Example Organisation' })
beforeEach(() => {
  provider.person = somebody()
  provider.claimsIn = 'both'
})

const start = (body: object) => guildhall.request('POST', '/v1/auth/sso/start', { body })
const me = (token: unknown) => guildhall.request('GET', '/v1/users/@me', { token: String(token) })

describe('SSO status', () => {
  const status = {
    enabled: true,
    enforced: false,
    display_name: 'Example Organisation',
    redirect_uri: expect.stringMatching(/^http:.*\/auth\/sso\/callback$/),
  }

  it('describes how people sign in through their organisation', async () => {
    expect(bodyOf(await guildhall.request('GET', '/v1/auth/sso/status'))).toStrictEqual(status)
  })

  it('is in the discovery document', async () => {
    expect(bodyOf(await guildhall.request('GET', '/.well-known/guildhall'))['sso']).toStrictEqual(status)
  })
})

describe('SSO start', () => {
  it('sends people to the provider with code flow, state, nonce and PKCE', async () => {
    const started = bodyOf(await start({}))
    const redirectUri = `${guildhall.url}/auth/sso/callback`
    expect(started).toStrictEqual({
      authorization_url: expect.stringContaining(`${provider.issuer}/authorize?`),
      state: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      redirect_uri: redirectUri,
    })
    const asks = new URL(String(started['authorization_url'])).searchParams
    expect(Object.fromEntries(asks)).toStrictEqual({
      response_type: 'code',
      client_id: provider.clientId,
      scope: 'openid email profile',
      redirect_uri: redirectUri,
      state: started['state'],
      nonce: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      code_challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      code_challenge_method: 'S256',
    })
  })

  it('accepts the instance’s own redirect URI and the deep link of its mobile application, and no other', async () => {
    const own = `${guildhall.url}/auth/sso/callback`
    for (const redirectUri of [own, 'guildhall://auth/sso/callback']) {
      expect(bodyOf(await start({ redirect_uri: redirectUri }))['redirect_uri']).toBe(redirectUri)
    }
    for (const redirectUri of ['', `${own}/`, `${own}?next=1`, 'other://auth/sso/callback', 'https://evil.example/']) {
      expectFields(await start({ redirect_uri: redirectUri }), field('redirect_uri', 'INVALID_URL_FORMAT'))
    }
  })

  it('is 403 FEATURE_TEMPORARILY_DISABLED if single sign-on is off or incomplete, or no provider answers', async () => {
    const unreachable = 'http://127.0.0.1:1'
    const tickets = async () => (await guildhall.store.database.pool.query('select * from tickets.tickets')).rows
    const before = await tickets()
    for (const changes of [{ enabled: false }, { issuer: null }, { clientId: null }, { issuer: unreachable }])
      await withPolicy(guildhall, { singleSignOn: changes }, async () => {
        expectRefusal(await start({}), 403, 'FEATURE_TEMPORARILY_DISABLED')
        expect(await tickets()).toStrictEqual(before)
      })
  })
})

describe('SSO completion', () => {
  it.each([
    ['in the form where the provider offers both', 'form', ['client_secret_basic', 'client_secret_post']],
    ['by HTTP Basic where the provider offers nothing else', 'basic', ['client_secret_basic']],
  ] as const)('gives the secret of the instance %s', async (_, taken, offered) => {
    const other = await startOpenIdProvider()
    onTestFinished(() => other.close())
    other.person = somebody()
    other.secretBy = { taken, offered }
    const singleSignOn = { issuer: other.issuer, clientId: other.clientId, clientSecret: other.clientSecret }
    await withPolicy(guildhall, { singleSignOn }, async () => {
      expect(bodyOf(await signOn(guildhall))).toHaveProperty('token')
    })
  })

  it('registers an account for an unknown person, and begins a session', async () => {
    const answer = bodyOf(await signOn(guildhall))
    expect(Object.keys(answer).toSorted()).toStrictEqual(['redirect_to', 'token', 'user', 'user_id'])
    const user = bodyOf(await me(answer['token']))
    expect(user).toMatchObject({
      id: answer['user_id'],
      username: provider.person['preferred_username'],
      discriminator: expect.stringMatching(/^\d{4}$/),
      global_name: provider.person['name'],
      email: provider.person['email'],
      verified: true,
      password_last_changed_at: null,
    })
  })

  it('signs in to the same account from then on, even with another address and name', async () => {
    const { sub, email } = provider.person
    const first = bodyOf(await signOn(guildhall))
    provider.person = somebody({ sub })
    const second = bodyOf(await signOn(guildhall))
    expect(second['user_id']).toBe(first['user_id'])
    expect(second['token']).not.toBe(first['token'])
    expect(bodyOf(await me(first['token']))).toMatchObject({ email })
  })

  it.each(['id_token', 'userinfo', 'both'] as const)('finds the address in %s', async (place) => {
    provider.claimsIn = place
    const { token } = bodyOf(await signOn(guildhall))
    expect(bodyOf(await me(token))).toMatchObject({ email: provider.person['email'], verified: true })
  })

  it('adopts the account that has the verified address, in any case', async () => {
    const known = await guildhall.register()
    provider.person = somebody({ email: known.email.toUpperCase() })
    const { user_id: id } = bodyOf(await signOn(guildhall))
    expect(id).toBe(known.id)
    expect((await me(known.token)).status).toBe(200)
    const login = { email: known.email, password: known.password }
    expect(bodyOf(await guildhall.request('POST', '/v1/auth/login', { body: login }))).toHaveProperty('token')
  })

  it('adopts nothing for an address that the provider has not verified', async () => {
    const known = await guildhall.register()
    for (const claims of [{ email_verified: false }, { email_verified: undefined }, { email_verified: 1 }]) {
      provider.person = somebody({ email: known.email, ...claims })
      expectFields(await signOn(guildhall), field('code', 'SSO_IDENTITY_MISMATCH'))
    }
  })

  it('is SSO_IDENTITY_MISMATCH if the account of the address is linked to another identity', async () => {
    bodyOf(await signOn(guildhall))
    provider.person = { ...provider.person, sub: `another-${provider.person.sub}` }
    expectFields(await signOn(guildhall), field('code', 'SSO_IDENTITY_MISMATCH'))
  })

  it('accepts a state once, on its first resolution', async () => {
    const returned = await authorize(guildhall)
    bodyOf(await complete(guildhall, returned))
    expectFields(await complete(guildhall, returned), field('state', 'INVALID_OR_EXPIRED_SSO_STATE'))

    const another = await authorize(guildhall)
    const wrong = { ...another, code: 'wrong' }
    expectFields(await complete(guildhall, wrong), field('code', 'INVALID_SSO_AUTHORIZATION_CODE'))
    expectFields(await complete(guildhall, another), field('state', 'INVALID_OR_EXPIRED_SSO_STATE'))
    expectFields(await complete(guildhall, { ...another, state: 'x' }), field('state', 'INVALID_OR_EXPIRED_SSO_STATE'))
  })

  it('redeems no code of one sign-on with the state of another', async () => {
    const [mine, theirs] = [await authorize(guildhall), await authorize(guildhall)]
    const crossed = { code: theirs.code, state: mine.state }
    expectFields(await complete(guildhall, crossed), field('code', 'INVALID_SSO_AUTHORIZATION_CODE'))
  })

  it('requires a code and a state of 1-4096 characters', async () => {
    const long = 'x'.repeat(4097)
    const [code, state] = [field('code', 'STRING_LENGTH_INVALID'), field('state', 'STRING_LENGTH_INVALID')]
    expectFields(await complete(guildhall, { code: '', state: '' }), code, state)
    expectFields(await complete(guildhall, { code: long, state: long }), code, state)
  })

  it('also returns by the deep link', async () => {
    const wishes = { redirect_uri: 'guildhall://auth/sso/callback' }
    expect(bodyOf(await signOn(guildhall, wishes))).toMatchObject({ user_id: expect.any(String) })
  })

  it.each([
    ['/channels/@me?x=1#y', '/channels/@me?x=1#y'],
    ['/', '/'],
    [`/${'a'.repeat(2047)}`, `/${'a'.repeat(2047)}`],
    [`/${'a'.repeat(2048)}`, ''],
    ['//evil.example', ''],
    ['/\\evil.example', ''],
    ['/\t/evil.example', ''],
    ['/a\r\nSet-Cookie: b', ''],
    ['https://evil.example', ''],
    ['channels', ''],
    ['', ''],
    [null, ''],
  ])('keeps redirect_to only if it is safe: %j', async (wish, kept) => {
    expect(bodyOf(await signOn(guildhall, { redirect_to: wish }))['redirect_to']).toBe(kept)
  })

  it("names accounts after the person's username, then after their name, then not at all", async () => {
    const usernameFor = async (claims: object) => {
      provider.person = somebody(claims)
      const { user } = bodyOf(await signOn(guildhall))
      return (user as { readonly username: string }).username
    }
    expect(await usernameFor({ preferred_username: 'augusta@corp.example' })).toBe('augusta')
    expect(await usernameFor({ preferred_username: undefined, name: 'Åda King' })).toBe('Ada_King')
    expect(await usernameFor({ preferred_username: 'here', name: '愛' })).toMatch(/^user_[a-z0-9]{10}$/)
    expect(await usernameFor({ preferred_username: 7, name: { family: 'King' } })).toMatch(/^user_[a-z0-9]{10}$/)
  })

  it('requires no second factor, which is the provider’s task', async () => {
    const known = await protect(guildhall, await guildhall.register())
    provider.person = somebody({ email: known.email })
    const { token } = bodyOf(await signOn(guildhall))
    expect(bodyOf(await me(token))).toMatchObject({ id: known.id, mfa_enabled: true })
  })

  it('enables again an account that its holder disabled', async () => {
    const { token, user_id: id } = bodyOf(await signOn(guildhall))
    const disabled = await guildhall.request('POST', '/v1/users/@me/disable', { token: String(token), body: {} })
    expect(disabled.status).toBe(204)
    expect((await me(token)).status).toBe(401)
    const again = bodyOf(await signOn(guildhall))
    expect(again['user_id']).toBe(id)
    expect(bodyOf(await me(again['token']))).toMatchObject({ id })
  })

  it('needs no sudo proof for an account without a password, which may change its profile', async () => {
    const { token } = bodyOf(await signOn(guildhall))
    const change = { token: String(token), body: { global_name: 'Countess', bio: 'Notes' } }
    expect(bodyOf(await guildhall.request('PATCH', '/v1/users/@me', change))).toMatchObject({
      global_name: 'Countess',
      bio: 'Notes',
    })
  })
})
