import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { connections } from '../../support/connected.ts'
import { emptyFolder, initialSettings } from '../../support/user-settings.ts'
import { openServer } from '../../support/scene.ts'

let ada: TestAccount
let grace: TestAccount
const { connect, end } = connections()

const guildhall = await openServer({})
beforeEach(async () => {
  ada = await guildhall.register()
  grace = await guildhall.register()
})
afterEach(end)

const settings = async ({ token }: { readonly token: string }) =>
  bodyOf(await guildhall.request('GET', '/v1/users/@me/settings', { token }))
const patch = ({ token }: { readonly token: string }, body: unknown) =>
  guildhall.request('PATCH', '/v1/users/@me/settings', { token, body })

describe('Get user settings', () => {
  it('returns every setting with its initial value', async () => {
    expect(await settings(ada)).toStrictEqual(initialSettings)
  })

  it('has less for an account that was a minor when registering, or has no date of birth', async () => {
    const year = new Date().getUTCFullYear() - 14
    for (const born of [{ date_of_birth: `${year}-01-01` }, {}]) {
      const { token } = bodyOf(
        await guildhall.request('POST', '/v1/auth/register', { body: { ...born, consent: true } }),
      )
      expect(await settings({ token: String(token) })).toStrictEqual({
        ...initialSettings,
        friend_source_flags: 3,
        sensitive_content_friend_dm_filter: 1,
      })
    }
  })

  it('has the theme that the account registered with', async () => {
    const register = (theme: unknown) =>
      guildhall.request('POST', '/v1/auth/register', { body: { theme, consent: true } })
    const { token } = bodyOf(await register('coal'))
    expect(await settings({ token: String(token) })).toMatchObject({ theme: 'coal' })
    expectFields(await register('pink'), field('theme', 'INVALID_FORMAT'))
  })

  it('needs a session', async () => {
    expectRefusal(await guildhall.request('GET', '/v1/users/@me/settings'), 401, 'UNAUTHORIZED')
    expectRefusal(await guildhall.request('PATCH', '/v1/users/@me/settings', { body: {} }), 401, 'UNAUTHORIZED')
  })
})

