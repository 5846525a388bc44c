import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { Cbor } from '../../../support/cbor.ts'
import { withCertificate } from '../../../support/attestation-certificate.ts'
import type { Algorithm, Lies } from '../../../support/software-authenticator.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../../support/answers.ts'
import {
  authenticatorAt,
  creationOptions,
  credentials,
  enrol,
  register,
  requestOptions,
  sudoFields,
  sudoOptionsPath,
} from '../../support/passkeys.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer()

const newcomer = (): Promise<TestAccount> => guildhall.register()
const list = async ({ token }: TestAccount) => listOf(await guildhall.request('GET', credentials, { token }))

describe('Create WebAuthn registration options', () => {
  it('says member by member what the authenticator is to make', async () => {
    const ada = await guildhall.register('Ada_K')
    const { hostname } = new URL(guildhall.url)
    expect(await creationOptions(guildhall, ada)).toStrictEqual({
      rp: { name: 'guildhall', id: hostname },
      user: { id: Buffer.from(ada.id).toString('base64url'), name: 'Ada_K', displayName: 'Ada_K' },
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
      timeout: 60_000,
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: 'preferred',
        requireResidentKey: false,
        userVerification: 'preferred',
      },
      attestation: 'none',
      extensions: { credProps: true },
      hints: [],
    })
  })

  it('excludes the credentials that the account has', async () => {
    const ada = await newcomer()
    const held = await enrol(guildhall, ada)
    const proof = await sudoFields(guildhall, ada, held)
    expect(await creationOptions(guildhall, ada, proof)).toMatchObject({
      excludeCredentials: [{ id: held.credentialId, type: 'public-key', transports: ['internal'] }],
    })
  })

  it('needs sudo mode, and sends no proof', async () => {
    const ada = await newcomer()
    const ask = (body: object) =>
      guildhall.request('POST', `${credentials}/registration-options`, { token: ada.token, body })
    expectRefusal(await ask({}), 403, 'SUDO_MODE_REQUIRED')
    const held = await enrol(guildhall, ada)
    const answer = await ask(await sudoFields(guildhall, ada, held))
    expect(answer.status).toBe(200)
    expect(answer.headers.has('x-service-sudo-mode-jwt')).toBe(false)
  })

  it('is for accounts whose address is verified', async () => {
    const { token } = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body: {} }))
    const path = `${credentials}/registration-options`
    const answer = await guildhall.request('POST', path, { token: String(token), body: {} })
    expectRefusal(answer, 403, 'MFA_EMAIL_VERIFICATION_REQUIRED')
  })

  it('needs a session', async () => {
    for (const [method, path] of [
      ['GET', credentials],
      ['POST', `${credentials}/registration-options`],
      ['POST', credentials],
      ['PATCH', `${credentials}/x`],
      ['DELETE', `${credentials}/x`],
      ['PUT', '/v1/users/@me/mfa/webauthn/second-factor'],
      ['POST', sudoOptionsPath],
    ] as const)
      expectRefusal(await guildhall.request(method, path), 401, 'UNAUTHORIZED')
  })
})

