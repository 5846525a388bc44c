import { afterAll, describe, expect, it } from 'vitest'
import { field, type FieldError } from '../../../../domain/kernel/refusal.ts'
import { startTestGuildhall } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, found, listOf } from '../../support/answers.ts'
import { asBot, newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { guildsOf } from '../../support/guilds.ts'
import { setFlags, unclaimed } from '../../support/relationships.ts'
import { openServer } from '../../support/scene.ts'

/** Create guild: its body without templates and icons, who may call it, and its effects. */

const { connect, end } = connections()

const guildhall = await openServer()
const [ada, brian] = [await guildhall.register(), await guildhall.register()]
afterAll(end)

const create = (account: { readonly token: string }, body: unknown, on = guildhall) =>
  on.request('POST', '/v1/guilds', { token: account.token, body })

describe('the body', () => {
  it('creates the guild object, without what only Get guild fills', async () => {
    const body = bodyOf(await create(ada, { name: '  The Engine \u202e' }))
    expect(body).toMatchObject({
      name: 'The Engine',
      icon: null,
      owner_id: ada.id,
      nsfw_level: 0,
      afk_timeout: 300,
      vanity_url_code: null,
    })
    const features = ['ANIMATED_BANNER', 'ANIMATED_ICON', 'BANNER', 'INVITE_SPLASH']
    expect((body['features'] as readonly string[]).toSorted()).toStrictEqual(features)
    for (const member of ['roles', 'channels', 'permissions', 'member_count']) expect(body).not.toHaveProperty(member)
  })

  it('has a name of 1 to 100 characters, counted as characters', async () => {
    for (const name of ['x', '🏰'.repeat(100), 'a'.repeat(100)])
      expect(bodyOf(await create(ada, { name }))['name']).toBe(name)
  })

  it('may have a null icon, and unknown members are ignored', async () => {
    const left = { icon: null, empty_features: true }
    const ignored = { owner_id: brian.id, features: ['VERIFIED'], vanity_url_code: 'mine' }
    expect(bodyOf(await create(ada, { name: 'x', ...left, ...ignored }))).toMatchObject({
      owner_id: ada.id,
      features: [],
      vanity_url_code: null,
    })
  })

  const coloured = (color: number) => ({ name: 'x', template: { name: 'x', roles: [{ id: 1, color }], channels: [] } })
  const refused: readonly (readonly [unknown, FieldError])[] = [
    [{}, field('name', 'INVALID_FORMAT')],
    [{ name: null }, field('name', 'INVALID_FORMAT')],
    [{ name: 7 }, field('name', 'INVALID_FORMAT')],
    [{ name: '' }, field('name', 'STRING_LENGTH_INVALID')],
    [{ name: ' \f ' }, field('name', 'STRING_LENGTH_INVALID')],
    [{ name: 'a'.repeat(101) }, field('name', 'STRING_LENGTH_INVALID')],
    [{ name: 'x', empty_features: 'true' }, field('empty_features', 'INVALID_FORMAT')],
    [{ name: 'x', empty_features: null }, field('empty_features', 'INVALID_FORMAT')],
    [{ name: 'x', template: 'x' }, field('template', 'INVALID_FORMAT')],
    [{ name: 'x', template: null }, field('template', 'INVALID_FORMAT')],
    [coloured(-1), field('template.roles.0.color', 'COLOR_VALUE_TOO_LOW')],
    [coloured(0x1_00_00_00), field('template.roles.0.color', 'COLOR_VALUE_TOO_HIGH')],
  ]
  it.each(refused)('is refused: %j', async (body, expected) => {
    expectFields(await create(ada, body), expected)
  })
})

describe('a caller is refused', () => {
  const twice = { name: 'x', template: { name: 'x', roles: [{ id: 1 }, { id: 1 }], channels: [] } }

  it('before the template is checked: without a credential, as a bot, an unclaimed or an unverified account', async () => {
    expectRefusal(await guildhall.request('POST', '/v1/guilds', { body: twice }), 401, 'UNAUTHORIZED')
    const robot = await newApplication(guildhall, ada)
    expectRefusal(await create({ token: asBot(robot) }, twice), 400, 'BOTS_CANNOT_CREATE_GUILDS')
    expectRefusal(await create(await unclaimed(guildhall), twice), 400, 'UNCLAIMED_ACCOUNT_CANNOT_CREATE_GUILDS')
    const { token } = bodyOf(
      await guildhall.request('POST', '/v1/auth/register', { body: { password: 'a password', consent: true } }),
    )
    expectRefusal(await create({ token: String(token) }, twice), 403, 'GUILD_CREATION_EMAIL_VERIFICATION_REQUIRED')
    expectRefusal(await create(ada, twice), 400, 'GUILD_TEMPLATE_INVALID')
  })

  it('as a limited account', async () => {
    const carol = await guildhall.register()
    await setFlags(guildhall, carol, 'ACCOUNT_LIMITED')
    expectRefusal(await create(carol, { name: 'x' }), 403, 'ACCOUNT_LIMITED')
  })

  it('in as many guilds as an account may be, for any number of requests at once', async () => {
    const small = await startTestGuildhall({ limits: { max_guilds: 2 } })
    const carol = await small.register()
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(carol, { name: 'x' }, small)))
    const made = answers.filter(({ status }) => status === 200)
    expect(made).toHaveLength(2)
    for (const answer of answers) if (answer.status !== 200) expectRefusal(answer, 400, 'MAX_GUILDS')
    expect(listOf(await guildsOf(small).list(carol))).toHaveLength(2)
    await small.close()
  })
})

describe('the effects', () => {
  it('are Guild Create and User Settings Update to the owner, with the guild in the folders, and no audit entry', async () => {
    const { client } = await connect(guildhall, brian)
    const { id } = await found(guildhall, brian)
    expect((await client.dispatch('GUILD_CREATE')).d).toMatchObject({ id })
    const { guild_folders: folders } = (await client.dispatch('USER_SETTINGS_UPDATE')).d
    expect(JSON.stringify(folders)).toContain(id)
    const log = await guildhall.request('GET', `/v1/guilds/${id}/audit-logs`, {
      token: brian.token,
      headers: { 'x-audit-log-reason': 'discarded' },
    })
    expect(bodyOf(log)['audit_log_entries']).toStrictEqual([])
  })
})
