import { beforeEach, describe, expect, it } from 'vitest'
import { guildId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field, type FieldError } from '../../../../domain/kernel/refusal.ts'
import { permissionBits, type PermissionName } from '../../../../domain/permissions/permission-bits.ts'
import { testContext } from '../../../support/test-context.ts'
import { bodyOf, expectFields, expectRefusal, type TestGuild } from '../../support/answers.ts'
import { channelRequests, withThreads } from '../../support/channel-requests.ts'
import { foundWith, openScene } from '../../support/scene.ts'

/** Ada's guild, with Brian in it; every test has its own. */
let home: TestGuild

const { guildhall, ada, brian, carol } = await openScene()
beforeEach(async () => {
  home = await foundWith(guildhall, ada, brian)
})

const nowhere = '1'
const { command, send, path, make, list, read, change, remove, made, allow, setFeatures, entriesOf } = channelRequests(
  () => ({
    guildhall,
    ada,
    home,
  }),
)

describe('Create guild channel', () => {
  it('answers with the channel object of its type', async () => {
    const text = bodyOf(
      await make(ada, { type: 0, name: 'Big News', topic: 'All', rate_limit_per_user: 5 }, withThreads),
    )
    expect(text).toStrictEqual({
      id: expect.any(String),
      type: 0,
      guild_id: home.id,
      name: 'big-news',
      position: 2,
      parent_id: null,
      permission_overwrites: [],
      nsfw: false,
      nsfw_override: null,
      content_warning_level: 0,
      content_warning_text: null,
      topic: 'All',
      rate_limit_per_user: 5,
      last_message_id: null,
      last_pin_timestamp: null,
      default_auto_archive_duration: 4320,
      default_thread_rate_limit_per_user: 0,
    })
    expect(bodyOf(await make(ada, { name: 'untyped' }))).toMatchObject({ type: 0 })
    const plain = bodyOf(await make(ada, { type: 4, name: 'Plain' }))
    expect(plain).not.toHaveProperty('parent_id')
    expect(plain).not.toHaveProperty('topic')
    const voice = { type: 2, name: 'Lounge', bitrate: 320_000, user_limit: 3, rtc_region: null, parent_id: plain['id'] }
    expect(bodyOf(await make(ada, voice))).toMatchObject({
      bitrate: 96_000,
      user_limit: 3,
      voice_connection_limit: 5,
      rtc_region: null,
      rtc_p2p: false,
      parent_id: plain['id'],
      name: 'Lounge',
    })
    await setFeatures('AUDIO_BITRATE_384_KBPS')
    for (const [bitrate, stored] of [
      [384_000, 384_000],
      [384_001, 384_000],
      [null, 64_000],
    ])
      expect(bodyOf(await make(ada, { ...voice, bitrate, rtc_p2p: true }))).toMatchObject({
        bitrate: stored,
        rtc_p2p: true,
      })
    const unsaid = { bitrate: null, user_limit: null, voice_connection_limit: null, url: null, parent_id: null }
    expect((await make(ada, { type: 0, name: 'bare', ...unsaid, rate_limit_per_user: null })).status).toBe(200)
    const link = { type: 998, name: 'Docs', url: 'https://example.org/docs' }
    expect(bodyOf(await make(ada, link))).toMatchObject({ url: link.url, name: 'Docs' })
    expect(
      bodyOf(
        await make(ada, { type: 5, name: 'N', nsfw: true, content_warning_level: 1, content_warning_text: 'Loud' }),
      ),
    ).toMatchObject({ type: 5, nsfw: true, content_warning_level: 1, content_warning_text: 'Loud' })
  })

  it('shows the members of forums only to callers with thread access', async () => {
    const tag = { name: 'Solved', moderated: true, emoji_name: '✅' }
    const body = {
      type: 15,
      name: 'help',
      flags: 17,
      available_tags: [tag],
      default_sort_order: 1,
      default_forum_layout: 2,
      default_tag_setting: 'match_all',
    }
    const forum = bodyOf(await make(ada, { ...body, default_reaction_emoji: { emoji_name: '👍' } }, withThreads))
    expect(forum).toMatchObject({
      flags: 16,
      available_tags: [{ id: expect.any(String), name: 'Solved', moderated: true, emoji_id: null, emoji_name: '✅' }],
      default_reaction_emoji: { emoji_id: null, emoji_name: '👍' },
      default_sort_order: 1,
      default_forum_layout: 2,
      default_tag_setting: 'match_all',
    })
    const listed = (await list(ada)).find(({ id }) => id === forum['id'])
    expect(listed).toMatchObject({ type: 15 })
    for (const hidden of ['flags', 'available_tags', 'default_auto_archive_duration'])
      expect(listed).not.toHaveProperty(hidden)
    expectRefusal(await read(ada, String(forum['id'])), 404, 'UNKNOWN_CHANNEL')
    expect((await read(ada, String(forum['id']), withThreads)).status).toBe(200)
    expectRefusal(await send(ada, 'POST', `/v1/channels/${String(forum['id'])}/invites`, {}), 404, 'UNKNOWN_CHANNEL')
  })

  const refused: readonly (readonly [object, FieldError])[] = [
    [{ type: 1 }, field('type', 'INVALID_FORMAT')],
    [{ type: 13 }, field('type', 'INVALID_FORMAT')],
    [{ name: '' }, field('name', 'STRING_LENGTH_INVALID')],
    [{ name: 'x'.repeat(101) }, field('name', 'STRING_LENGTH_INVALID')],
    [{ name: '?!' }, field('name', 'NAME_EMPTY_AFTER_NORMALIZATION')],
    [{ topic: '' }, field('topic', 'STRING_LENGTH_INVALID')],
    [{ topic: 'x'.repeat(1025) }, field('topic', 'STRING_LENGTH_INVALID')],
    [{ type: 998, url: 'javascript:alert(1)' }, field('url', 'INVALID_URL_FORMAT')],
    [{ type: 998, url: `https://example.org/${'x'.repeat(2048)}` }, field('url', 'URL_LENGTH_INVALID')],
    [{ bitrate: 7999 }, field('bitrate', 'INVALID_FORMAT')],
    [{ type: 15, default_tag_setting: 'match_any' }, field('default_tag_setting', 'INVALID_FORMAT')],
    [{ type: 2, rtc_p2p: 'yes' }, field('rtc_p2p', 'INVALID_FORMAT')],
    [{ user_limit: 100 }, field('user_limit', 'INVALID_FORMAT')],
    [{ voice_connection_limit: 0 }, field('voice_connection_limit', 'INVALID_FORMAT')],
    [{ rate_limit_per_user: 21_601 }, field('rate_limit_per_user', 'INVALID_FORMAT')],
    [{ content_warning_level: 2 }, field('content_warning_level', 'INVALID_FORMAT')],
    [{ content_warning_text: 'x'.repeat(201) }, field('content_warning_text', 'STRING_LENGTH_INVALID')],
    [{ parent_id: nowhere }, field('parent_id', 'INVALID_PARENT_CHANNEL')],
    [{ permission_overwrites: [{ id: nowhere, type: 0 }] }, field('permission_overwrites.0.id', 'INVALID_ROLE_ID')],
    [
      { permission_overwrites: [{ id: nowhere, type: 1, allow: '9223372036854775808' }] },
      field('permission_overwrites.0.allow', 'INTEGER_OUT_OF_INT64_RANGE'),
    ],
  ]
  it.each(refused)('refuses %o', async (members, fault) => {
    expectFields(await make(ada, { type: 0, name: 'talk', ...members }), fault)
  })

  it('refuses a parent that is not a category, and any for a category', async () => {
    const parent_id = home.channel
    expectFields(await make(ada, { type: 0, name: 'x', parent_id }), field('parent_id', 'PARENT_MUST_BE_CATEGORY'))
    const [category] = await list()
    const nested = { type: 4, name: 'x', parent_id: category?.['id'] }
    expectFields(await make(ada, nested), field('parent_id', 'CATEGORIES_CANNOT_HAVE_PARENTS'))
  })

  it('needs UPDATE_RTC_REGION with a region of a voice channel', async () => {
    await allow('MANAGE_CHANNELS')
    const voice = { type: 2, name: 'Lounge', rtc_region: 'europe' }
    expectRefusal(await make(brian, voice), 403, 'MISSING_PERMISSIONS')
    expect((await make(brian, { ...voice, rtc_region: null })).status).toBe(200)
    expect((await make(brian, { ...voice, type: 0 })).status).toBe(200)
    await allow('UPDATE_RTC_REGION')
    expect(bodyOf(await make(brian, voice))).toMatchObject({ rtc_region: 'europe' })
  })

  it('needs MANAGE_CHANNELS, and with overwrites MANAGE_ROLES and the bits', async () => {
    const body = { type: 0, name: 'talk' }
    expectRefusal(await make(brian, body), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await make(carol, body), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await send(ada, 'POST', path(nowhere), body), 404, 'UNKNOWN_GUILD')
    await allow('MANAGE_CHANNELS')
    expect((await make(brian, body)).status).toBe(200)
    expectRefusal(await make(brian, { ...body, permission_overwrites: [] }), 403, 'MISSING_PERMISSIONS')
    await allow('MANAGE_ROLES')
    const granting = (name: PermissionName) => [{ id: home.id, type: 0, allow: permissionBits[name].toString() }]
    expectRefusal(
      await make(brian, { ...body, permission_overwrites: granting('BAN_MEMBERS') }),
      403,
      'MISSING_PERMISSIONS',
    )
    expect((await make(brian, { ...body, permission_overwrites: granting('SEND_MESSAGES') })).status).toBe(200)
    await command(guildId(snowflake(home.id)), { type: 'ChangeSettings', settings: { mfaLevel: 1 } }, testContext())
    expectRefusal(await make(brian, body), 400, 'TWO_FACTOR_REQUIRED')
    expectRefusal(await change(brian, home.channel, {}), 400, 'TWO_FACTOR_REQUIRED')
    expectRefusal(await remove(brian, home.channel), 400, 'TWO_FACTOR_REQUIRED')
  })

  it('keeps names as they are with TEXT_CHANNEL_FLEXIBLE_NAMES, and corrects them once the guild loses it', async () => {
    await setFeatures('TEXT_CHANNEL_FLEXIBLE_NAMES')
    const [text, forum] = [await made({ type: 0, name: 'Big News!' }), await made({ type: 15, name: 'Help Me' })]
    await setFeatures()
    const names = new Map((await list()).map(({ id, name }) => [id, name]))
    expect([names.get(text), names.get(forum)]).toStrictEqual(['big-news', 'Help Me'])
  })

  it('records the channel and each of its overwrites in the audit log', async () => {
    const overwrite = { id: home.id, type: 0, allow: '0', deny: '2048' }
    const id = await made({ type: 0, permission_overwrites: [overwrite] })
    expect(await entriesOf(10)).toStrictEqual([
      {
        id: expect.any(String),
        action_type: 10,
        user_id: ada.id,
        target_id: id,
        options: { type: 0 },
        changes: expect.arrayContaining([
          { key: 'channel_id', new_value: id },
          { key: 'name', new_value: 'made' },
          { key: 'position', new_value: 2 },
        ]),
      },
    ])
    expect(await entriesOf(13)).toMatchObject([
      {
        target_id: home.id,
        options: { type: 0, channel_id: id },
        changes: [
          { key: 'allow', new_value: '0' },
          { key: 'deny', new_value: '2048' },
          { key: 'id', new_value: home.id },
          { key: 'type', new_value: '0' },
        ],
      },
    ])
  })
})
