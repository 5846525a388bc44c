import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FieldCode } from '../../../../domain/kernel/field-codes.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { permissionBits } from '../../../../domain/permissions/permission-bits.ts'
import { backupCode, protect } from '../../../support/authenticator.ts'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, type TestGuild } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { setFeatures } from '../../support/guilds.ts'
import { movingImage, stillGif, stillImage } from '../../support/pictures.ts'
import { foundWith, openServer } from '../../support/scene.ts'

/** Ada's guild, with Brian in it, who manages it. */
let home: TestGuild

const { connect, end } = connections()

const guildhall = await openServer()
const ada = await protect(guildhall, await guildhall.register())
const [brian, stranger] = [await guildhall.register(), await guildhall.register()]
async function foundHome(): Promise<void> {
  home = await foundWith(guildhall, ada, brian)
  const role = await send(ada, 'POST', '/roles', {
    name: 'Managers',
    permissions: permissionBits.MANAGE_GUILD.toString(),
  })
  await send(ada, 'PUT', `/members/${brian.id}/roles/${String(bodyOf(role)['id'])}`)
}
afterAll(end)

const send = (account: TestAccount, method: string, path: string, body?: unknown): Promise<TestAnswer> =>
  guildhall.request(method, `/v1/guilds/${home.id}${path}`, {
    token: account.token,
    ...(body === undefined ? {} : { body }),
  })
const modify = (body: object, account: TestAccount = ada) => send(account, 'PATCH', '', body)
const guild = async () => bodyOf(await send(ada, 'GET', ''))
const updates = async () =>
  bodyOf(await send(ada, 'GET', '/audit-logs?action_type=1'))['audit_log_entries'] as readonly Record<string, unknown>[]
const newChannel = async (type: number) =>
  String(bodyOf(await send(ada, 'POST', '/channels', { type, name: 'another' }))['id'])

describe('who may modify a guild', () => {
  beforeEach(foundHome)

  it('is a member with MANAGE_GUILD', async () => {
    expect(bodyOf(await modify({ name: 'Hearth' }, brian))).toMatchObject({ id: home.id, name: 'Hearth' })
    expectRefusal(await modify({ name: 'x' }, stranger), 403, 'MISSING_PERMISSIONS')
    await send(ada, 'PATCH', `/members/${brian.id}`, { roles: [] })
    expectRefusal(await modify({ name: 'x' }, brian), 403, 'MISSING_PERMISSIONS')
  })

  it('is nobody if the guild is missing or unavailable', async () => {
    expectRefusal(
      await guildhall.request('PATCH', '/v1/guilds/1', { token: ada.token, body: {} }),
      404,
      'UNKNOWN_GUILD',
    )
    await setFeatures(guildhall, home.id, 'UNAVAILABLE_FOR_EVERYONE')
    expectRefusal(await modify({}), 403, 'MISSING_ACCESS')
  })

  it('needs an authenticator while the MFA level is ELEVATED, unless it is the owner', async () => {
    expect((await modify({ mfa_level: 1, mfa_method: 'totp', mfa_code: ada.app.code() })).status).toBe(200)
    expectRefusal(await modify({ name: 'x' }, brian), 400, 'TWO_FACTOR_REQUIRED')
    expect((await modify({ name: 'Still mine' })).status).toBe(200)
  })
})

// One guild for all rows: no row depends on what the rows before it set.
describe('each field', () => {
  beforeAll(foundHome)

  it.each([
    ['name', '  Hearth  ', 'Hearth'],
    ['name', 'x'.repeat(100), 'x'.repeat(100)],
    ['system_channel_id', null, null],
    ['system_channel_flags', 255, 1],
    ['afk_timeout', 60, 60],
    ['afk_timeout', 3600, 3600],
    ['default_message_notifications', 1, 1],
    ['verification_level', 4, 3],
    ['verification_level', 1, 1],
    ['verification_level', 3, 3],
    ['content_warning_level', 1, 1],
    ['content_warning_level', 7, 0],
    ['content_warning_text', ' careful ', 'careful'],
    ['content_warning_text', '   ', null],
    ['content_warning_text', null, null],
    ['explicit_content_filter', 2, 2],
    ['splash_card_alignment', 2, 2],
    ['message_history_cutoff', null, null],
    ['nsfw', true, true],
    ['mfa_level', 0, 0],
  ])('%s: %j is stored as %j', async (name, sent, kept) => {
    expect(bodyOf(await modify({ [name]: sent }))[name]).toStrictEqual(kept)
    expect((await guild())[name]).toStrictEqual(kept)
  })

  it.each<[string, unknown, FieldCode]>([
    ['name', ' ', 'STRING_LENGTH_INVALID'],
    ['name', 'x'.repeat(101), 'STRING_LENGTH_INVALID'],
    ['content_warning_text', 'x'.repeat(201), 'STRING_LENGTH_INVALID'],
    ['system_channel_id', '1', 'SYSTEM_CHANNEL_MUST_BE_IN_GUILD'],
    ['afk_channel_id', '1', 'AFK_CHANNEL_MUST_BE_IN_GUILD'],
    ['banner', 'abc', 'INVALID_BASE64_FORMAT'],
    ['message_history_cutoff', '2015-01-01T00:00:00Z', 'MESSAGE_HISTORY_CUTOFF_BEFORE_GUILD_CREATION'],
    ['message_history_cutoff', '2999-01-01T00:00:00Z', 'MESSAGE_HISTORY_CUTOFF_IN_FUTURE'],
    ['features', ['VERIFIED'], 'GUILD_FEATURE_NOT_TOGGLEABLE'],
    ['features', ['NO_SUCH_THING'], 'GUILD_FEATURE_NOT_TOGGLEABLE'],
  ])('%s: %j is refused with %s', async (name, sent, code) => {
    const before = await guild()
    expectFields(await modify({ [name]: sent, verification_level: 1 }), field(name, code))
    expect(await guild()).toStrictEqual(before)
  })

  it.each([
    ['afk_timeout', 59],
    ['afk_timeout', 3601],
    ['verification_level', 5],
    ['default_message_notifications', 2],
    ['explicit_content_filter', 3],
    ['mfa_level', 2],
    ['nsfw_level', 1],
    ['splash_card_alignment', 3],
    ['features', Array.from({ length: 101 }, () => 'HIDE_OWNER_CROWN')],
  ])('%s: %j is not a valid value', async (name, sent) => {
    expectRefusal(await modify({ [name]: sent }), 400, 'INVALID_FORM_BODY')
  })
})

