import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { Lies, SoftwareAuthenticator } from '../../../support/software-authenticator.ts'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { authenticatorAt, enrol, requestOptions, sudoFields } from '../../support/passkeys.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer()

interface Holder {
  readonly account: TestAccount
  readonly authenticator: SoftwareAuthenticator
}

const post = (path: string, body?: unknown): Promise<TestAnswer> =>
  guildhall.request('POST', path, body === undefined ? {} : { body })
const me = (token: unknown) => guildhall.request('GET', '/v1/users/@me', { token: String(token) })

/** An account with a passkey. */
async function holder(settings?: Parameters<typeof authenticatorAt>[1]): Promise<Holder> {
  const account = await guildhall.register()
  return { account, authenticator: await enrol(guildhall, account, authenticatorAt(guildhall, settings)) }
}

/** An account that must use a passkey after the password. */
async function twoFactorHolder(): Promise<Holder> {
  const { account, authenticator } = await holder()
  const body = { enabled: true, ...(await sudoFields(guildhall, account, authenticator)) }
  const path = '/v1/users/@me/mfa/webauthn/second-factor'
  const { status } = await guildhall.request('PUT', path, { token: account.token, body })
  expect(status).toBe(204)
  return { account, authenticator }
}

const discoverable = '/v1/auth/webauthn/authentication-options'
const authenticate = (response: object, challenge: string) =>
  post('/v1/auth/webauthn/authenticate', { response, challenge })

async function signIn({ authenticator }: Holder, lies?: Lies): Promise<TestAnswer> {
  const options = await requestOptions(guildhall, discoverable)
  return authenticate(authenticator.get(options, lies), options.challenge)
}

