import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FieldCode } from '../../../../domain/kernel/field-codes.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, expectFields, expectRefusal, found, invite, type TestGuild } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { openServer } from '../../support/scene.ts'

let ada: TestAccount
let grace: TestAccount
let home: TestGuild
const { connect, end } = connections()

const guildhall = await openServer({})
beforeEach(async () => {
  ada = await guildhall.register()
  grace = await guildhall.register()
  home = await found(guildhall, ada)
})
afterEach(end)

const patch = ({ token }: TestAccount, guild: string, body: unknown) =>
  guildhall.request('PATCH', `/v1/users/@me/guilds/${guild}/settings`, { token, body })

/** The names of dispatches, without the join message, which a worker posts at any time. */
const toldOf = (dispatches: readonly { readonly t?: string | undefined }[]) =>
  dispatches.map(({ t }) => t).filter((name) => name !== 'MESSAGE_CREATE')

/** The settings in READY. */
const listed = async (account: TestAccount) => (await connect(guildhall, account)).ready['user_guild_settings']

const initial = {
  message_notifications: 3,
  muted: false,
  mute_config: null,
  mobile_push: true,
  suppress_everyone: false,
  suppress_roles: false,
  hide_muted_channels: false,
  channel_overrides: null,
  unread_badges: null,
}
const override = {
  collapsed: true,
  message_notifications: 1,
  muted: true,
  mute_config: { end_time: null, selected_time_window: -1 },
  unread_badges: 2,
}
const everything = {
  message_notifications: 2,
  muted: true,
  mute_config: { end_time: '2099-01-01T00:00:00.000Z', selected_time_window: 900 },
  mobile_push: false,
  suppress_everyone: true,
  suppress_roles: true,
  hide_muted_channels: true,
  channel_overrides: { '9007199254740993': override },
  unread_badges: 1,
}

