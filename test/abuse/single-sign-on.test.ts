import { exportSPKI, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { pino } from 'pino'
import { field } from '../../domain/kernel/refusal.ts'
import { bodyOf, expectFields } from '../operations/support/answers.ts'
import {
  authorize,
  complete,
  openProvider,
  openWith,
  signOn,
  startWith,
  withPolicy,
} from '../operations/support/single-sign-on.ts'
import { newKeys, signed, type ProviderFaults } from '../support/openid-provider.ts'

const logged: string[] = []
const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
const provider = await openProvider()
const guildhall = await openWith(provider, {}, { logger })
const strangersKeys = await newKeys('key-1')
beforeEach(() => {
  provider.person = { sub: 'ada', email: 'ada@example.com', email_verified: true }
  provider.faults = {}
})

const invalidToken = field('code', 'INVALID_SSO_TOKEN')
const now_s = () => Math.floor(Date.now() / 1000)

/** An ID token with wrong claims, which the provider itself has signed. */
const claiming = (change: (claims: JWTPayload) => JWTPayload): ProviderFaults => ({
  idToken: (claims, keys) => signed(change(claims), keys),
})
const headed = (header: object): ProviderFaults => ({ idToken: (claims, keys) => signed(claims, keys, header) })

/** Nobody is registered by a wrong token. */
async function expectRefused(faults: ProviderFaults): Promise<void> {
  provider.faults = faults
  const end = await guildhall.store.events.end()
  expectFields(await signOn(guildhall), invalidToken)
  expect(await guildhall.store.events.end()).toBe(end)
}

describe('a forged ID token', () => {
  it('with alg none is refused', () => expectRefused({ idToken: async (claims) => new UnsecuredJWT(claims).encode() }))

  it('with HS256, signed with the public key, is refused', () =>
    expectRefused({
      idToken: async (claims, { publicKey, jwk }) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256', kid: String(jwk.kid) })
          .sign(Buffer.from(await exportSPKI(publicKey))),
    }))

  it('with HS256, signed with the client secret, is refused', () =>
    expectRefused({
      idToken: (claims) =>
        new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(provider.clientSecret)),
    }))

  it('signed with a stranger’s key of the same kid is refused', () =>
    expectRefused({ idToken: (claims) => signed(claims, strangersKeys) }))

  it('that contains its own key in jwk is refused', () =>
    expectRefused({ idToken: (claims) => signed(claims, strangersKeys, { jwk: strangersKeys.jwk }) }))

  it('that names the place of its key in jku is refused, and nothing is fetched there', async () => {
    const jku = `${provider.issuer}/strangers-keys`
    await expectRefused({ idToken: (claims) => signed(claims, strangersKeys, { jku }) })
    expect(provider.asked).not.toContain('/strangers-keys')
  })

  it.each(['../../../../dev/null', "key-1' OR '1'='1", 'key-2', ''])('with the kid %j is refused', (kid) =>
    expectRefused(headed({ kid })),
  )

  it('whose claims were changed after it was signed is refused', () =>
    expectRefused({
      idToken: async (claims, keys) => {
        const [header, , signature] = (await signed(claims, keys)).split('.')
        const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url')
        return [header, forged, signature].join('.')
      },
    }))

  it('with an extension that must be understood is refused', () =>
    expectRefused({
      idToken: (claims, { privateKey, jwk }) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS256', kid: String(jwk.kid), crit: ['exp'], exp: now_s() + 60 })
          .sign(privateKey, { crit: { exp: true } }),
    }))
})

