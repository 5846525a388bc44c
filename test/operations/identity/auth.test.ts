import { describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { startTestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer()
const ada = await guildhall.register('Ada')

const register = (body: unknown) => guildhall.request('POST', '/v1/auth/register', { body })
const login = (body: unknown) => guildhall.request('POST', '/v1/auth/login', { body })
const me = (token: string) => guildhall.request('GET', '/v1/users/@me', { token })

describe('Register', () => {
  it('answers with a token, the id and the partial user, and nothing else', async () => {
    const body = bodyOf(
      await register({
        email: ` Grace.${ada.id}@Example.COM `,
        username: 'Grace',
        global_name: 'Grace H.',
        password: 'a password',
      }),
    )
    expect(Object.keys(body).toSorted()).toStrictEqual(['token', 'user', 'user_id'])
    expect(body['token']).toMatch(/^gld_[A-Za-z0-9]{36}$/)
    expect(body['user']).toStrictEqual({
      id: body['user_id'],
      username: 'Grace',
      discriminator: expect.stringMatching(/^\d{4}$/),
      global_name: 'Grace H.',
      avatar: null,
      avatar_color: null,
      flags: 0,
    })
    expect(bodyOf(await me(String(body['token'])))).toMatchObject({
      email: `grace.${ada.id}@example.com`,
      verified: true,
    })
  })

  it('accepts an empty body, and null for missing members', async () => {
    expect(bodyOf(await register(''))).toHaveProperty('token')
    const nothing = {
      email: null,
      username: null,
      global_name: null,
      password: null,
      date_of_birth: null,
      invite_code: null,
      consent: null,
    }
    expect(bodyOf(await register(nothing))).toHaveProperty('token')
  })

  it('ignores unknown members', async () => {
    const body = bodyOf(await register({ flags: '1', acls: ['*'], bot: true, __proto__: { bot: true }, id: '1' }))
    expect(bodyOf(await me(String(body['token'])))).toMatchObject({ acls: [], is_staff: false })
  })

  it.each([
    [{ email: 'nobody' }, field('email', 'INVALID_EMAIL_FORMAT')],
    [{ email: '' }, field('email', 'EMAIL_LENGTH_INVALID')],
    [{ email: `${'a'.repeat(243)}@example.com` }, field('email', 'EMAIL_LENGTH_INVALID')],
    [{ email: 'ädä@example.com' }, field('email', 'INVALID_EMAIL_LOCAL_PART')],
    [{ email: 7 }, field('email', 'INVALID_FORMAT')],
    [{ username: '' }, field('username', 'USERNAME_LENGTH_INVALID')],
    [{ username: 'a'.repeat(33) }, field('username', 'USERNAME_LENGTH_INVALID')],
    [{ username: 'ada lovelace' }, field('username', 'USERNAME_INVALID_CHARACTERS')],
    [{ username: 'Here' }, field('username', 'USERNAME_RESERVED_VALUE')],
    [{ username: 'the_guildhall' }, field('username', 'USERNAME_CANNOT_CONTAIN_RESERVED_TERMS')],
    [{ global_name: ' ' }, field('global_name', 'GLOBAL_NAME_LENGTH_INVALID')],
    [{ global_name: 'everyone' }, field('global_name', 'GLOBAL_NAME_RESERVED_VALUE')],
    [{ global_name: 'a System Message' }, field('global_name', 'GLOBAL_NAME_CANNOT_CONTAIN_RESERVED_TERMS')],
    [{ password: '1234567' }, field('password', 'PASSWORD_LENGTH_INVALID')],
    [{ password: 'a'.repeat(257) }, field('password', 'PASSWORD_LENGTH_INVALID')],
    [{ date_of_birth: '' }, field('date_of_birth', 'INVALID_DATE_OF_BIRTH_FORMAT')],
    [{ date_of_birth: '2000-02-30' }, field('date_of_birth', 'INVALID_DATE_OF_BIRTH_FORMAT')],
    [{ date_of_birth: '2000-1-1' }, field('date_of_birth', 'STRING_LENGTH_EXACT')],
    [{ date_of_birth: '2000/01/01' }, field('date_of_birth', 'INVALID_FORMAT')],
    [{ date_of_birth: '1899-12-31' }, field('date_of_birth', 'INVALID_DATE_OF_BIRTH_FORMAT')],
    [{ date_of_birth: '2999-01-01' }, field('date_of_birth', 'MUST_BE_MINIMUM_AGE')],
    [{ consent: 'yes' }, field('consent', 'INVALID_FORMAT')],
    [{ invite_code: 'a'.repeat(257) }, field('invite_code', 'STRING_LENGTH_INVALID')],
  ])('refuses %j', async (body, expected) => {
    expectFields(await register(body), expected)
  })

  it('names everything that is wrong with the shape of a body at once', async () => {
    const answer = await register({ email: 'x', password: 'short', date_of_birth: 'never' })
    expectFields(
      answer,
      field('email', 'INVALID_EMAIL_FORMAT'),
      field('password', 'PASSWORD_LENGTH_INVALID'),
      field('date_of_birth', 'STRING_LENGTH_EXACT'),
    )
  })

  it('accepts the bounds themselves', async () => {
    const local = 'a'.repeat(242)
    const body = {
      username: 'b'.repeat(32),
      global_name: 'c'.repeat(32),
      password: 'd'.repeat(256),
      email: `${local}@example.com`,
    }
    expect((await register(body)).status).toBe(200)
    expect((await register({ username: 'x', global_name: 'y', password: 'z'.repeat(8) })).status).toBe(200)
  })

  it('refuses an address in use, in any case, and a registration URL', async () => {
    expectFields(await register({ email: ada.email.toUpperCase() }), field('email', 'EMAIL_ALREADY_IN_USE'))
    expectRefusal(await register({ registration_url_code: 'x' }), 400, 'REGISTRATION_URL_INVALID')
  })

  it('refuses a body that is not JSON, or not an object', async () => {
    expectFields(await register('{'), field('body', 'INVALID_FORMAT'))
    expectFields(await register('[]'), field('root', 'INVALID_FORMAT'))
  })
})

describe('Log in', () => {
  it('begins a session beside the first one', async () => {
    const body = bodyOf(await login({ email: ada.email.toUpperCase(), password: ada.password }))
    expect(body).toMatchObject({ user_id: ada.id, user: { username: 'Ada' } })
    expect(body['token']).not.toBe(ada.token)
    expect(bodyOf(await me(String(body['token'])))['id']).toBe(ada.id)
    expect(bodyOf(await me(ada.token))['id']).toBe(ada.id)
  })

  it('gives the same answer to a wrong password and to an unknown address', async () => {
    const wrong = await login({ email: ada.email, password: 'another password' })
    const unknown = await login({ email: 'nobody@example.com', password: ada.password })
    const both = ['email', 'password'].map((path) => field(path, 'INVALID_EMAIL_OR_PASSWORD'))
    expectFields(wrong, ...both)
    expect(unknown.body).toStrictEqual(wrong.body)
  })

  it('refuses a body without its members', async () => {
    expectFields(await login({}), field('email', 'INVALID_FORMAT'), field('password', 'INVALID_FORMAT'))
    expectFields(await login({ email: ada.email, password: 'short' }), field('password', 'PASSWORD_LENGTH_INVALID'))
    expectFields(await login({ email: 'nobody', password: ada.password }), field('email', 'INVALID_EMAIL_FORMAT'))
    expectFields(await login([]), field('root', 'INVALID_FORMAT'))
  })
})

describe('Log out', () => {
  it('ends the session at once, and leaves the others', async () => {
    const { token } = bodyOf(await login({ email: ada.email, password: ada.password }))
    const session = String(token)
    expect((await me(session)).status).toBe(200)
    const answer = await guildhall.request('POST', '/v1/auth/logout', { token: session })
    expect(answer).toMatchObject({ status: 204, body: undefined })
    expectRefusal(await me(session), 401, 'UNAUTHORIZED')
    expect((await me(ada.token)).status).toBe(200)
  })

  it('needs a session', async () => {
    expectRefusal(await guildhall.request('POST', '/v1/auth/logout'), 401, 'UNAUTHORIZED')
  })
})

describe('Get current user', () => {
  it('is the whole account, with what its age allows', async () => {
    expect(bodyOf(await me(ada.token))).toMatchObject({
      id: ada.id,
      email: ada.email,
      nsfw_allowed: true,
      phone: null,
      mfa_enabled: false,
      required_actions: [],
      premium_type: 0,
    })
  })

  it.each(['gld_', `gld_${'a'.repeat(36)}`, 'Bot 1.x', 'Bearer x', 'Admin gla_1_x', 'x y', ''])(
    'needs a session: "%s" is none',
    async (token) => {
      expectRefusal(await me(token), 401, 'UNAUTHORIZED')
    },
  )

  it('treats a session token behind Bearer as a session', async () => {
    expect((await me(`Bearer ${ada.token}`)).status).toBe(200)
  })
})

describe('a hosted instance', () => {
  it('requires consent', async () => {
    const hosted = await openServer('hosted')
    const tried = await hosted.request('POST', '/v1/auth/register', { body: {} })
    expectFields(tried, field('consent', 'MUST_AGREE_TO_TOS_AND_PRIVACY_POLICY'))
    expect((await hosted.request('POST', '/v1/auth/register', { body: { consent: true } })).status).toBe(200)
  })
})

describe('sign-in allowances', () => {
  it('are 3 registrations an hour for a client, and 5 logins in 15 minutes for an address, with any password', async () => {
    const limited = await startTestGuildhall({ rateLimits: true, trustedProxies: ['127.0.0.1'] })
    const body = { email: 'ada@example.com', password: 'a password' }
    const registrations = []
    for (const path of [0, 1, 2, 3]) {
      registrations.push(await limited.request('POST', '/v1/auth/register', { body: path === 0 ? body : {} }))
    }
    expect(registrations.map(({ status }) => status)).toStrictEqual([200, 200, 200, 429])
    const logins = []
    const [right, wrong] = ['a password', 'wrong password']
    for (const [index, password] of [right, wrong, wrong, wrong, right, right].entries()) {
      // From many networks: a network that has signed in before has a brake of its own.
      const headers = { 'x-forwarded-for': `198.51.100.${index}` }
      logins.push(await limited.request('POST', '/v1/auth/login', { body: { ...body, password }, headers }))
    }
    expect(logins.map(({ status }) => status)).toStrictEqual([200, 400, 400, 400, 200, 429])
    const last = logins.at(-1)
    expect(last?.body).toMatchObject({ code: 'RATE_LIMITED', global: false, retry_after: expect.any(Number) })
    await limited.close()
  })
})
