import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { permissionBits, newGuildEveryonePermissions } from '../../../../domain/permissions/permission-bits.ts'
import type { FieldCode } from '../../../../domain/kernel/field-codes.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { expectFields, expectRefusal } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer()
const ada = await guildhall.register()

interface MadeGuild {
  readonly id: string
  readonly icon: string | null
  readonly system_channel_id: string
  readonly afk_timeout: number
  readonly verification_level: number
  readonly system_channel_flags: number
  readonly roles: readonly Record<string, unknown>[]
  readonly channels: readonly (Record<string, unknown> & { readonly id: string; readonly name: string })[]
}

const create = (body: object) =>
  guildhall.request('POST', '/v1/guilds', { token: ada.token, body: { name: 'Home', ...body } })
/** Creates a guild, and reads it. */
async function made(body: object): Promise<MadeGuild> {
  const answer = await create(body)
  expect(answer).toMatchObject({ status: 200 })
  const { id } = answer.body as MadeGuild
  return (await guildhall.request('GET', `/v1/guilds/${id}`, { token: ada.token })).body as MadeGuild
}
const withTemplate = (template: object) => ({ template: { name: 'Template', roles: [], channels: [], ...template } })
const channel = (id: string | number, more: object = {}) => ({
  id,
  type: 0,
  name: `channel-${id}`,
  position: Number(id),
  ...more,
})