describe('Modify user guild settings', () => {
  it('changes what is sent, leaves the rest, and grows the version', async () => {
    const first = bodyOf(await patch(ada, home.id, everything))
    expect(first).toStrictEqual({ guild_id: home.id, ...everything, version: 1 })
    const second = bodyOf(await patch(ada, home.id, { muted: false, mute_config: null, channel_overrides: {} }))
    const changed = { muted: false, mute_config: null, channel_overrides: null }
    expect(second).toStrictEqual({ ...first, ...changed, version: 2 })
    expect(await listed(ada)).toStrictEqual([second])
  })

  it('sets the private channels by @me and by 0', async () => {
    const first = bodyOf(await patch(ada, '@me', { muted: true }))
    expect(first).toStrictEqual({ guild_id: null, ...initial, muted: true, version: 1 })
    const second = bodyOf(await patch(ada, '0', { suppress_roles: true }))
    expect(second).toStrictEqual({ ...first, suppress_roles: true, version: 2 })
    await patch(ada, home.id, { muted: true })
    expect(await listed(ada)).toMatchObject([{ guild_id: null }, { guild_id: home.id }])
    expect(await listed(grace)).toStrictEqual([])
  })

  it('is sent only to the sessions of the account, whole', async () => {
    await accept(guildhall, grace, await invite(guildhall, ada, home.channel))
    const mine = await connect(guildhall, ada)
    const other = await connect(guildhall, grace)
    const after = bodyOf(await patch(ada, home.id, everything))
    expect((await mine.client.dispatch('USER_GUILD_SETTINGS_UPDATE')).d).toStrictEqual(after)
    await patch(grace, '@me', { muted: true })
    await other.client.dispatch('USER_GUILD_SETTINGS_UPDATE')
    expect(toldOf(other.client.dispatches)).toStrictEqual(['READY', 'USER_GUILD_SETTINGS_UPDATE'])
  })

  it('writes nothing if nothing changes, but is still sent', async () => {
    const { client } = await connect(guildhall, ada)
    const before = await guildhall.store.events.end()
    const unchanged = bodyOf(await patch(ada, home.id, { muted: false }))
    expect(unchanged).toStrictEqual({ guild_id: home.id, ...initial, version: 0 })
    expect((await client.dispatch('USER_GUILD_SETTINGS_UPDATE')).d).toStrictEqual(unchanged)
    expect(await guildhall.store.events.end()).toBe(before)
    await patch(ada, '@me', { muted: true })
    await client.dispatch('USER_GUILD_SETTINGS_UPDATE')
    const again = bodyOf(await patch(ada, '@me', { muted: true }))
    expect((await client.dispatch('USER_GUILD_SETTINGS_UPDATE')).d).toStrictEqual(again)
    expect(again).toMatchObject({ guild_id: null, muted: true, version: 1 })
  })

  it('replaces the overrides of channels, and accepts the end of a mute in milliseconds', async () => {
    await patch(ada, home.id, everything)
    const end_time = Date.now() + 60_000
    const channel_overrides = { [home.channel]: { muted: true, mute_config: { end_time, selected_time_window: 60 } } }
    const mute_config = { end_time: new Date(end_time).toISOString(), selected_time_window: 60 }
    const plain = { collapsed: false, message_notifications: 3, muted: true, mute_config, unread_badges: null }
    expect(bodyOf(await patch(ada, home.id, { channel_overrides }))).toMatchObject({
      channel_overrides: { [home.channel]: plain },
    })
    const { channel_overrides: kept } = bodyOf(await patch(ada, home.id, {}))
    expect(kept).toStrictEqual({ [home.channel]: plain })
  })

  it('requires no membership, and READY has those of the account’s guilds', async () => {
    expect(bodyOf(await patch(grace, home.id, { muted: true }))).toMatchObject({ guild_id: home.id, muted: true })
    expect(await listed(grace)).toStrictEqual([])
    await accept(guildhall, grace, await invite(guildhall, ada, home.channel))
    expect(await listed(grace)).toMatchObject([{ guild_id: home.id, muted: true }])
  })

  it('are kept when the account leaves, and end with the guild', async () => {
    await accept(guildhall, grace, await invite(guildhall, ada, home.channel))
    await patch(grace, home.id, { muted: true })
    await guildhall.request('DELETE', `/v1/users/@me/guilds/${home.id}`, { token: grace.token })
    await accept(guildhall, grace, await invite(guildhall, ada, home.channel))
    expect(await listed(grace)).toMatchObject([{ guild_id: home.id, muted: true }])
    await guildhall.request('POST', `/v1/guilds/${home.id}/delete`, {
      token: ada.token,
      body: { password: ada.password },
    })
    expect(await listed(grace)).toStrictEqual([])
    expectRefusal(await patch(grace, home.id, { muted: false }), 404, 'UNKNOWN_GUILD')
  })

  it('loses nothing if two are sent at once', async () => {
    const changes = [{ muted: true }, { mobile_push: false }, { suppress_roles: true }, { unread_badges: 0 }]
    const answers = await Promise.all(changes.map((change) => patch(ada, home.id, change)))
    expect(new Set(answers.map((answer) => bodyOf(answer)['version']))).toStrictEqual(new Set([1, 2, 3, 4]))
    const after = bodyOf(await patch(ada, home.id, {}))
    expect(after).toStrictEqual({ guild_id: home.id, ...initial, ...Object.assign({}, ...changes), version: 4 })
  })

  it('keeps no name from outside but ids', async () => {
    const body = '{"channel_overrides":{"__proto__":{"muted":true},"5":{"muted":true}},"__proto__":{"muted":true}}'
    const after = bodyOf(await patch(ada, home.id, body))
    expect(after['muted']).toBe(false)
    expect(Object.keys(Object(after['channel_overrides']))).toStrictEqual(['5'])
    expect(Object.getPrototypeOf(after['channel_overrides'])).toBe(Object.prototype)
    for (const name of ['constructor', 'toString', '-1', '01', '1e3', '+1', '٣']) {
      const answer = await patch(ada, home.id, { channel_overrides: { [name]: {} } })
      expectFields(answer, field(`channel_overrides.${name}`, 'INVALID_SNOWFLAKE_FORMAT'))
    }
    const beyond = '9223372036854775808'
    expectFields(
      await patch(ada, home.id, { channel_overrides: { [beyond]: {} } }),
      field(`channel_overrides.${beyond}`, 'SNOWFLAKE_OUT_OF_RANGE'),
    )
  })

  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [String(index + 1), {}]))
  const malformed: readonly (readonly [object, string, FieldCode])[] = [
    [{ message_notifications: 4 }, 'message_notifications', 'INVALID_FORMAT'],
    [{ muted: 'yes' }, 'muted', 'INVALID_FORMAT'],
    [{ mute_config: {} }, 'mute_config.selected_time_window', 'INVALID_FORMAT'],
    [{ mute_config: { end_time: 'never', selected_time_window: 1 } }, 'mute_config.end_time', 'INVALID_ISO_TIMESTAMP'],
    [{ mute_config: { end_time: -1, selected_time_window: 1 } }, 'mute_config.end_time', 'INVALID_ISO_TIMESTAMP'],
    [{ channel_overrides: [] }, 'channel_overrides', 'INVALID_FORMAT'],
    [{ channel_overrides: many }, 'channel_overrides', 'INVALID_FORMAT'],
    [{ channel_overrides: { '1': { muted: 1 } } }, 'channel_overrides.1.muted', 'INVALID_FORMAT'],
    [{ unread_badges: -1 }, 'unread_badges', 'INVALID_FORMAT'],
  ]

  it('refuses what it cannot read, and leaves all as it was', async () => {
    for (const [body, path, code] of malformed) {
      expectFields(await patch(ada, home.id, { suppress_roles: true, ...body }), field(path, code))
    }
    expectFields(await patch(ada, 'home', {}), field('guild_id', 'INVALID_SNOWFLAKE_FORMAT'))
    const unchanged = bodyOf(await patch(ada, home.id, { guild_id: '7', version: 9 }))
    expect(unchanged).toStrictEqual({ guild_id: home.id, ...initial, version: 0 })
    expectRefusal(
      await guildhall.request('PATCH', '/v1/users/@me/guilds/@me/settings', { body: {} }),
      401,
      'UNAUTHORIZED',
    )
  })
})

