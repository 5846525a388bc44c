import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../support/answers.ts'
import { applicationsPath, asBot, createApplication, newApplication } from '../support/applications.ts'
import { openServer } from '../support/scene.ts'

let ada: TestAccount

const guildhall = await openServer()
const brian = await guildhall.register()
beforeEach(async () => {
  ada = await guildhall.register()
})

const get = (path: string, token?: string) => guildhall.request('GET', path, token === undefined ? {} : { token })
const patch = (id: string, body: object, { token } = ada) =>
  guildhall.request('PATCH', `${applicationsPath}/${id}`, { token, body })

describe('Create application', () => {
  it('makes an application with a bot of the same id, and shows their secrets', async () => {
    const answer = await createApplication(guildhall, ada, { name: 'Ådä’s Engine' })
    expect(answer.status).toBe(200)
    const { id, bot, ...rest } = bodyOf(answer)
    expect(rest).toStrictEqual({
      name: 'Ådä’s Engine',
      redirect_uris: [],
      bot_public: true,
      bot_require_code_grant: false,
      client_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    })
    expect(bot).toStrictEqual({
      id,
      username: 'Adas_Engine',
      discriminator: expect.stringMatching(/^\d{4}$/),
      avatar: null,
      banner: null,
      bio: null,
      token: expect.stringMatching(new RegExp(`^${String(id)}\\.[A-Za-z0-9_-]{43}$`)),
      mfa_enabled: false,
      authenticator_types: [],
      flags: 0,
    })
    expect(bodyOf(await get(`/v1/users/${String(id)}`, ada.token))).toMatchObject({
      username: 'Adas_Engine',
      bot: true,
    })
  })

  it('stores what it is given', async () => {
    const settings = {
      name: 'Engine',
      redirect_uris: ['https://engine.example.org/back?to=it'],
      bot_public: false,
      bot_require_code_grant: true,
    }
    const { id } = await newApplication(guildhall, ada, settings)
    expect(bodyOf(await get(`${applicationsPath}/${id}`, ada.token))).toMatchObject(settings)
    const asNull = { name: 'Loom', redirect_uris: null, bot_public: null, bot_require_code_grant: null }
    expect(bodyOf(await createApplication(guildhall, ada, asNull))).toMatchObject({
      redirect_uris: [],
      bot_public: true,
      bot_require_code_grant: false,
    })
  })

  it('gives a bot another name if the application’s name is not valid for it', async () => {
    for (const name of ['機関', 'everyone', 'My Guildhall bot']) {
      const { bot } = await newApplication(guildhall, ada, { name })
      expect(bot.username).toMatch(/^user_[a-z0-9]{10}$/)
    }
  })

  it.each([
    ['without a name', {}, field('name', 'INVALID_FORMAT')],
    ['with an empty name', { name: ' ' }, field('name', 'STRING_LENGTH_INVALID')],
    ['with 101 characters', { name: 'n'.repeat(101) }, field('name', 'STRING_LENGTH_INVALID')],
    ['with 11 redirect URIs', { name: 'n', redirect_uris: Array(11).fill('https://a.example') }, null],
    ['with bot_public as text', { name: 'n', bot_public: 'yes' }, field('bot_public', 'INVALID_FORMAT')],
  ])('refuses a body %s', async (_, body, expected) => {
    const answer = await createApplication(guildhall, ada, body)
    if (expected) expectFields(answer, expected)
    else expectRefusal(answer, 400, 'INVALID_FORM_BODY')
    expect(listOf(await get('/v1/users/@me/applications', ada.token))).toStrictEqual([])
  })

  it('takes redirect URIs that are https, or http of localhost, a name below it or an IP address', async () => {
    const allowed = [
      'https://engine.example.org',
      'http://localhost:3000/back',
      'http://engine.localhost/',
      'http://127.0.0.1/back',
      'http://[::1]:8080/back',
      `https://e.example/${'p'.repeat(238)}`,
    ]
    const body = { name: 'Engine', redirect_uris: allowed }
    expect(bodyOf(await createApplication(guildhall, ada, body))).toMatchObject({ redirect_uris: allowed })
  })

  it.each([
    ['http://engine.example.org', 'INVALID_URL_FORMAT'],
    ['http://localhost.example.org', 'INVALID_URL_FORMAT'],
    ['ftp://127.0.0.1', 'INVALID_URL_FORMAT'],
    ['javascript:alert(1)', 'INVALID_URL_FORMAT'],
    ['engine.example.org', 'INVALID_URL_FORMAT'],
    ['/back', 'INVALID_URL_FORMAT'],
    ['https://user:secret@engine.example.org', 'INVALID_URL_FORMAT'],
    ['https://engine.example.org/#back', 'INVALID_URL_FORMAT'],
    ['https://engine.example.org\\@evil.example', 'INVALID_URL_FORMAT'],
    ['https://engine.exa\nmple.org', 'INVALID_URL_FORMAT'],
    ['', 'URL_LENGTH_INVALID'],
    [`https://e.example/${'p'.repeat(239)}`, 'URL_LENGTH_INVALID'],
  ] as const)('refuses the redirect URI %j', async (uri, code) => {
    const body = { name: 'Engine', redirect_uris: ['https://engine.example.org', uri] }
    expectFields(await createApplication(guildhall, ada, body), field('redirect_uris.1', code))
  })

  it('refuses an unclaimed account', async () => {
    const { token } = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body: {} }))
    const answer = await createApplication(guildhall, { token: String(token) })
    expectRefusal(answer, 400, 'UNCLAIMED_ACCOUNT_CANNOT_CREATE_APPLICATIONS')
  })

  it('lets an account own 25 and no more, also in a race', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, number) => createApplication(guildhall, ada, { name: `Engine ${number}` })),
    )
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefusal(answer, 400, 'MAX_APPLICATIONS')
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(25)
    const owned = listOf(await get('/v1/users/@me/applications', ada.token))
    expect(owned).toHaveLength(25)
    await guildhall.request('DELETE', `${applicationsPath}/${String(owned[0]?.['id'])}`, {
      token: ada.token,
      body: { password: ada.password },
    })
    expect((await createApplication(guildhall, ada)).status).toBe(200)
  })

  it('returns the same application for the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'the first engine' }
    const once = () =>
      guildhall.request('POST', applicationsPath, { token: ada.token, body: { name: 'Engine' }, headers })
    const [first, second] = [bodyOf(await once()), bodyOf(await once())]
    expect(second).toStrictEqual(first)
    expect(listOf(await get('/v1/users/@me/applications', ada.token))).toHaveLength(1)
  })
})

