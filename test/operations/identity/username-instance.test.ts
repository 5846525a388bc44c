import { describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { bodyOf, expectFields, expectRefusal } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer('usernames')

const password = 'a password'
const register = async (username: string) =>
  bodyOf(await guildhall.request('POST', '/v1/auth/register', { body: { username, password } }))
const tokenOf = async (username: string) => String((await register(username))['token'])
const login = (body: object) => guildhall.request('POST', '/v1/auth/login', { body })
const kit = (method: string, token: string, body?: object) =>
  guildhall.request(method, '/v1/users/@me/recovery-kit', { token, ...(body && { body }) })
const reset = (body: object) => guildhall.request('POST', '/v1/auth/recovery-kit', { body })

describe('an instance on which people sign in by username', () => {
  it('says so in the discovery document', async () => {
    const document = bodyOf(await guildhall.request('GET', '/.well-known/guildhall'))
    expect(document['account_identity']).toStrictEqual({ mode: 'username', tag_style: 'none' })
  })

  it('registers and signs in by username, which is unique', async () => {
    const { user } = await register('Ada')
    expect(user).toMatchObject({ username: 'Ada', discriminator: '0000' })
    expect(bodyOf(await login({ username: 'ada', password }))).toHaveProperty('token')
    const taken = await guildhall.request('POST', '/v1/auth/register', { body: { username: 'ADA', password } })
    expectFields(taken, field('username', 'USERNAME_ALREADY_TAKEN'))
    const wrong = [
      field('username', 'INVALID_EMAIL_OR_PASSWORD'),
      field('password', 'INVALID_EMAIL_OR_PASSWORD'),
    ] as const
    expectFields(await login({ username: 'Ada', password: 'another password' }), ...wrong)
    expectFields(await login({ username: 'nobody', password }), ...wrong)
    expectFields(await login({ email: 'ada@example.com', password }), field('username', 'INVALID_FORMAT'))
    expectFields(await login({ username: 'a'.repeat(65), password }), field('username', 'STRING_LENGTH_INVALID'))
  })

  it('gives the name to one of 20 who want it at once', async () => {
    const body = { username: 'Wanted' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => guildhall.request('POST', '/v1/auth/register', { body })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectFields(answer, field('username', 'USERNAME_ALREADY_TAKEN'))
  })

  it('accepts no discriminator except 0 for a new tag', async () => {
    const token = await tokenOf('Linus')
    const patch = (body: object) => guildhall.request('PATCH', '/v1/users/@me', { token, body: { ...body, password } })
    expectFields(
      await patch({ discriminator: '1815' }),
      field('discriminator', 'DISCRIMINATOR_NOT_SUPPORTED_ON_INSTANCE'),
    )
    expect(bodyOf(await patch({ username: 'Linus_T', discriminator: '0000' }))).toMatchObject({
      username: 'Linus_T',
      discriminator: '0000',
    })
    const check = (query: string) => guildhall.request('GET', `/v1/users/check-tag?${query}`, { token })
    expect(bodyOf(await check('username=linus&discriminator=0'))).toStrictEqual({ taken: false })
    expectFields(
      await check('username=linus&discriminator=1'),
      field('discriminator', 'DISCRIMINATOR_NOT_SUPPORTED_ON_INSTANCE'),
    )
  })

  it('lets people do what elsewhere requires a verified address', async () => {
    const token = await tokenOf('Verified')
    const body = { name: 'Home' }
    expect((await guildhall.request('POST', '/v1/guilds', { token, body })).status).toBe(200)
    expect((await guildhall.request('PATCH', '/v1/users/@me', { token, body: { bio: 'Notes' } })).status).toBe(200)
  })

  const change = '/v1/users/@me/email-change'
  const passwords = '/v1/users/@me/password-change'
  const challenge = '/v1/users/@me/mfa/backup-codes/challenge'
  const someToken = 'a'.repeat(64)
  it.each([
    ['POST', '/v1/auth/register', { username: 'Mailer', email: 'ada@example.com' }],
    ['POST', '/v1/auth/verify', { token: someToken }],
    ['POST', '/v1/auth/verify/resend', undefined],
    ['POST', '/v1/auth/forgot', { email: 'ada@example.com' }],
    ['POST', '/v1/auth/email-revert', { token: someToken, password }],
    ['PATCH', '/v1/users/@me', { email: 'ada@example.com' }],
    ['PATCH', '/v1/users/@me', { email_token: 'x', password }],
    ['POST', `${change}/start`, undefined],
    ['POST', `${change}/resend-original`, { ticket: 'x' }],
    ['POST', `${change}/verify-original`, { ticket: 'x', code: 'x' }],
    ['POST', `${change}/request-new`, { ticket: 'x', new_email: 'ada@example.com', original_proof: 'x' }],
    ['POST', `${change}/resend-new`, { ticket: 'x' }],
    ['POST', `${change}/verify-new`, { ticket: 'x', code: 'x', original_proof: 'x' }],
    ['POST', `${change}/apply`, { email_token: 'x', password }],
    ['POST', `${passwords}/start`, undefined],
    ['POST', `${passwords}/resend`, { ticket: 'x' }],
    ['POST', `${passwords}/verify`, { ticket: 'x', code: 'x' }],
    ['POST', `${passwords}/complete`, { ticket: 'x', verification_proof: 'x', new_password: 'another password' }],
    ['POST', challenge, undefined],
    ['POST', `${challenge}/resend`, { ticket: 'x' }],
    ['POST', `${challenge}/verify`, { ticket: 'x', code: 'x' }],
    ['POST', `${challenge}/regenerate`, { ticket: 'x', verification_proof: 'x' }],
  ])('answers %s %s with EMAIL_UNAVAILABLE_ON_INSTANCE', async (method, path, body) => {
    mailer ??= tokenOf('Wants_mail')
    const given = body === undefined ? {} : { body }
    expectRefusal(
      await guildhall.request(method, path, { token: await mailer, ...given }),
      400,
      'EMAIL_UNAVAILABLE_ON_INSTANCE',
    )
  })
})

let mailer: Promise<string> | undefined

describe('the recovery kit', () => {
  it('is created in sudo mode, and shown once', async () => {
    const token = await tokenOf('Grace')
    expect(bodyOf(await kit('GET', token))).toStrictEqual({ created_at: null })
    expectRefusal(await kit('POST', token), 403, 'SUDO_MODE_REQUIRED')
    const made = bodyOf(await kit('POST', token, { password }))
    expect(made).toStrictEqual({ recovery_key: expect.any(String), created_at: expect.any(String) })
    expect(bodyOf(await kit('GET', token))).toStrictEqual({ created_at: made['created_at'] })
    expectRefusal(await kit('DELETE', token), 403, 'SUDO_MODE_REQUIRED')
    expect((await kit('DELETE', token, { password })).status).toBe(204)
    expect(bodyOf(await kit('GET', token))).toStrictEqual({ created_at: null })
    expect((await kit('DELETE', token, { password })).status).toBe(204)
  })

  it('sets a new password once, and every session before it ends', async () => {
    const token = await tokenOf('Hedy')
    const { recovery_key: key } = bodyOf(await kit('POST', token, { password }))
    const wrong = [field('username', 'INVALID_CODE'), field('recovery_key', 'INVALID_CODE')] as const
    expectFields(await reset({ username: 'nobody', recovery_key: key, password: 'another password' }), ...wrong)
    expectFields(await reset({ username: 'Hedy', recovery_key: 'wrong', password: 'another password' }), ...wrong)
    expectFields(
      await reset({ username: 'Hedy', recovery_key: key, password: 'short' }),
      field('password', 'PASSWORD_LENGTH_INVALID'),
    )
    const wishes = { username: 'hedy', recovery_key: key, password: 'another password' }
    const answer = bodyOf(await reset(wishes))
    expect((await guildhall.request('GET', '/v1/users/@me', { token })).status).toBe(401)
    expect((await guildhall.request('GET', '/v1/users/@me', { token: String(answer['token']) })).status).toBe(200)
    expectFields(await reset(wishes), ...wrong)
    expect(bodyOf(await login({ username: 'Hedy', password: 'another password' }))).toHaveProperty('token')
  })

  it('cannot be created without a session', async () => {
    expectRefusal(await guildhall.request('GET', '/v1/users/@me/recovery-kit'), 401, 'UNAUTHORIZED')
  })
})

describe('an instance on which people sign in by e-mail', () => {
  it('answers with USERNAME_SIGN_IN_ONLY', async () => {
    const byEmail = await openServer()
    const { token, password: own } = await byEmail.register()
    const path = '/v1/users/@me/recovery-kit'
    expectRefusal(await byEmail.request('GET', path, { token }), 400, 'USERNAME_SIGN_IN_ONLY')
    for (const method of ['POST', 'DELETE'])
      expectRefusal(
        await byEmail.request(method, path, { token, body: { password: own } }),
        400,
        'USERNAME_SIGN_IN_ONLY',
      )
    const body = { username: 'Ada', recovery_key: 'x', password }
    expectRefusal(await byEmail.request('POST', '/v1/auth/recovery-kit', { body }), 400, 'USERNAME_SIGN_IN_ONLY')
  })
})
