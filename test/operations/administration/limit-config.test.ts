import { describe, expect, it } from 'vitest'
import { administrator } from '../../support/administrators.ts'
import { bodyOf, expectRefusal } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer({})
const admin = await administrator(
  guildhall,
  'admin:authenticate',
  'instance:limit_config:view',
  'instance:limit_config:update',
)

const get = () => guildhall.request('GET', '/v1/admin/limit-config', { token: admin.token })
const put = (body: unknown) => guildhall.request('PUT', '/v1/admin/limit-config', { token: admin.token, body })
const rules = (...list: readonly unknown[]) => put({ limit_config: { traitDefinitions: [], rules: list } })
const discovered = async () => bodyOf(await guildhall.request('GET', '/.well-known/guildhall'))['limits']

const wrongRules: readonly (readonly [unknown, string])[] = [
  [{ limits: { max_guild: 1 }, id: 'mine' }, 'an unknown limit'],
  [{ limits: { max_guilds: -1 }, id: 'mine' }, 'less than none'],
  [{ limits: { max_guilds: 1.5 }, id: 'mine' }, 'no whole number'],
  [{ limits: { max_guilds: Number.MAX_SAFE_INTEGER + 1 }, id: 'mine' }, 'a number beyond all that can be counted'],
  [{ limits: { feature_early_access: 2 }, id: 'mine' }, 'a feature twice'],
  [{ limits: {}, id: '' }, 'no id'],
  [{ limits: {} }, 'no id at all'],
  [{ id: 'mine', limits: {}, filters: { traits: [7] } }, 'a trait that is no text'],
]

describe('Get limit configuration', () => {
  it('returns every limit, the defaults, and the default rules', async () => {
    await rules()
    const config = bodyOf(await get())
    expect(config['limit_keys']).toHaveLength(43)
    expect(Object.keys(config['metadata'] as object)).toHaveLength(43)
    expect(config).toMatchObject({
      self_hosted: true,
      limit_config: { traitDefinitions: ['premium'], rules: [{ id: 'default' }, { id: 'premium' }] },
      defaults: { default: { max_guilds: 100 }, premium: { max_guilds: 200 } },
      metadata: {
        feature_early_access: {
          category: 'features',
          scope: 'user',
          isToggle: true,
          description: 'Whether new features are there before others have them. It has no effect yet.',
        },
        emoji_max_size: { scope: 'guild', unit: 'bytes', min: 1024, max: 524_288, isToggle: false },
      },
    })
    expect(JSON.parse(String(config['limit_config_json']))).toEqual(config['limit_config'])
    expect(Object.keys(config['categories'] as object)).toEqual([
      'messages',
      'guilds',
      'channels',
      'expressions',
      'files',
      'social',
      'features',
    ])
  })
})

describe('Update limit configuration', () => {
  it('replaces the document, merges the default rules back, and says which parts of them are modified', async () => {
    await rules({ id: 'old', limits: { max_guilds: 1 } })
    const answer = await rules(
      { id: 'large', filters: { guildFeatures: ['VERIFIED'] }, limits: { max_guild_invites: 2000 } },
      { id: 'default', limits: { max_bio_length: 200 } },
    )
    const { limit_config: config } = bodyOf(answer)
    expect(config).toMatchObject({
      rules: [
        { id: 'default', limits: { max_bio_length: 200, max_guilds: 100 }, modifiedFields: ['max_bio_length'] },
        { id: 'premium' },
        { id: 'large', filters: { guildFeatures: ['VERIFIED'] }, limits: { max_guild_invites: 2000 } },
      ],
    })
    expect(bodyOf(await get())['limit_config']).toEqual(config)
  })

  it('takes effect at once: in the limited operations, and in the discovery document', async () => {
    const { token } = await guildhall.register()
    const patch = (bio: string) => guildhall.request('PATCH', '/v1/users/@me', { token, body: { bio } })
    await rules({ id: 'default', limits: { max_bio_length: 5, max_guilds: 1 } })
    expectRefusal(await patch('longer'), 400, 'INVALID_FORM_BODY')
    const found = () => guildhall.request('POST', '/v1/guilds', { token, body: { name: 'Home' } })
    expect((await found()).status).toBe(200)
    expectRefusal(await found(), 400, 'MAX_GUILDS')
    expect(await discovered()).toMatchObject({
      version: 2,
      traitDefinitions: ['premium'],
      rules: [{ id: 'default', overrides: { max_bio_length: 5, max_guilds: 1 } }, { id: 'very_large_guild' }, {}],
    })
    await rules()
    expect((await patch('longer')).status).toBe(200)
    expect((await found()).status).toBe(200)
  })

  it('limits invites and members of a guild by its features', async () => {
    const { token } = await guildhall.register()
    const home = bodyOf(await guildhall.request('POST', '/v1/guilds', { token, body: { name: 'Home' } }))
    const invite = () =>
      guildhall.request('POST', `/v1/channels/${String(home['system_channel_id'])}/invites`, {
        token,
        body: { unique: true },
      })
    await rules({ id: 'few', limits: { max_guild_invites: 1, max_guild_members: 1 } })
    const code = String(bodyOf(await invite())['code'])
    expectRefusal(await invite(), 400, 'MAX_INVITES')
    const guest = await guildhall.register()
    const accept = () => guildhall.request('POST', `/v1/invites/${code}`, { token: guest.token })
    expectRefusal(await accept(), 400, 'MAX_GUILD_MEMBERS')
    const more = { id: 'more', filters: { guildFeatures: ['BANNER'] }, limits: { max_guild_members: 2 } }
    await rules({ id: 'few', limits: { max_guild_invites: 1, max_guild_members: 1 } }, more)
    expect((await accept()).status).toBe(200)
    await rules()
  })

  it.each(wrongRules)('refuses %j, %s, and changes nothing', async (wrong) => {
    await rules({ id: 'kept', limits: { max_guilds: 50 } })
    const before = bodyOf(await get())
    expectRefusal(await rules(wrong), 400, 'INVALID_FORM_BODY')
    expect(bodyOf(await get())).toEqual(before)
    await rules()
  })

  it('refuses two rules of one id', async () => {
    expectRefusal(await rules({ id: 'mine', limits: {} }, { id: 'mine', limits: {} }), 400, 'INVALID_FORM_BODY')
  })

  it('needs an ACL of its own', async () => {
    const viewer = await administrator(guildhall, 'admin:authenticate', 'instance:limit_config:view')
    const { token } = viewer
    expect((await guildhall.request('GET', '/v1/admin/limit-config', { token })).status).toBe(200)
    const body = { limit_config: { rules: [] } }
    expectRefusal(await guildhall.request('PUT', '/v1/admin/limit-config', { token, body }), 403, 'MISSING_ACL')
  })
})