describe('a template', () => {
  it('gives the guild its roles in order from position 1, above everyone’s', async () => {
    const { roles, id } = await made(
      withTemplate({
        roles: [
          { id: 7, name: 'Second', color: 255, hoist: true, mentionable: true, permissions: '8', unicode_emoji: '🌱' },
          { id: '0', name: '@everyone', permissions_new: permissionBits.VIEW_CHANNEL.toString(), permissions: '1' },
          { id: 9 },
        ],
      }),
    )
    expect(roles.toSorted((a, b) => Number(a['position']) - Number(b['position']))).toMatchObject([
      { id, name: '@everyone', position: 0, permissions: permissionBits.VIEW_CHANNEL.toString() },
      {
        name: 'Second',
        position: 1,
        color: 255,
        hoist: true,
        mentionable: true,
        permissions: '8',
        unicode_emoji: '🌱',
      },
      { name: '', position: 2, color: 0, hoist: false, mentionable: false, permissions: '0', unicode_emoji: null },
    ])
  })

  it('takes everyone’s permissions from the role with ID 0 when none is named @everyone, and the default set for 0', async () => {
    const mask = async (roles: readonly object[]) => {
      const guild = await made(withTemplate({ roles }))
      return guild.roles.find(({ id }) => id === guild.id)?.['permissions']
    }
    const whole = newGuildEveryonePermissions.toString()
    expect(
      await mask([
        { id: 0, name: 'All', permissions: 1024 },
        { id: 1, name: 'Other' },
      ]),
    ).toBe('1024')
    expect(await mask([{ id: 0, name: 'All', permissions: 0 }])).toBe(withoutThreads(whole))
    expect(await mask([])).toBe(withoutThreads(whole))
  })

  it('creates the channels of known types, sorted by position, within its own categories', async () => {
    const guild = await made(
      withTemplate({
        channels: [
          channel(2, { position: 5, parent_id: '1', name: 'Later On' }),
          channel(1, { type: 4, position: 0 }),
          channel(3, { position: 2, parent_id: 1 }),
          channel(4, { type: 13, bitrate: 999_999, user_limit: 500, parent_id: 2 }),
          channel(5, { type: 15 }),
          channel(6, { type: 16 }),
          channel(7, { type: 99 }),
          channel(8, { type: 5, parent_id: 3, topic: 'News' }),
        ],
      }),
    )
    const named = new Map(guild.channels.map((one) => [one.name, one]))
    const category = named.get('channel-1')?.id
    expect([...named.keys()].toSorted()).toStrictEqual(['channel-1', 'channel-3', 'channel-4', 'channel-8', 'later-on'])
    expect(named.get('channel-3')).toMatchObject({ parent_id: category, position: 0 })
    expect(named.get('later-on')).toMatchObject({ parent_id: category, position: 1 })
    expect(named.get('channel-4')).toMatchObject({
      type: 2,
      parent_id: null,
      bitrate: 96_000,
      user_limit: 99,
      voice_connection_limit: 5,
    })
    expect(named.get('channel-8')).toMatchObject({ type: 5, parent_id: null, topic: 'News' })
  })

  it('applies only overwrites of roles, 0 being everyone’s', async () => {
    const guild = await made(
      withTemplate({
        roles: [{ id: 5, name: 'Mods' }],
        channels: [
          channel(1, {
            permission_overwrites: [
              { id: '0', type: 'role', allow: '0', deny: '1024' },
              { id: 5, type: 0, allow: 1024, deny: 0 },
              { id: 5, type: 'member', allow: '8', deny: '0' },
              { id: 6, type: '0', allow: '8', deny: '0' },
            ],
          }),
        ],
      }),
    )
    const mods = guild.roles.find(({ name }) => name === 'Mods')?.['id']
    expect(guild.channels[0]?.['permission_overwrites']).toStrictEqual([
      { id: guild.id, type: 0, allow: '0', deny: '1024' },
      { id: mods, type: 0, allow: '1024', deny: '0' },
    ])
  })

  it('clamps levels to their range, and discards unknown flags', async () => {
    expect(
      await made(
        withTemplate({
          verification_level: 4.9,
          default_message_notifications: -3,
          afk_timeout: 5,
          system_channel_flags: 255,
        }),
      ),
    ).toMatchObject({
      verification_level: 3,
      default_message_notifications: 0,
      afk_timeout: 60,
      system_channel_flags: 1,
    })
    expect(await made(withTemplate({}))).toMatchObject({
      verification_level: 0,
      afk_timeout: 300,
      system_channel_flags: 0,
    })
  })

  it.each([
    ['the one that it names', { system_channel_id: 3 }, 'channel-3'],
    ['the first text channel where it names a voice channel', { system_channel_id: '1' }, 'channel-2'],
    ['the first text channel where it names none', {}, 'channel-2'],
    ['the first text channel where it names one that is not there', { system_channel_id: '99' }, 'channel-2'],
    ['the first text channel where it names none by a number below 0', { system_channel_id: -1 }, 'channel-2'],
  ])('makes its system channel %s', async (_, named, expected) => {
    const channels = [channel(1, { type: 2 }), channel(2), channel(3, { type: 5 })]
    const guild = await made(withTemplate({ channels, ...named }))
    expect(guild.channels.find(({ id }) => id === guild.system_channel_id)?.name).toBe(expected)
  })

  it('without a channel to write in, gets one at the root that is named general', async () => {
    const guild = await made(withTemplate({ channels: [channel(1, { type: 2 }), channel(2, { type: 4 })] }))
    expect(guild.channels.find(({ id }) => id === guild.system_channel_id)).toMatchObject({
      name: 'general',
      type: 0,
      parent_id: null,
    })
  })

  it('raises no audit entry', async () => {
    const { id } = await made(withTemplate({ roles: [{ id: 1, name: 'Mods' }], channels: [channel(1)] }))
    const log = await guildhall.request('GET', `/v1/guilds/${id}/audit-logs`, { token: ada.token })
    expect(log.body).toMatchObject({ audit_log_entries: [] })
  })

  const roles = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `role ${index}` }))
  const channels = (count: number) => Array.from({ length: count }, (_, index) => channel(index + 1))

  it('may have 250 roles, everyone’s on top, and 500 channels', async () => {
    const guild = await made(withTemplate({ roles: roles(250), channels: channels(500) }))
    expect([guild.roles.length, guild.channels.length]).toStrictEqual([251, 500])
  })

  it.each([
    ['251 roles', { roles: roles(251) }],
    ['501 channels', { channels: channels(501) }],
    ['two roles of one ID, as integer and text', { roles: [{ id: 1 }, { id: '1' }] }],
    ['two channels of one ID, one of which is skipped', { channels: [channel(1, { type: 15 }), channel('1')] }],
    ['a mask that is no integer', { roles: [{ id: 1, permissions: 'all' }] }],
    ['a mask that is a fraction', { roles: [{ id: 1, permissions_new: 1.5 }] }],
    [
      'an overwrite whose mask is no integer',
      { channels: [channel(1, { permission_overwrites: [{ id: 0, type: 0, allow: '-1', deny: '0' }] })] },
    ],
  ])('is refused with GUILD_TEMPLATE_INVALID: %s', async (_, template) => {
    expectRefusal(await create(withTemplate(template)), 400, 'GUILD_TEMPLATE_INVALID')
  })

  it.each([
    ['a level that is no number', { verification_level: '1' }],
    ['no roles', { roles: undefined }],
    ['a channel without a position', { channels: [{ id: 1, type: 0 }] }],
    ['an ID that is no integer', { roles: [{ id: '__proto__', name: 'x' }] }],
    ['an ID that is a name of every object', { channels: [channel(1, { parent_id: 'constructor' })] }],
  ])('is refused with INVALID_FORM_BODY: %s', async (_, template) => {
    expectRefusal(await create(withTemplate(template)), 400, 'INVALID_FORM_BODY')
  })
})

