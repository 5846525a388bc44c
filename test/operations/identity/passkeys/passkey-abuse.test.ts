import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { Lies, SoftwareAuthenticator } from '../../../support/software-authenticator.ts'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
import { expectFields, expectRefusal } from '../../support/answers.ts'
import {
  asSudo,
  authenticatorAt,
  credentials,
  enrol,
  requestOptions,
  sudoFields,
  sudoOptionsPath,
} from '../../support/passkeys.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer()
const ada = await guildhall.register()
const engine = await enrol(guildhall, ada)

/** An operation that needs sudo mode. */
function rename(account: TestAccount, authenticator: SoftwareAuthenticator, proof: object): Promise<TestAnswer> {
  const path = `${credentials}/${authenticator.credentialId}`
  const body = { name: randomBytes(4).toString('hex'), ...proof }
  return guildhall.request('PATCH', path, { token: account.token, body })
}

const wrongCode = field('mfa_code', 'INVALID_MFA_CODE')
const optionsOf = ({ token }: TestAccount) => requestOptions(guildhall, sudoOptionsPath, { token })

describe('Create sudo WebAuthn authentication options', () => {
  it('lists all credentials of the account', async () => {
    expect(await optionsOf(ada)).toStrictEqual({
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      timeout: 60_000,
      rpId: new URL(guildhall.url).hostname,
      allowCredentials: [{ id: engine.credentialId, type: 'public-key', transports: ['internal'] }],
      userVerification: 'discouraged',
    })
  })

  it('refuses an account that has none', async () => {
    const { token } = await guildhall.register()
    expectRefusal(await guildhall.request('POST', sudoOptionsPath, { token }), 400, 'NO_PASSKEYS_REGISTERED')
  })
})

describe('sudo mode by passkey', () => {
  it('accepts a right assertion, with or without user verification, and refuses the password from then on', async () => {
    const proof = await sudoFields(guildhall, ada, engine, { userVerified: false })
    const answer = await rename(ada, engine, proof)
    expect(answer.status).toBe(204)
    expect(answer.headers.get('x-service-sudo-mode-jwt')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    const { password } = ada
    const refused = await rename(ada, engine, { password })
    expectRefusal(refused, 403, 'SUDO_MODE_REQUIRED')
    expect(refused.body).toMatchObject({
      has_mfa: true,
      methods: { totp: false, webauthn: true, backup_codes: false },
    })
  })

  it.each([
    ['no response', { mfa_method: 'webauthn', webauthn_challenge: 'x' }],
    ['no challenge', { mfa_method: 'webauthn', webauthn_response: {} }],
    ['a response that is none', { mfa_method: 'webauthn', webauthn_challenge: 'x', webauthn_response: { id: 7 } }],
    ['a code in its place', { mfa_method: 'webauthn', mfa_code: '123456' }],
  ])('refuses %s', async (_, proof) => {
    expectFields(await rename(ada, engine, proof), wrongCode)
  })
})

describe('attempts with a passkey in sudo mode', () => {
  it('a challenge used again', async () => {
    const options = await optionsOf(ada)
    const proof = asSudo(engine.get(options), options.challenge)
    expect((await rename(ada, engine, proof)).status).toBe(204)
    expectFields(await rename(ada, engine, proof), wrongCode)
    const newer = asSudo(engine.get(options), options.challenge)
    expectFields(await rename(ada, engine, newer), wrongCode)
  })

  it('a challenge used by several at once', async () => {
    const proof = await sudoFields(guildhall, ada, engine)
    const answers = await Promise.all(Array.from({ length: 8 }, () => rename(ada, engine, proof)))
    const refused = answers.filter(({ status }) => status !== 204)
    expect(refused).toHaveLength(7)
    for (const answer of refused) expectFields(answer, wrongCode)
  })

  it('a challenge that failed before', async () => {
    const options = await optionsOf(ada)
    const lie = asSudo(engine.get(options, { origin: 'https://guildhall.example' }), options.challenge)
    expectFields(await rename(ada, engine, lie), wrongCode)
    expectFields(await rename(ada, engine, asSudo(engine.get(options), options.challenge)), wrongCode)
  })

  it('a challenge of another account, and of another flow', async () => {
    const grace = await guildhall.register()
    const loom = await enrol(guildhall, grace)
    const hers = await optionsOf(grace)
    expectFields(await rename(ada, engine, asSudo(engine.get(hers), hers.challenge)), wrongCode)
    // It was used up, so it no longer works for her either.
    expectFields(await rename(grace, loom, asSudo(loom.get(hers), hers.challenge)), wrongCode)
    const open = await requestOptions(guildhall, '/v1/auth/webauthn/authentication-options')
    expectFields(await rename(ada, engine, asSudo(engine.get(open), open.challenge)), wrongCode)
  })

  it('a challenge that was never issued', async () => {
    const options = { ...(await optionsOf(ada)), challenge: randomBytes(32).toString('base64url') }
    expectFields(await rename(ada, engine, asSudo(engine.get(options), options.challenge)), wrongCode)
  })

  it('the passkey of another account', async () => {
    const grace = await guildhall.register()
    const loom = await enrol(guildhall, grace)
    const own = (authenticator: SoftwareAuthenticator, lies: Lies = {}) =>
      sudoFields(guildhall, ada, authenticator, lies)
    expectFields(await rename(ada, engine, await own(loom)), wrongCode)
    const asAda = { userHandle: Buffer.from(ada.id).toString('base64url') }
    expectFields(await rename(ada, engine, await own(loom, asAda)), wrongCode)
  })

  it('another key under the id of a passkey', async () => {
    const forged = authenticatorAt(guildhall, { credentialId: Buffer.from(engine.credentialId, 'base64url') })
    expectFields(await rename(ada, engine, await sudoFields(guildhall, ada, forged, { counter: 1000 })), wrongCode)
  })

  it.each<readonly [string, Lies]>([
    ['a counter that goes back', { counter: 1 }],
    ['a counter that starts again', { counter: 0 }],
    ['another origin', { origin: 'https://guildhall.example' }],
    ['the right host on another port', { origin: 'http://127.0.0.1:1' }],
    ['another relying party', { rpId: 'guildhall.example' }],
    ['another challenge under the signature', { challenge: randomBytes(32).toString('base64url') }],
    ['a registration for an assertion', { type: 'webauthn.create' }],
    ['another user', { userHandle: Buffer.from('1').toString('base64url') }],
    ['nobody at the authenticator', { userPresent: false }],
  ])('%s', async (_, lies) => {
    expectFields(await rename(ada, engine, await sudoFields(guildhall, ada, engine, lies)), wrongCode)
  })

  it('the same counter twice, of a cloned authenticator', async () => {
    const answers = []
    for (let time = 0; time < 2; time += 1)
      answers.push(await rename(ada, engine, await sudoFields(guildhall, ada, engine, { counter: 5000 })))
    expect(answers.map(({ status }) => status)).toStrictEqual([204, 400])
  })
})