describe('Register WebAuthn credential', () => {
  it.each<Algorithm>(['ES256', 'EdDSA', 'RS256'])('takes a key of %s, and assertions by it', async (algorithm) => {
    const ada = await newcomer()
    const held = await enrol(guildhall, ada, authenticatorAt(guildhall, { algorithm }))
    expect(await list(ada)).toStrictEqual([
      {
        id: held.credentialId,
        name: 'Engine',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        last_used_at: null,
      },
    ])
    await creationOptions(guildhall, ada, await sudoFields(guildhall, ada, held))
    expect(await list(ada)).toMatchObject([{ last_used_at: expect.any(String) }])
  })

  it('drops the transports that it does not know', async () => {
    const ada = await newcomer()
    const options = await creationOptions(guildhall, ada)
    const authenticator = authenticatorAt(guildhall)
    const { response, ...made } = authenticator.create(options) as { readonly response: object }
    const answer = { ...made, response: { ...response, transports: ['internal', 'telepathy', 'hybrid', 'internal'] } }
    expect((await register(guildhall, ada, options, answer)).status).toBe(204)
    expect(await creationOptions(guildhall, ada, await sudoFields(guildhall, ada, authenticator))).toMatchObject({
      excludeCredentials: [{ transports: ['internal', 'hybrid'] }],
    })
  })

  it('takes an authenticator that attests with the new key itself, and looks at its signature', async () => {
    const [ada, grace] = [await newcomer(), await newcomer()]
    await enrol(guildhall, ada, authenticatorAt(guildhall, { attestsItself: true }))
    expect(await list(ada)).toHaveLength(1)
    const options = await creationOptions(guildhall, grace)
    const madeUp = new Map<string, Cbor>([['alg', -7], ['sig', randomBytes(70)]]) // oxfmt-ignore
    const attestation = () => ({ fmt: 'packed', attStmt: madeUp })
    const made = authenticatorAt(guildhall).create(options, { attestation })
    expectRefusal(await register(guildhall, grace, options, made), 400, 'INVALID_WEBAUTHN_CREDENTIAL')
  })

  it.each<readonly [string, Lies]>([
    ['for another page', { origin: 'https://guildhall.example' }],
    ['for another relying party', { rpId: 'guildhall.example' }],
    ['over another challenge', { challenge: randomBytes(32).toString('base64url') }],
    ['as an assertion', { type: 'webauthn.get' }],
    ['with nobody present', { userPresent: false }],
    ['with certificates, which nobody asked for', { attestation: withCertificate }],
    ['in an attestation of another form', { attestation: () => ({ fmt: 'android-safetynet', attStmt: new Map() }) }],
    [
      'with a statement where there is to be none',
      { attestation: (signed) => ({ ...withCertificate(signed), fmt: 'none' }) },
    ],
    ['with a key of no known algorithm', { publicKey: new Map<number, Cbor>([[1, 2], [3, -36]]) }], // oxfmt-ignore
    ['with no key', { publicKey: 'a key' }],
  ])('refuses a credential that was made %s', async (_, lies) => {
    const ada = await newcomer()
    const options = await creationOptions(guildhall, ada)
    const made = authenticatorAt(guildhall).create(options, lies)
    expectRefusal(await register(guildhall, ada, options, made), 400, 'INVALID_WEBAUTHN_CREDENTIAL')
    expect(await list(ada)).toStrictEqual([])
  })

  it.each<readonly [string, Cbor]>([
    ['a point that is not on the curve', new Map<number, Cbor>([[1, 2], [3, -7], [-1, 1], [-2, Buffer.alloc(32, 1)], [-3, Buffer.alloc(32, 1)]])], // oxfmt-ignore
    ['a curve of another algorithm', new Map<number, Cbor>([[1, 2], [3, -7], [-1, 2], [-2, Buffer.alloc(48, 1)], [-3, Buffer.alloc(48, 1)]])], // oxfmt-ignore
    ['no coordinates', new Map<number, Cbor>([[1, 2], [3, -7], [-1, 1]])], // oxfmt-ignore
    ['a type of another algorithm', new Map<number, Cbor>([[1, 1], [3, -7], [-1, 6], [-2, Buffer.alloc(32, 1)]])], // oxfmt-ignore
    ['a modulus of 512 bits', new Map<number, Cbor>([[1, 3], [3, -257], [-1, Buffer.alloc(64, 255)], [-2, Buffer.of(1, 0, 1)]])], // oxfmt-ignore
    ['a modulus of 8192 bits', new Map<number, Cbor>([[1, 3], [3, -257], [-1, Buffer.alloc(1024, 255)], [-2, Buffer.of(1, 0, 1)]])], // oxfmt-ignore
  ])('refuses a key that nothing can be verified by: %s', async (_, publicKey) => {
    const ada = await newcomer()
    const options = await creationOptions(guildhall, ada)
    const made = authenticatorAt(guildhall).create(options, { publicKey })
    expectRefusal(await register(guildhall, ada, options, made), 400, 'INVALID_WEBAUTHN_PUBLIC_KEY_FORMAT')
  })

  it('refuses a credential under another id than the one that it attests', async () => {
    const ada = await newcomer()
    const options = await creationOptions(guildhall, ada)
    const id = randomBytes(32).toString('base64url')
    const made = { ...authenticatorAt(guildhall).create(options), id, rawId: id }
    expectRefusal(await register(guildhall, ada, options, made), 400, 'INVALID_WEBAUTHN_CREDENTIAL')
  })

  it('consumes the challenge, also by a failure', async () => {
    const ada = await newcomer()
    const options = await creationOptions(guildhall, ada)
    const authenticator = authenticatorAt(guildhall)
    const lie = authenticator.create(options, { origin: 'https://guildhall.example' })
    expectRefusal(await register(guildhall, ada, options, lie), 400, 'INVALID_WEBAUTHN_CREDENTIAL')
    const truth = authenticator.create(options)
    expectRefusal(await register(guildhall, ada, options, truth), 400, 'INVALID_WEBAUTHN_CREDENTIAL')
  })

  it('refuses the challenge of another account, or of another flow', async () => {
    const [ada, grace] = [await newcomer(), await newcomer()]
    const hers = await creationOptions(guildhall, ada)
    const made = authenticatorAt(guildhall).create(hers)
    expectRefusal(await register(guildhall, grace, hers, made), 400, 'INVALID_WEBAUTHN_CREDENTIAL')
    const held = await enrol(guildhall, ada)
    const options = await creationOptions(guildhall, ada, await sudoFields(guildhall, ada, held))
    const { challenge } = await requestOptions(guildhall, sudoOptionsPath, { token: ada.token })
    const other = authenticatorAt(guildhall).create({ ...options, challenge })
    expectRefusal(await register(guildhall, ada, { ...options, challenge }, other), 400, 'INVALID_WEBAUTHN_CREDENTIAL')
  })

  it('refuses a credential that this or any other account has', async () => {
    const [ada, grace] = [await newcomer(), await newcomer()]
    const held = await enrol(guildhall, ada)
    const again = await creationOptions(guildhall, ada, await sudoFields(guildhall, ada, held))
    expectRefusal(await register(guildhall, ada, again, held.create(again)), 400, 'INVALID_WEBAUTHN_CREDENTIAL')
    const thief = authenticatorAt(guildhall, { credentialId: Buffer.from(held.credentialId, 'base64url') })
    const options = await creationOptions(guildhall, grace)
    expectRefusal(await register(guildhall, grace, options, thief.create(options)), 400, 'INVALID_WEBAUTHN_CREDENTIAL')
  })

  it('takes ten credentials an account, of however many at once', async () => {
    const ada = await newcomer()
    const all = await Promise.all(Array.from({ length: 12 }, () => creationOptions(guildhall, ada)))
    const answers = await Promise.all(
      all.map((options) => register(guildhall, ada, options, authenticatorAt(guildhall).create(options))),
    )
    const refused = answers.filter(({ status }) => status !== 204)
    expect(refused).toHaveLength(2)
    for (const answer of refused) expectRefusal(answer, 400, 'WEBAUTHN_CREDENTIAL_LIMIT_REACHED')
    expect(await list(ada)).toHaveLength(10)
  })

  it('refuses a body that is none', async () => {
    const { token } = await newcomer()
    const send = (body: object) => guildhall.request('POST', credentials, { token, body })
    expectFields(
      await send({}),
      field('response', 'INVALID_FORMAT'),
      field('challenge', 'INVALID_FORMAT'),
      field('name', 'INVALID_FORMAT'),
    )
    const response = authenticatorAt(guildhall).create({ rp: { id: 'x' }, user: { id: 'x' }, challenge: 'x' })
    expectFields(
      await send({ response, challenge: 'c'.repeat(1025), name: 'n'.repeat(101) }),
      field('challenge', 'STRING_LENGTH_INVALID'),
      field('name', 'STRING_LENGTH_INVALID'),
    )
  })
})