describe('the own applications', () => {
  it('are listed oldest first, without secrets, at both places', async () => {
    const made = [await newApplication(guildhall, ada), await newApplication(guildhall, ada, { name: 'Loom' })]
    const listed = listOf(await get('/v1/users/@me/applications', ada.token))
    expect(listed.map(({ id }) => id)).toStrictEqual(made.map(({ id }) => id))
    expect(listOf(await get('/v1/oauth2/applications/@me', ada.token))).toStrictEqual(listed)
    for (const { id, ...application } of listed) {
      expect(application).not.toHaveProperty('client_secret')
      expect(application['bot']).toMatchObject({ id })
      expect(application['bot']).not.toHaveProperty('token')
    }
    expect(listOf(await get('/v1/users/@me/applications', brian.token))).toStrictEqual([])
  })

  it('can be seen, changed and deleted only by their owner', async () => {
    const { id } = await newApplication(guildhall, ada)
    const proof = { password: brian.password }
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'Stolen' }],
      ['PATCH', '/bot', { bio: 'Stolen' }],
      ['POST', '/bot/reset-token', proof],
      ['POST', '/client-secret/reset', proof],
      ['DELETE', '', proof],
    ] as const) {
      const ask = (of: string) =>
        guildhall.request(method, `${applicationsPath}/${of}${path}`, { token: brian.token, body })
      expectRefusal(await ask(id), 403, 'ACCESS_DENIED')
      expectRefusal(await ask('1'), 404, 'UNKNOWN_APPLICATION')
    }
    expect(bodyOf(await get(`${applicationsPath}/${id}`, ada.token))).toMatchObject({ name: 'Engine' })
  })

  it('have no id that is no snowflake', async () => {
    expectFields(await get(`${applicationsPath}/engine`, ada.token), field('id', 'INVALID_SNOWFLAKE_FORMAT'))
  })
})

describe('Get public application', () => {
  it('shows everybody the public data, and people their own', async () => {
    const { id, bot } = await newApplication(guildhall, ada, { name: 'Engine', bot_public: false })
    const shown = {
      id,
      name: 'Engine',
      icon: null,
      description: null,
      redirect_uris: [],
      scopes: ['bot'],
      bot_public: false,
      bot: { id, ...bot, avatar: null, banner: null, bio: null, flags: 0 },
      current_user: null,
    }
    const publicBot = Object.fromEntries(
      Object.entries(shown.bot).filter(([name]) => !['token', 'mfa_enabled', 'authenticator_types'].includes(name)),
    )
    const path = `${applicationsPath}/${id}/public`
    expect(bodyOf(await get(path))).toStrictEqual({ ...shown, bot: publicBot })
    expect(bodyOf(await get(path, brian.token))).toMatchObject({ bot_public: false, current_user: { id: brian.id } })
    expect(bodyOf(await get(path, ada.token))).toMatchObject({ bot_public: true, current_user: { id: ada.id } })
  })

  it('finds no unknown application', async () => {
    expectRefusal(await get(`${applicationsPath}/1/public`), 404, 'UNKNOWN_APPLICATION')
    expectRefusal(await get(`${applicationsPath}/${ada.id}/public`), 404, 'UNKNOWN_APPLICATION')
  })
})