describe('default_hide_muted_channels', () => {
  it('hides the muted channels of a guild for a new member', async () => {
    const choose = { token: grace.token, body: { default_hide_muted_channels: true } }
    await guildhall.request('PATCH', '/v1/users/@me/settings', choose)
    const { client } = await connect(guildhall, grace)
    await accept(guildhall, grace, await invite(guildhall, ada, home.channel))
    const expected = { guild_id: home.id, ...initial, hide_muted_channels: true, version: 1 }
    const told = await client.until(({ t }) => t === 'USER_GUILD_SETTINGS_UPDATE', 'guild settings')
    expect(toldOf(told)).toStrictEqual(['GUILD_CREATE', 'USER_SETTINGS_UPDATE', 'USER_GUILD_SETTINGS_UPDATE'])
    expect(told.at(-1)?.d).toStrictEqual(expected)
    expect(await listed(grace)).toStrictEqual([expected])
  })

  it('has no effect on a guild that is joined without it, or founded', async () => {
    await accept(guildhall, grace, await invite(guildhall, ada, home.channel))
    expect(await listed(grace)).toStrictEqual([])
    const choose = { token: grace.token, body: { default_hide_muted_channels: true } }
    await guildhall.request('PATCH', '/v1/users/@me/settings', choose)
    await found(guildhall, grace)
    expect(await listed(grace)).toStrictEqual([])
  })
})