describe('Modify user settings', () => {
  const everything = {
    status: 'dnd',
    status_resets_at: '2099-01-01T00:00:00.000Z',
    status_resets_to: 'idle',
    theme: 'dark_legacy',
    locale: 'zh-TW',
    restricted_guilds: ['7'],
    bot_restricted_guilds: ['8'],
    default_guilds_restricted: true,
    bot_default_guilds_restricted: true,
    inline_attachment_media: false,
    inline_embed_media: false,
    gif_auto_play: false,
    render_embeds: false,
    render_reactions: false,
    animate_emoji: false,
    animate_stickers: 2,
    render_spoilers: 0,
    message_display_compact: true,
    friend_source_flags: 1,
    incoming_call_flags: 63,
    group_dm_add_permission_flags: 31,
    guild_folders: [
      { id: 5, name: 'Games', color: 0xff_ff_ff, flags: 1, icon: 'music_note', guild_ids: ['9007199254740993'] },
      emptyFolder,
    ],
    custom_status: { text: 'busy', expires_at: '2099-01-01T00:00:00.000Z', emoji_id: '5', emoji_name: 'fox' },
    afk_timeout: 60,
    time_format: 2,
    developer_mode: true,
    trusted_domains: ['example.org', 'example.com'],
    default_hide_muted_channels: true,
    sensitive_content_friend_dm_filter: 2,
    sensitive_content_non_friend_dm_filter: 0,
    sensitive_content_guild_filter: 0,
    synced_preferences: 'eyJhIjoxfQ==',
    profile_privacy: 2,
  }
  const shown = {
    ...initialSettings,
    ...everything,
    custom_status: { ...everything.custom_status, emoji_animated: false },
  }

  it('changes all that is sent, and leaves the rest', async () => {
    expect(bodyOf(await patch(ada, everything))).toStrictEqual(shown)
    expect(await settings(ada)).toStrictEqual(shown)
    expect(bodyOf(await patch(ada, { theme: 'light' }))).toStrictEqual({ ...shown, theme: 'light' })
    expect(await settings(grace)).toStrictEqual(initialSettings)
  })

  it('shows in READY what was chosen', async () => {
    await patch(ada, everything)
    const { ready } = await connect(guildhall, ada)
    expect(ready).toMatchObject({ user_settings: shown, user_guild_settings: [] })
  })

  it('begins sessions with the status that was chosen', async () => {
    await patch(ada, { status: 'idle' })
    const { client, ready } = await connect(guildhall, ada)
    expect(ready).toMatchObject({ sessions: [{ session_id: 'all', status: 'idle' }, { status: 'idle' }] })
    await patch(ada, { status: 'dnd' })
    expect((await client.dispatch('SESSIONS_REPLACE')).d).toMatchObject([{ status: 'dnd' }, { status: 'dnd' }])
  })

  it('is sent only to the sessions of the account, whole', async () => {
    const mine = await connect(guildhall, ada)
    const other = await connect(guildhall, grace)
    const after = bodyOf(await patch(ada, { theme: 'coal', custom_status: { text: 'busy' } }))
    expect((await mine.client.dispatch('USER_SETTINGS_UPDATE')).d).toStrictEqual(after)
    await patch(grace, { theme: 'light' })
    const told = await other.client.dispatch('USER_SETTINGS_UPDATE')
    expect(told.d).toMatchObject({ theme: 'light', custom_status: null })
    expect(other.client.dispatches.map(({ t }) => t)).toStrictEqual(['READY', 'USER_SETTINGS_UPDATE'])
  })

  it('accepts flags for friend_source_flags, and drops guild_positions and unknown ones', async () => {
    expect(
      bodyOf(
        await patch(ada, '{"flags":2,"guild_positions":["1"],"__proto__":{"theme":"coal"},"constructor":{},"x":1}'),
      ),
    ).toStrictEqual({
      ...initialSettings,
      friend_source_flags: 2,
    })
    expect(bodyOf(await patch(ada, { flags: 4, friend_source_flags: 1 }))).toMatchObject({ friend_source_flags: 1 })
  })

  it('keeps no_relation in the friend sources only together with both others', async () => {
    const writes = [
      [4, 0],
      [5, 1],
      [6, 2],
      [7, 7],
    ]
    for (const [chosen, kept] of writes) {
      expect(bodyOf(await patch(ada, { friend_source_flags: chosen }))).toMatchObject({ friend_source_flags: kept })
      expect(await settings(ada)).toMatchObject({ friend_source_flags: kept })
    }
    expect(bodyOf(await patch(ada, { flags: 5 }))).toMatchObject({ friend_source_flags: 1 })
  })

  it('accepts the end of a custom status as a timestamp or in milliseconds, and removes it', async () => {
    const ms = Date.now() + 3_600_000
    const withEnd = (expires_at: unknown) => patch(ada, { custom_status: { text: 'x', expires_at } })
    const end = new Date(ms).toISOString()
    expect(bodyOf(await withEnd(ms))).toMatchObject({ custom_status: { expires_at: end } })
    expect(bodyOf(await withEnd(end.replace('Z', '+00:00')))).toMatchObject({ custom_status: { expires_at: end } })
    expectFields(await withEnd(Date.now() - 1000), field('custom_status.expires_at', 'INVALID_FORMAT'))
    expectFields(await withEnd('tomorrow'), field('custom_status.expires_at', 'INVALID_ISO_TIMESTAMP'))
    expectFields(await withEnd(8_640_000_000_000_001), field('custom_status.expires_at', 'INVALID_ISO_TIMESTAMP'))
    expect(await settings(ada)).toMatchObject({ custom_status: { expires_at: end } })
    expect(bodyOf(await patch(ada, { custom_status: {} }))).toMatchObject({ custom_status: null })
    await withEnd(null)
    expect(bodyOf(await patch(ada, { custom_status: null }))).toMatchObject({ custom_status: null })
  })

  it('ignores what only staff may set', async () => {
    const staffs = { suppress_unprivileged_self_mentions: true, staff_dm_access_user_ids: [grace.id] }
    expect(bodyOf(await patch(ada, staffs))).toStrictEqual(initialSettings)
  })

  it('stores the largest allowed settings, and sends them', async () => {
    const largest = Buffer.alloc(262_144, 7).toString('base64')
    const { client } = await connect(guildhall, ada)
    expect(bodyOf(await patch(ada, { synced_preferences: largest }))).toMatchObject({ synced_preferences: largest })
    expect((await client.dispatch('USER_SETTINGS_UPDATE')).d).toMatchObject({ synced_preferences: largest })
    expect((await connect(guildhall, ada)).ready).toMatchObject({ user_settings: { synced_preferences: largest } })
    expect(bodyOf(await patch(ada, { synced_preferences: '' }))).toMatchObject({ synced_preferences: '' })
  })

  it('loses nothing if two are sent at once', async () => {
    const changes = [
      { theme: 'coal' },
      { locale: 'de' },
      { developer_mode: true },
      { afk_timeout: 60 },
      { time_format: 1 },
    ]
    const answers = await Promise.all(changes.map((change) => patch(ada, change)))
    for (const [index, answer] of answers.entries()) expect(bodyOf(answer)).toMatchObject(changes[index] ?? {})
    expect(await settings(ada)).toStrictEqual({ ...initialSettings, ...Object.assign({}, ...changes) })
  })

  it('writes nothing if nothing changes, but is still sent', async () => {
    await patch(ada, everything)
    const before = await guildhall.store.events.end()
    const { client } = await connect(guildhall, ada)
    expect(bodyOf(await patch(ada, everything))).toStrictEqual(shown)
    expect((await client.dispatch('USER_SETTINGS_UPDATE')).d).toStrictEqual(shown)
    expect(bodyOf(await patch(ada, {}))).toStrictEqual(shown)
    await client.dispatch('USER_SETTINGS_UPDATE')
    expect(await guildhall.store.events.end()).toBe(before)
    expect(client.dispatches).toHaveLength(3)
  })
})