describe('Update application', () => {
  it('changes the named members, and leaves the rest', async () => {
    const { id } = await newApplication(guildhall, ada, { name: 'Engine', redirect_uris: ['https://e.example'] })
    expect(bodyOf(await patch(id, { name: 'Loom', bot_public: false }))).toMatchObject({
      id,
      name: 'Loom',
      redirect_uris: ['https://e.example'],
      bot_public: false,
      bot_require_code_grant: false,
      bot: { id },
    })
    expect(bodyOf(await patch(id, { redirect_uris: null, bot_require_code_grant: true }))).toMatchObject({
      name: 'Loom',
      redirect_uris: [],
      bot_require_code_grant: true,
    })
    const unchanged = bodyOf(await patch(id, {}))
    expect(unchanged).toStrictEqual(bodyOf(await get(`${applicationsPath}/${id}`, ada.token)))
    expect(unchanged).not.toHaveProperty('client_secret')
  })

  it('refuses what Create application refuses, and then changes nothing', async () => {
    const { id } = await newApplication(guildhall, ada)
    expectFields(await patch(id, { name: '' }), field('name', 'STRING_LENGTH_INVALID'))
    const uris = { name: 'Loom', redirect_uris: ['http://e.example'] }
    expectFields(await patch(id, uris), field('redirect_uris.0', 'INVALID_URL_FORMAT'))
    expect(bodyOf(await get(`${applicationsPath}/${id}`, ada.token))).toMatchObject({ name: 'Engine' })
  })
})

describe('the secrets of an application', () => {
  const reset = (path: string, body: object) =>
    guildhall.request('POST', `${applicationsPath}/${path}`, { token: ada.token, body })

  it('are renewed only in sudo mode, and deleting requires it too', async () => {
    const { id, botToken } = await newApplication(guildhall, ada)
    for (const path of [`${id}/bot/reset-token`, `${id}/client-secret/reset`]) {
      expectRefusal(await reset(path, {}), 403, 'SUDO_MODE_REQUIRED')
      expectFields(await reset(path, { password: 'wrong password' }), field('password', 'INVALID_PASSWORD'))
    }
    const removal = await guildhall.request('DELETE', `${applicationsPath}/${id}`, { token: ada.token })
    expectRefusal(removal, 403, 'SUDO_MODE_REQUIRED')
    expect((await get('/v1/users/@me', asBot({ botToken }))).status).toBe(200)
  })

  it('Reset bot token returns another token, and ends the earlier one at once', async () => {
    const { id, botToken } = await newApplication(guildhall, ada)
    const { token, bot } = bodyOf(await reset(`${id}/bot/reset-token`, { password: ada.password }))
    expect(token).toMatch(new RegExp(`^${id}\\.[A-Za-z0-9_-]{43}$`))
    expect(token).not.toBe(botToken)
    expect(bot).toMatchObject({ id, mfa_enabled: false })
    expect(bot).not.toHaveProperty('token')
    expectRefusal(await get('/v1/users/@me', asBot({ botToken })), 401, 'UNAUTHORIZED')
    expect(bodyOf(await get('/v1/users/@me', asBot({ botToken: String(token) })))).toMatchObject({ id })
  })

  it('Reset client secret shows another secret, and no bot', async () => {
    const { id, clientSecret, botToken } = await newApplication(guildhall, ada)
    const renewed = bodyOf(await reset(`${id}/client-secret/reset`, { password: ada.password }))
    expect(renewed['client_secret']).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(renewed['client_secret']).not.toBe(clientSecret)
    expect(renewed).not.toHaveProperty('bot')
    expect((await get('/v1/users/@me', asBot({ botToken }))).status).toBe(200)
  })

  it('of several tokens reset at the same moment, one is valid', async () => {
    const { id } = await newApplication(guildhall, ada)
    const body = { password: ada.password }
    const resets = await Promise.all(Array.from({ length: 4 }, () => reset(`${id}/bot/reset-token`, body)))
    const statuses = await Promise.all(
      resets.map(async (answer) => {
        const { status } = await get('/v1/users/@me', asBot({ botToken: String(bodyOf(answer)['token']) }))
        return status
      }),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 401)).toHaveLength(3)
  })
})