describe('a change of several fields', () => {
  beforeEach(foundHome)

  it('accepts only channels of the right type', async () => {
    const [text, voice] = [await newChannel(0), await newChannel(2)]
    expectFields(
      await modify({ system_channel_id: voice, afk_channel_id: text }),
      field('system_channel_id', 'SYSTEM_CHANNEL_MUST_BE_TEXT'),
      field('afk_channel_id', 'AFK_CHANNEL_MUST_BE_VOICE'),
    )
    const both = { system_channel_id: text, afk_channel_id: voice }
    expect(bodyOf(await modify(both))).toMatchObject(both)
  })

  it('derives nsfw_level from nsfw, which wins, and warns if nothing is said of warnings', async () => {
    expect(bodyOf(await modify({ nsfw_level: 3 }))).toMatchObject({
      nsfw: true,
      nsfw_level: 3,
      content_warning_level: 1,
    })
    expect(bodyOf(await modify({ nsfw: false, nsfw_level: 3, content_warning_level: 0 }))).toMatchObject({
      nsfw: false,
      nsfw_level: 0,
      content_warning_level: 0,
    })
    expect(bodyOf(await modify({ nsfw: true }))).toMatchObject({ nsfw_level: 3, content_warning_level: 0 })
    expect(bodyOf(await modify({ nsfw_level: 3, content_warning_level: 0 }))).toMatchObject({
      content_warning_level: 0,
    })
  })

  it('keeps a DISCOVERABLE guild at LOW at least', async () => {
    await setFeatures(guildhall, home.id, 'DISCOVERABLE')
    expectFields(
      await modify({ verification_level: 0 }),
      field('verification_level', 'DISCOVERABLE_GUILD_VERIFICATION_LEVEL_TOO_LOW'),
    )
    expect((await modify({ verification_level: 1 })).status).toBe(200)
  })
})

describe('features', () => {
  beforeEach(foundHome)

  it('are replaced by the complete requested set, except those that cannot be toggled', async () => {
    await setFeatures(guildhall, home.id, 'VERIFIED', 'HIDE_OWNER_CROWN')
    const { features } = bodyOf(await modify({ features: ['INVITES_DISABLED', 'INVITES_DISABLED'] }))
    expect(features).toHaveLength(2)
    expect(features).toStrictEqual(expect.arrayContaining(['VERIFIED', 'INVITES_DISABLED']))
  })

  it('rename channels if TEXT_CHANNEL_FLEXIBLE_NAMES is removed, which one Channel Update Bulk announces', async () => {
    await modify({ features: ['TEXT_CHANNEL_FLEXIBLE_NAMES'] })
    const channel = String(bodyOf(await send(ada, 'POST', '/channels', { type: 0, name: 'Loud Talk!' }))['id'])
    const { client } = await connect(guildhall, ada)
    await modify({ features: [] })
    const { d } = await client.dispatch('CHANNEL_UPDATE_BULK')
    const channels = d['channels'] as readonly Record<string, unknown>[]
    expect(channels.find(({ id }) => id === channel)).toMatchObject({ name: 'loud-talk' })
    expect(channels).toHaveLength(5)
  })
})

