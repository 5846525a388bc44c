import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { protect } from '../../support/authenticator.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { accept, bodyOf, expectFields, expectRefusal, found, invite, listOf } from '../support/answers.ts'
import { addBot, applicationsPath, asBot, newApplication, type TestApplication } from '../support/applications.ts'
import { openServer } from '../support/scene.ts'

let ada: TestAccount
let engine: TestApplication
/** The Authorization header of the engine's bot. */
let bot: string

const guildhall = await openServer()
const limited = await openServer('limited')
beforeEach(async () => {
  ada = await guildhall.register()
  engine = await newApplication(guildhall, ada, { name: 'Engine' })
  bot = asBot(engine)
})

const get = (path: string, token?: string) => guildhall.request('GET', path, token === undefined ? {} : { token })
const patchBot = (body: object, id = engine.id) =>
  guildhall.request('PATCH', `${applicationsPath}/${id}/bot`, { token: ada.token, body })
const remove = (id = engine.id) =>
  guildhall.request('DELETE', `${applicationsPath}/${id}`, { token: ada.token, body: { password: ada.password } })

describe('a bot token', () => {
  it('authenticates the application’s bot account', async () => {
    expect(bodyOf(await get('/v1/users/@me', bot))).toMatchObject({
      id: engine.id,
      username: engine.bot.username,
      bot: true,
      email: null,
      nsfw_allowed: true,
      mfa_enabled: false,
    })
  })

  it('reads its own application, by either path', async () => {
    const owner = bodyOf(await get(`/v1/users/${ada.id}`, bot))
    const own = bodyOf(await get('/v1/oauth2/applications/@me', bot))
    expect(own).toStrictEqual({
      id: engine.id,
      name: 'Engine',
      icon: null,
      description: null,
      bot_public: true,
      bot_require_code_grant: false,
      verify_key: '',
      owner,
      bot: expect.objectContaining({ id: engine.id, mfa_enabled: false, authenticator_types: [] }),
      redirect_uris: [],
    })
    expect(own['bot']).not.toHaveProperty('token')
    for (const header of [bot, bot.replace('Bot', 'bot'), bot.replace('Bot', 'BOT')])
      expect(bodyOf(await get('/v1/applications/@me', header))).toStrictEqual(own)
  })

  it('alone reads GET /v1/applications/@me: everything else is 401 INVALID_TOKEN', async () => {
    const others = [
      undefined,
      ada.token,
      `Bearer ${ada.token}`,
      engine.botToken,
      `Bearer ${engine.botToken}`,
      'Bot ',
      'x',
    ]
    for (const header of [...others, `Bot ${engine.id}.${'x'.repeat(43)}`, `Bot  ${engine.botToken}`])
      expectRefusal(await get('/v1/applications/@me', header), 401, 'INVALID_TOKEN')
  })

  it('gets X-RateLimit headers with a success, and a user session gets none', async () => {
    const owner = await limited.register()
    const application = await newApplication(limited, owner)
    const answer = await limited.request('GET', '/v1/users/@me', { token: asBot(application) })
    expect(answer.headers.get('x-ratelimit-limit')).toBe('40')
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('39')
    for (const name of ['x-ratelimit-reset', 'x-ratelimit-reset-after']) expect(answer.headers.get(name)).not.toBeNull()
    expect(answer.headers.get('x-ratelimit-bucket')).toMatch(/^[0-9a-f]{16}$/)
    const gateway = (token: string) => limited.request('GET', '/v1/gateway/bot', { token })
    const { headers } = await gateway(asBot(application))
    expect(headers.get('x-ratelimit-limit')).toBe('60')
    for (const other of [application.botToken, 'Bot 12.secret'])
      expect((await gateway(other)).headers.get('x-ratelimit-limit')).toBeNull()
    const own = await limited.request('GET', '/v1/users/@me', { token: owner.token })
    expect([...own.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toStrictEqual([])
  })

  it('buckets of applications count a user’s requests for all applications together', async () => {
    const owner = await limited.register()
    const ids = [await newApplication(limited, owner), await newApplication(limited, owner)].map(({ id }) => id)
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1) {
      const path = `${applicationsPath}/${ids[count % 2]}/client-secret/reset`
      statuses.push((await limited.request('POST', path, { token: owner.token, body: {} })).status)
    }
    expect(statuses).toStrictEqual([...Array<number>(10).fill(403), 429])
  })
})

describe('a bot', () => {
  it('is refused where only people’s accounts are served', async () => {
    const guild = await found(guildhall, ada)
    const code = await invite(guildhall, ada, guild.channel)
    expectRefusal(await accept(guildhall, { ...ada, token: bot }, code), 403, 'ACCESS_DENIED')
    for (const [method, path] of [
      ['GET', '/v1/users/@me/applications'],
      ['POST', applicationsPath],
      ['GET', `${applicationsPath}/${engine.id}`],
      ['DELETE', `${applicationsPath}/${engine.id}`],
      ['PATCH', '/v1/users/@me/settings'],
      ['GET', '/v1/auth/sessions'],
      ['POST', '/v1/users/@me/delete'],
    ] as const)
      expectRefusal(await guildhall.request(method, path, { token: bot }), 403, 'ACCESS_DENIED')
  })

  it('changes its own username and bio, and no name of people', async () => {
    const body = { username: 'Difference', bio: 'counts', global_name: 'D', new_password: 'a long password' }
    const changed = bodyOf(await guildhall.request('PATCH', '/v1/users/@me', { token: bot, body }))
    expect(changed).toMatchObject({
      id: engine.id,
      username: 'Difference',
      bio: 'counts',
      global_name: null,
      bot: true,
    })
    const other = await guildhall.request('PATCH', '/v1/users/@me', { token: bot, body: { username: 'x'.repeat(33) } })
    expectRefusal(other, 400, 'INVALID_FORM_BODY')
    expect(other.body).toMatchObject({ message: expect.stringMatching(/^username: .+\.$/) })
  })

  it('cannot create guilds, and gets a code of its own', async () => {
    const answer = await guildhall.request('POST', '/v1/guilds', { token: bot, body: { name: 'Home' } })
    expectRefusal(answer, 400, 'BOTS_CANNOT_CREATE_GUILDS')
  })

  it('logs out with 204, and nothing happens', async () => {
    expect((await guildhall.request('POST', '/v1/auth/logout', { token: bot })).status).toBe(204)
    expect((await get('/v1/users/@me', bot)).status).toBe(200)
  })

  it('reads and leaves its guilds, and satisfies sudo mode with no proof', async () => {
    const guild = await found(guildhall, ada)
    await addBot(guildhall, engine, guild)
    expect(listOf(await get('/v1/users/@me/guilds', bot)).map(({ id }) => id)).toStrictEqual([guild.id])
    const deletion = await guildhall.request('POST', `/v1/guilds/${guild.id}/delete`, { token: bot, body: {} })
    expectRefusal(deletion, 403, 'MISSING_PERMISSIONS')
    const leaving = `/v1/users/@me/guilds/${guild.id}?delete_messages=true`
    expect((await guildhall.request('DELETE', leaving, { token: bot })).status).toBe(204)
    expect(listOf(await get('/v1/users/@me/guilds', bot))).toStrictEqual([])
  })
})

describe('a bot token', () => {
  it('is no other credential, and no other credential is one', async () => {
    for (const header of [
      engine.botToken,
      `Bearer ${engine.botToken}`,
      `Admin ${engine.botToken}`,
      `bot ${engine.botToken}`,
      `Bot ${engine.botToken} `.repeat(2),
      `Bot ${ada.token}`,
      `Bot ${engine.clientSecret}`,
      `Bot ${engine.id}.${engine.clientSecret}`,
      `Bearer ${engine.clientSecret}`,
      engine.clientSecret,
      `Bot ${ada.id}.${engine.botToken.slice(-43)}`,
    ])
      expectRefusal(await get('/v1/users/@me', header), 401, 'UNAUTHORIZED')
    const other = await newApplication(guildhall, ada)
    const swapped = `Bot ${other.id}.${engine.botToken.slice(-43)}`
    expectRefusal(await get('/v1/users/@me', swapped), 401, 'UNAUTHORIZED')
  })

  it('is no administrator, and does not prove sudo mode for its owner', async () => {
    const headers = { 'x-service-sudo-mode-jwt': engine.botToken }
    const answer = await guildhall.request('DELETE', `${applicationsPath}/${engine.id}`, { token: ada.token, headers })
    expectRefusal(answer, 403, 'SUDO_MODE_REQUIRED')
  })
})

describe('Update bot profile', () => {
  it('changes name, bio and flags, single or together', async () => {
    const renamed = bodyOf(await patchBot({ username: 'Difference_Engine', bio: 'Counts.', bot_flags: 16 }))
    expect(renamed).toStrictEqual({
      id: engine.id,
      username: 'Difference_Engine',
      discriminator: expect.stringMatching(/^\d{4}$/),
      avatar: null,
      banner: null,
      bio: 'Counts.',
      flags: 16,
    })
    expect(bodyOf(await get('/v1/users/@me', bot))).toMatchObject({
      username: 'Difference_Engine',
      bio: 'Counts.',
      flags: 16,
    })
    expect(bodyOf(await get('/v1/applications/@me', bot))).toMatchObject({ description: 'Counts.' })
    const discriminator = Number(renamed['discriminator'])
    expect(
      bodyOf(await patchBot({ discriminator, bio: null, bot_flags: 32, avatar: null, banner: null })),
    ).toMatchObject({
      username: 'Difference_Engine',
      bio: null,
      flags: 32,
    })
  })

  it('releases the earlier name', async () => {
    await patchBot({ username: 'Difference_Engine' })
    const { username, discriminator } = engine.bot
    const asked = `/v1/users/check-tag?username=${username}&discriminator=${discriminator}`
    expect(bodyOf(await get(asked, ada.token))).toStrictEqual({ taken: false })
  })

  it('refuses invalid values, and then changes nothing', async () => {
    const other = (Number(engine.bot.discriminator) % 9999) + 1
    const bio = 'Not kept'
    expectFields(
      await patchBot({ bio, discriminator: other }),
      field('discriminator', 'BOT_DISCRIMINATOR_CANNOT_BE_CHANGED'),
    )
    expectFields(await patchBot({ bio, username: 'no name' }), field('username', 'USERNAME_INVALID_CHARACTERS'))
    expectFields(await patchBot({ bio: 'b'.repeat(1025) }), field('bio', 'STRING_LENGTH_INVALID'))
    expectRefusal(await patchBot({ bio, bot_flags: 1 }), 400, 'INVALID_BOT_FLAG')
    expectFields(await patchBot({ bio, avatar: 'AAAA' }), field('avatar', 'INVALID_IMAGE_FORMAT'))
    expect(bodyOf(await get('/v1/users/@me', bot))).toMatchObject({ bio: null, flags: 0 })
    expect(bodyOf(await patchBot({ bio: 'b'.repeat(1024) }))).toMatchObject({ bio: 'b'.repeat(1024) })
  })

  it('changes the tag of a bot at most five times in three hours', async () => {
    const owner = await limited.register()
    const { id } = await newApplication(limited, owner)
    const rename = (username: string) =>
      limited.request('PATCH', `${applicationsPath}/${id}/bot`, { token: owner.token, body: { username } })
    for (let count = 0; count < 5; count += 1) expect((await rename(`Loom_${count}`)).status).toBe(200)
    expectFields(await rename('Loom_5'), field('username', 'USERNAME_CHANGED_TOO_MANY_TIMES'))
  })
})

describe('Delete application', () => {
  it('ends the bot: token, memberships and name; the rest looks like a deleted account', async () => {
    const brian = await guildhall.register()
    const homes = [await found(guildhall, ada), await found(guildhall, brian, 'Away')]
    for (const home of homes) await addBot(guildhall, engine, home)
    expect((await remove()).status).toBe(204)
    expectRefusal(await get('/v1/users/@me', bot), 401, 'UNAUTHORIZED')
    expectRefusal(await get(`${applicationsPath}/${engine.id}`, ada.token), 404, 'UNKNOWN_APPLICATION')
    expectRefusal(await get(`${applicationsPath}/${engine.id}/public`), 404, 'UNKNOWN_APPLICATION')
    expect(listOf(await get('/v1/users/@me/applications', ada.token))).toStrictEqual([])
    expect(bodyOf(await get(`/v1/users/${engine.id}`, ada.token))).toMatchObject({
      id: engine.id,
      username: 'DeletedUser',
      discriminator: '0000',
      global_name: 'Deleted User',
      flags: 0,
    })
    for (const { id } of homes) {
      const { body } = await guildhall.request('GET', `/v1/users/@me/guilds?with_counts=true`, {
        token: id === homes[0]?.id ? ada.token : brian.token,
      })
      expect(body).toMatchObject([{ id, approximate_member_count: 1 }])
    }
    const { username, discriminator } = engine.bot
    const asked = `/v1/users/check-tag?username=${username}&discriminator=${discriminator}`
    expect(bodyOf(await get(asked, ada.token))).toStrictEqual({ taken: false })
    expectRefusal(await remove(), 404, 'UNKNOWN_APPLICATION')
  })
})

describe('the second factors of a bot', () => {
  it('are those of its owner, as they are now', async () => {
    await protect(guildhall, ada)
    const types = { mfa_enabled: true, authenticator_types: [0] }
    expect(bodyOf(await get('/v1/users/@me', bot))).toMatchObject(types)
    expect(bodyOf(await get(`${applicationsPath}/${engine.id}`, ada.token))).toMatchObject({ bot: types })
  })
})