describe('an ID token for another recipient or from another time', () => {
  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['wrong audience', (claims) => ({ ...claims, aud: 'another-client' })],
    ['wrong audience among several', (claims) => ({ ...claims, aud: ['another-client', 'a-third'] })],
    ['several audiences, and made for another party', (claims) => ({ ...claims, aud: ['guildhall', 'x'], azp: 'x' })],
    ['no audience', ({ aud: _, ...claims }) => claims],
    ['wrong issuer', (claims) => ({ ...claims, iss: 'https://id.example.com' })],
    ['issuer of another spelling', (claims) => ({ ...claims, iss: `${String(claims.iss)}/` })],
    ['no issuer', ({ iss: _, ...claims }) => claims],
    ['expired', (claims) => ({ ...claims, iat: now_s() - 600, exp: now_s() - 31 })],
    ['no expiry', ({ exp: _, ...claims }) => claims],
    ['not valid yet', (claims) => ({ ...claims, nbf: now_s() + 600 })],
    ['nonce of another sign-on', (claims) => ({ ...claims, nonce: 'another' })],
    ['no nonce', ({ nonce: _, ...claims }) => claims],
    ['no subject', ({ sub: _, ...claims }) => claims],
    ['a subject that is no text', (claims) => ({ ...claims, sub: ['ada'] as never })],
  ])('%s is refused', (_, change) => expectRefused(claiming(change)))

  it('no ID token at all is refused', () =>
    expectRefused({ token: ({ id_token: _, ...answer }) => ({ body: answer }) }))

  it('an invalid ID token is refused', () => expectRefused({ idToken: async () => 'a.b.c' }))

  it('from another sign-on of the same person is refused', async () => {
    let earlier = ''
    provider.faults = { idToken: async (claims, keys) => (earlier = await signed(claims, keys)) }
    bodyOf(await signOn(guildhall))
    await expectRefused({ idToken: async () => earlier })
  })
})

describe('the user info of the provider', () => {
  it('must name the same person: SSO_IDENTITY_MISMATCH', async () => {
    provider.faults = { userInfo: (claims) => ({ body: { ...claims, sub: 'somebody-else' } }) }
    expectFields(await signOn(guildhall), field('code', 'SSO_IDENTITY_MISMATCH'))
  })

  it.each([[{ status: 500 }], [{ status: 401 }], [{ status: 302, headers: { location: '/authorize' } }]])(
    'must be available: %j is FAILED_TO_FETCH_SSO_USER_INFO',
    async (answer) => {
      provider.faults = { userInfo: () => answer }
      expectFields(await signOn(guildhall), field('code', 'FAILED_TO_FETCH_SSO_USER_INFO'))
    },
  )

  it('must be within a bound: FAILED_TO_FETCH_SSO_USER_INFO', async () => {
    provider.faults = { userInfo: (claims) => ({ body: { ...claims, more: 'x'.repeat(300_000) } }) }
    expectFields(await signOn(guildhall), field('code', 'FAILED_TO_FETCH_SSO_USER_INFO'))
  })

  it.each(['', '{', '[]', 'null', '{"sub":7}', '{}'])(
    'must be readable: %j is FAILED_TO_PARSE_SSO_USER_INFO',
    async (body) => {
      provider.faults = { userInfo: () => ({ body }) }
      expectFields(await signOn(guildhall), field('code', 'FAILED_TO_PARSE_SSO_USER_INFO'))
    },
  )

  it('verifies no address except its own', async () => {
    const known = await guildhall.register()
    provider.person = { sub: 'mallory', email: known.email, email_verified: false }
    const verified = { sub: 'mallory', email: 'mallory@example.com', email_verified: true }
    provider.faults = { userInfo: () => ({ body: verified }) }
    expectFields(await signOn(guildhall), field('code', 'SSO_IDENTITY_MISMATCH'))
  })
})

describe('a faulty provider', () => {
  it('does not serve its keys: INVALID_SSO_TOKEN', async () => {
    const other = await startWith(provider)
    provider.faults = { jwks: () => ({ status: 500 }) }
    try {
      expectFields(await signOn(other), invalidToken)
    } finally {
      await other.close()
    }
  })

  it('does not know its client: SSO_MISCONFIGURED', async () => {
    await withPolicy(guildhall, { singleSignOn: { clientSecret: 'wrong' } }, async () => {
      expectFields(await signOn(guildhall), field('code', 'SSO_MISCONFIGURED'))
    })
  })

  it.each([[{ status: 500 }], [{ status: 302 }], [{ status: 400, body: { error: 'invalid_grant' } }]])(
    'gives nothing for its code: %j is INVALID_SSO_AUTHORIZATION_CODE',
    async (answer) => {
      provider.faults = { token: () => answer }
      expectFields(await signOn(guildhall), field('code', 'INVALID_SSO_AUTHORIZATION_CODE'))
    },
  )
})