describe('the MFA level', () => {
  beforeEach(foundHome)

  const raise = { mfa_level: 1 }

  it('requires sudo before ownership', async () => {
    const other = await guildhall.register()
    home = await foundWith(guildhall, other, ada)
    const role = await send(other, 'POST', '/roles', { name: 'M', permissions: permissionBits.MANAGE_GUILD.toString() })
    await send(other, 'PUT', `/members/${ada.id}/roles/${String(bodyOf(role)['id'])}`)
    expectRefusal(await modify(raise, ada), 403, 'SUDO_MODE_REQUIRED')
    const proof = { mfa_method: 'totp', mfa_code: backupCode(ada, 0) }
    const noImage = Buffer.from('no image').toString('base64')
    expectRefusal(await modify({ ...raise, ...proof, icon: noImage }, ada), 403, 'MISSING_PERMISSIONS')
    expectFields(
      await modify({ ...raise, password: other.password }, other),
      field('mfa_level', 'MUST_ENABLE_2FA_BEFORE_REQUIRING_FOR_MODS'),
    )
  })

  it('is changed by the owner who has a second factor', async () => {
    expectRefusal(await modify(raise), 403, 'SUDO_MODE_REQUIRED')
    expect(bodyOf(await modify({ ...raise, mfa_method: 'totp', mfa_code: backupCode(ada, 1) }))).toMatchObject(raise)
    expect((await modify(raise)).status).toBe(200)
  })
})

describe('images', () => {
  beforeEach(foundHome)

  it('are stored, replaced and cleared; a replaced one is removed', async () => {
    await setFeatures(guildhall, home.id, 'BANNER', 'INVITE_SPLASH')
    const image = await stillImage('red', 48, 27)
    const body = bodyOf(await modify({ icon: image, banner: image, splash: image, embed_splash: image }))
    expect(body).toMatchObject({ banner_width: 48, banner_height: 27, splash_width: 48, embed_splash_height: 27 })
    const path = `/media/banners/${home.id}/${String(body['banner'])}`
    expect((await guildhall.request('GET', path)).status).toBe(200)
    expect(bodyOf(await modify({ banner: null }))).toMatchObject({ banner: null, banner_width: null })
    await expect.poll(async () => (await guildhall.request('GET', path)).status).toBe(404)
    expect((await guildhall.request('GET', `/media/icons/${home.id}/${String(body['icon'])}`)).status).toBe(200)
  })

  it('need their features, which are checked before the content of the images', async () => {
    await setFeatures(guildhall, home.id)
    const noImage = Buffer.from('no image').toString('base64')
    expectFields(
      await modify({ banner: noImage, splash: await movingImage(), embed_splash: noImage }),
      field('banner', 'GUILD_BANNER_REQUIRES_FEATURE'),
      field('splash', 'INVITE_SPLASH_REQUIRES_FEATURE'),
      field('embed_splash', 'EMBED_SPLASH_REQUIRES_FEATURE'),
    )
    await setFeatures(guildhall, home.id, 'BANNER', 'INVITE_SPLASH')
    expectFields(
      await modify({ banner: await movingImage() }),
      field('banner', 'ANIMATED_GUILD_BANNER_REQUIRES_FEATURE'),
    )
    for (const splash of [await movingImage(), await stillGif()])
      expectFields(await modify({ splash }), field('splash', 'INVALID_IMAGE_FORMAT'))
    expect((await modify({ banner: null, splash: null })).status).toBe(200)
  })

  it('are hidden while the guild lacks their features, and animated ones stand still', async () => {
    await setFeatures(guildhall, home.id, 'BANNER', 'INVITE_SPLASH', 'ANIMATED_BANNER')
    const { banner, splash } = bodyOf(
      await modify({ banner: await movingImage(), splash: await stillImage('red', 48, 27) }),
    )
    await setFeatures(guildhall, home.id, 'BANNER')
    expect(await guild()).toMatchObject({ banner: String(banner).slice(2), splash: null, splash_width: null })
    await setFeatures(guildhall, home.id, 'INVITE_SPLASH')
    expect(await guild()).toMatchObject({ banner: null, banner_width: null, splash })
  })
})

describe('the effects', () => {
  beforeEach(foundHome)

  it('are Guild Update to everybody, even if nothing was written, and an audit entry only for a change', async () => {
    const { client } = await connect(guildhall, brian)
    await modify({})
    expect((await client.dispatch('GUILD_UPDATE')).d).toMatchObject({ id: home.id, guild_id: home.id, name: 'Home' })
    await modify({ name: 'Home', afk_timeout: 300 })
    await client.dispatch('GUILD_UPDATE')
    expect(await updates()).toStrictEqual([])
    await modify({ name: 'Hearth', nsfw: true, verification_level: 0 })
    await client.dispatch('GUILD_UPDATE')
    const entries = await updates()
    expect(entries).toMatchObject([{ action_type: 1, user_id: ada.id, target_id: home.id }])
    expect(entries[0]).not.toHaveProperty('options')
    expect(entries[0]?.['changes']).toStrictEqual([
      { key: 'name', old_value: 'Home', new_value: 'Hearth' },
      { key: 'nsfw', old_value: false, new_value: true },
      { key: 'nsfw_level', old_value: 0, new_value: 3 },
    ])
  })
})