describe('signing in with a passkey alone', () => {
  it('requests any passkey, with user verification', async () => {
    expect(await requestOptions(guildhall, discoverable)).toStrictEqual({
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      timeout: 60_000,
      rpId: new URL(guildhall.url).hostname,
      userVerification: 'required',
    })
  })

  it('begins a session, and requires no second factor', async () => {
    const ada = await twoFactorHolder()
    const body = bodyOf(await signIn(ada))
    expect(Object.keys(body).toSorted()).toStrictEqual(['token', 'user', 'user_id'])
    expect(body).toMatchObject({ user_id: ada.account.id, user: { id: ada.account.id } })
    expect(bodyOf(await me(body['token']))['id']).toBe(ada.account.id)
  })

  it('accepts an authenticator without a counter, again and again', async () => {
    const ada = await holder({ counts: false })
    expect((await signIn(ada, { counter: 0 })).status).toBe(200)
    expect((await signIn(ada, { counter: 0 })).status).toBe(200)
  })

  it('accepts an authenticator that does not name the passkey’s user', async () => {
    expect((await signIn(await holder(), { userHandle: null })).status).toBe(200)
  })

  it.each<readonly [string, Lies]>([
    ['for another page', { origin: 'https://guildhall.example' }],
    ['for another relying party', { rpId: 'guildhall.example' }],
    ['over another challenge', { challenge: randomBytes(32).toString('base64url') }],
    ['as a registration', { type: 'webauthn.create' }],
    ['with nobody present', { userPresent: false }],
    ['with its holder not verified', { userVerified: false }],
    ['with a counter that did not grow', { counter: 1 }],
    ['for somebody else', { userHandle: Buffer.from('1').toString('base64url') }],
  ])('refuses an assertion %s', async (_, lies) => {
    expectRefusal(await signIn(await holder(), lies), 401, 'PASSKEY_AUTHENTICATION_FAILED')
  })

  it('refuses an unknown passkey, a removed one, and the key of another', async () => {
    const ada = await holder()
    const { credentialId } = ada.authenticator
    const stranger = authenticatorAt(guildhall)
    expectRefusal(await signIn({ ...ada, authenticator: stranger }), 401, 'PASSKEY_AUTHENTICATION_FAILED')
    const thief = authenticatorAt(guildhall, { credentialId: Buffer.from(credentialId, 'base64url') })
    const forged = await signIn({ ...ada, authenticator: thief }, { counter: 9 })
    expectRefusal(forged, 401, 'PASSKEY_AUTHENTICATION_FAILED')
    const body = await sudoFields(guildhall, ada.account, ada.authenticator)
    const path = `/v1/users/@me/mfa/webauthn/credentials/${credentialId}`
    await guildhall.request('DELETE', path, { token: ada.account.token, body })
    expectRefusal(await signIn(ada), 401, 'PASSKEY_AUTHENTICATION_FAILED')
  })

  it('accepts a challenge once, even if it failed, and one use at a time', async () => {
    const { authenticator } = await holder()
    const options = await requestOptions(guildhall, discoverable)
    const lie = authenticator.get(options, { origin: 'https://guildhall.example' })
    expectRefusal(await authenticate(lie, options.challenge), 401, 'PASSKEY_AUTHENTICATION_FAILED')
    const truth = authenticator.get(options)
    expectRefusal(await authenticate(truth, options.challenge), 401, 'PASSKEY_AUTHENTICATION_FAILED')
    const next = await requestOptions(guildhall, discoverable)
    const right = authenticator.get(next)
    const racers = await Promise.all([1, 2, 3, 4].map(() => authenticate(right, next.challenge)))
    expect(racers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(racers.filter(({ status }) => status === 401)).toHaveLength(3)
  })

  it('refuses an invalid assertion', async () => {
    expectFields(
      await post('/v1/auth/webauthn/authenticate', { challenge: 7 }),
      field('response', 'INVALID_FORMAT'),
      field('challenge', 'INVALID_FORMAT'),
    )
    const { authenticator } = await holder()
    const { challenge, rpId } = await requestOptions(guildhall, discoverable)
    const answer = authenticator.get({ rpId, challenge }) as { readonly response: object }
    const broken = { ...answer, response: { ...answer.response, authenticatorData: '!', clientDataJSON: '{}' } }
    expectRefusal(await authenticate(broken, challenge), 401, 'PASSKEY_AUTHENTICATION_FAILED')
  })
})

const login = ({ account: { email, password } }: Holder) => post('/v1/auth/login', { email, password })
const mfaOptions = '/v1/auth/login/mfa/webauthn/authentication-options'
const complete = (response: object, challenge: string, ticket: string) =>
  post('/v1/auth/login/mfa/webauthn', { response, challenge, ticket })

async function ticketOf(somebody: Holder): Promise<string> {
  return String(bodyOf(await login(somebody))['ticket'])
}

describe('signing in with a passkey after the password', () => {
  it('is required if the account chose so', async () => {
    const ada = await twoFactorHolder()
    expect(bodyOf(await login(ada))).toStrictEqual({
      mfa: true,
      ticket: expect.any(String),
      allowed_methods: ['webauthn'],
      totp: false,
      webauthn: true,
    })
    expect(bodyOf(await login(await holder()))).toHaveProperty('token')
  })

  it('begins a session, once', async () => {
    const ada = await twoFactorHolder()
    const ticket = await ticketOf(ada)
    const options = await requestOptions(guildhall, mfaOptions, { body: { ticket } })
    expect(options).toStrictEqual({
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      timeout: 60_000,
      rpId: new URL(guildhall.url).hostname,
      allowCredentials: [{ id: ada.authenticator.credentialId, type: 'public-key', transports: ['internal'] }],
      userVerification: 'discouraged',
    })
    const assertion = ada.authenticator.get(options, { userVerified: false })
    const body = bodyOf(await complete(assertion, options.challenge, ticket))
    expect(bodyOf(await me(body['token']))['id']).toBe(ada.account.id)
    expectFields(await complete(assertion, options.challenge, ticket), field('ticket', 'SESSION_TIMEOUT'))
    expectFields(await post(mfaOptions, { ticket }), field('ticket', 'SESSION_TIMEOUT'))
  })

  it('begins one session for a ticket, with any number of challenges', async () => {
    const ada = await twoFactorHolder()
    const ticket = await ticketOf(ada)
    const assertions = []
    for (let count = 0; count < 4; count += 1) {
      const options = await requestOptions(guildhall, mfaOptions, { body: { ticket } })
      assertions.push({ challenge: options.challenge, response: ada.authenticator.get(options) })
    }
    const answers = await Promise.all(
      assertions.map(({ response, challenge }) => complete(response, challenge, ticket)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it.each<readonly [string, Lies]>([
    ['for another page', { origin: 'https://guildhall.example' }],
    ['for another relying party', { rpId: 'guildhall.example' }],
    ['with nobody present', { userPresent: false }],
    ['with a counter that did not grow', { counter: 1 }],
    ['for somebody else', { userHandle: Buffer.from('1').toString('base64url') }],
  ])('refuses an assertion %s, and the ticket stays', async (_, lies) => {
    const ada = await twoFactorHolder()
    const ticket = await ticketOf(ada)
    const options = await requestOptions(guildhall, mfaOptions, { body: { ticket } })
    const refused = await complete(ada.authenticator.get(options, lies), options.challenge, ticket)
    expectRefusal(refused, 401, 'PASSKEY_AUTHENTICATION_FAILED')
    const next = await requestOptions(guildhall, mfaOptions, { body: { ticket } })
    expect((await complete(ada.authenticator.get(next), next.challenge, ticket)).status).toBe(200)
  })

  it('refuses the challenge of another ticket or flow, and the passkey of another account', async () => {
    const [ada, grace] = [await twoFactorHolder(), await twoFactorHolder()]
    const [first, second] = [await ticketOf(ada), await ticketOf(ada)]
    const ofFirst = await requestOptions(guildhall, mfaOptions, { body: { ticket: first } })
    const elsewhere = await complete(ada.authenticator.get(ofFirst), ofFirst.challenge, second)
    expectRefusal(elsewhere, 401, 'PASSKEY_AUTHENTICATION_FAILED')
    const open = await requestOptions(guildhall, discoverable)
    const ofOtherFlow = await complete(ada.authenticator.get(open), open.challenge, second)
    expectRefusal(ofOtherFlow, 401, 'PASSKEY_AUTHENTICATION_FAILED')
    const ofSecond = await requestOptions(guildhall, mfaOptions, { body: { ticket: second } })
    const another = await complete(grace.authenticator.get(ofSecond), ofSecond.challenge, second)
    expectRefusal(another, 401, 'PASSKEY_AUTHENTICATION_FAILED')
  })

  it('refuses an invalid ticket', async () => {
    const options = await requestOptions(guildhall, discoverable)
    const { authenticator } = await holder()
    const ticket = randomBytes(32).toString('base64url')
    expectFields(await post(mfaOptions, { ticket }), field('ticket', 'SESSION_TIMEOUT'))
    const answer = await complete(authenticator.get(options), options.challenge, ticket)
    expectFields(answer, field('ticket', 'SESSION_TIMEOUT'))
    expectFields(await post(mfaOptions, { ticket: 't'.repeat(257) }), field('ticket', 'STRING_LENGTH_INVALID'))
  })
})

describe('the passkey bridge', () => {
  const verifier = randomBytes(32).toString('base64url')
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')

  it('accepts an assertion on a page of the instance, and gives the session to the client that began it', async () => {
    const { account, authenticator } = await holder()
    const options = await requestOptions(guildhall, discoverable)
    const start = { response: authenticator.get(options), challenge: options.challenge, code_challenge }
    const started = await post('/v1/auth/passkey-bridge/start', start)
    const { ticket, ...rest } = bodyOf(started)
    expect(rest).toStrictEqual({})
    const redeem = () => post('/v1/auth/passkey-bridge/redeem', { ticket, code_verifier: verifier })
    const body = bodyOf(await redeem())
    expect(bodyOf(await me(body['token']))['id']).toBe(account.id)
    expectFields(await redeem(), field('ticket', 'SESSION_TIMEOUT'))
    expectRefusal(await post('/v1/auth/passkey-bridge/start', start), 401, 'PASSKEY_AUTHENTICATION_FAILED')
  })

  it('refuses invalid input', async () => {
    const answer = await post('/v1/auth/passkey-bridge/redeem', { ticket: 't', code_verifier: 'short' })
    expectFields(answer, field('code_verifier', 'INVALID_FORMAT'))
  })
})