/** What a client sees that does not declare to know threads. */
function withoutThreads(mask: string): string {
  const { MANAGE_THREADS, CREATE_PUBLIC_THREADS, CREATE_PRIVATE_THREADS, SEND_MESSAGES_IN_THREADS } = permissionBits
  return (
    BigInt(mask) & ~(MANAGE_THREADS | CREATE_PUBLIC_THREADS | CREATE_PRIVATE_THREADS | SEND_MESSAGES_IN_THREADS)
  ).toString()
}

describe('an icon', () => {
  const picture = (colour: string) => sharp({ create: { width: 32, height: 32, channels: 3, background: colour } })

  it('is stored, from base64 or a data URL, and is served as a cacheable image', async () => {
    const png = (await picture('red').png().toBuffer()).toString('base64')
    const [plain, url] = [await made({ icon: png }), await made({ icon: `data:text/plain;base64,${png}` })]
    expect(plain.icon).toMatch(/^[0-9a-f]{32}$/)
    expect(url.icon).toBe(plain.icon)
    const served = await fetch(`${guildhall.url}/media/icons/${plain.id}/${plain.icon}`)
    expect(served.status).toBe(200)
    expect(served.headers.get('content-type')).toBe('image/webp')
    expect(served.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(served.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await sharp(await served.arrayBuffer()).metadata()).toMatchObject({ width: 32, height: 32 })
  })

  it('is animated for guilds with ANIMATED_ICON, and still elsewhere', async () => {
    const frames = Buffer.concat([Buffer.alloc(32 * 32 * 3, 0), Buffer.alloc(32 * 32 * 3, 255)])
    const raw = { width: 32, height: 64, channels: 3, pageHeight: 32 } as const
    const gif = (await sharp(frames, { raw }).gif().toBuffer()).toString('base64')
    const moving = await made({ icon: gif })
    const still = await made({ icon: gif, empty_features: true })
    expect(moving.icon).toMatch(/^a_[0-9a-f]{32}$/)
    expect(still.icon).toBe(moving.icon?.slice(2))
    const pages = async ({ id, icon }: MadeGuild) =>
      (
        await sharp(await (await fetch(`${guildhall.url}/media/icons/${id}/${icon}.webp`)).arrayBuffer(), {
          animated: true,
        }).metadata()
      ).pages
    expect([await pages(moving), await pages(still)]).toStrictEqual([2, undefined])
  })

  it.each<[FieldCode, string]>([
    ['BASE64_LENGTH_INVALID', ''],
    ['INVALID_BASE64_FORMAT', 'not base64'],
    ['INVALID_BASE64_FORMAT', 'abc'],
    ['INVALID_IMAGE_FORMAT', Buffer.from('no image').toString('base64')],
    ['IMAGE_SIZE_EXCEEDS_LIMIT', Buffer.alloc(10 * 1024 * 1024 + 3).toString('base64')],
  ])('is refused with %s', async (code, icon) => {
    expectFields(await create({ icon }), field('icon', code))
  })

  it('is not served under invalid names', async () => {
    for (const path of [
      'icons/1/0',
      'icons/1/..%2f..%2fpostgres',
      `other/1/${'0'.repeat(32)}`,
      `icons/1/${'0'.repeat(32)}`,
    ]) {
      expectRefusal(await guildhall.request('GET', `/media/${path}`), 404, 'NOT_FOUND')
    }
  })
})