describe('metadata of the provider', () => {
  const metadata: readonly [string, (document: object) => object][] = [
    ['names another issuer', (document) => ({ ...document, issuer: 'https://id.example.com' })],
    ['names no keys', (document) => ({ ...document, jwks_uri: undefined })],
    ['names a link-local address', (document) => ({ ...document, jwks_uri: 'http://169.254.169.254/keys' })],
    ['names an unencrypted host', (document) => ({ ...document, token_endpoint: 'http://id.example.com/token' })],
    ['names a script', (document) => ({ ...document, authorization_endpoint: 'javascript:alert(1)' })],
    ['names no URL', (document) => ({ ...document, userinfo_endpoint: 'userinfo' })],
  ]
  it.each(metadata)('that %s is not used: 403 FEATURE_TEMPORARILY_DISABLED', async (_, change) => {
    const other = await startWith(provider)
    provider.faults = { discovery: (document) => ({ body: change(document) }) }
    try {
      const { status, body } = await other.request('POST', '/v1/auth/sso/start', { body: {} })
      expect([status, body]).toMatchObject([403, { code: 'FEATURE_TEMPORARILY_DISABLED' }])
    } finally {
      await other.close()
    }
  })

  it('is fetched once, however many sign-ons begin at once, and not if the policy says everything', async () => {
    const { issuer } = provider
    const urls = { authorizationUrl: `${issuer}/authorize`, tokenUrl: `${issuer}/token` }
    const whole = { ...urls, userinfoUrl: `${issuer}/userinfo`, jwksUrl: `${issuer}/jwks` }
    const servers = [await startWith(provider), await startWith(provider, whole)]
    const asked = () => provider.asked.filter((path) => path.startsWith('/.well-known')).length
    try {
      const before = asked()
      for (const server of servers) {
        await Promise.all(Array.from({ length: 8 }, () => server.request('POST', '/v1/auth/sso/start', { body: {} })))
        expect(bodyOf(await signOn(server))).toHaveProperty('token')
      }
      expect(asked() - before).toBe(1)
    } finally {
      for (const server of servers) await server.close()
    }
  })
})

describe('secrets of a sign-on', () => {
  it('are in no line of the log', async () => {
    const returned = await authorize(guildhall)
    provider.faults = claiming((claims) => ({ ...claims, aud: 'another-client' }))
    expectFields(await complete(guildhall, returned), invalidToken)
    const lines = logged.join('\n')
    expect(lines).toContain('INVALID_SSO_TOKEN')
    for (const secret of [returned.code, returned.state, provider.clientSecret, 'ada@example.com'])
      expect(lines).not.toContain(secret)
  })

  it('are in no table, nor is the provider’s name for a person', async () => {
    provider.person = { sub: 'canary-subject', email: 'canary@example.com', email_verified: true }
    const { user_id: id } = bodyOf(await signOn(guildhall))
    const { state } = await authorize(guildhall)
    const tables = await everyTable()
    expect(tables).toContain(String(id))
    for (const secret of [state, 'canary-subject', provider.clientSecret]) expect(tables).not.toContain(secret)
  })
})

/** Every row of every table of the server. */
async function everyTable(): Promise<string> {
  const { pool } = guildhall.store.database
  const { rows: names } = await pool.query(`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema in ('event_store', 'accounts', 'unfinished', 'tickets', 'http', 'mail') and table_type = 'BASE TABLE'`)
  const texts = names.map(({ name }) => pool.query(`select each::text as line from ${String(name)} each`))
  return (await Promise.all(texts)).flatMap(({ rows }) => rows.map(({ line }) => String(line))).join('\n')
}
