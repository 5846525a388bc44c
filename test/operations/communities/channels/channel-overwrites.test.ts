import { beforeEach, describe, expect, it } from 'vitest'
import { field, type FieldError } from '../../../../domain/kernel/refusal.ts'
import { permissionBits, type PermissionName } from '../../../../domain/permissions/permission-bits.ts'
import { startTestGuildhall, type TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, found, listOf, type TestGuild } from '../../support/answers.ts'
import { foundWith, openScene } from '../../support/scene.ts'

/** Ada's guild, with Brian in it; every test has its own. */
let home: TestGuild

const { guildhall, ada, brian, carol } = await openScene()
beforeEach(async () => {
  home = await foundWith(guildhall, ada, brian)
})

const nowhere = '1'
const declaring = { 'x-service-features': 'channel_threads,view_channel_members_permission' }

const send = (account: TestAccount, method: string, path: string, body?: unknown, headers = {}) =>
  guildhall.request(method, path, { token: account.token, headers, ...(body === undefined ? {} : { body }) })
const mask = (...names: readonly PermissionName[]): string =>
  names.reduce((bits, name) => bits | permissionBits[name], 0n).toString()
const put = (account: TestAccount, channel: string, id: string, body: unknown, headers = {}) =>
  send(account, 'PUT', `/v1/channels/${channel}/permissions/${id}`, body, headers)
const take = (account: TestAccount, channel: string, id: string) =>
  send(account, 'DELETE', `/v1/channels/${channel}/permissions/${id}`)
const overwritesOf = async (channel: string) =>
  bodyOf(await send(ada, 'GET', `/v1/channels/${channel}`))['permission_overwrites']
const list = async (account = ada) => listOf(await send(account, 'GET', `/v1/guilds/${home.id}/channels`))
const reorder = (account: TestAccount, body: unknown) => send(account, 'PATCH', `/v1/guilds/${home.id}/channels`, body)
const made = async (body: object): Promise<string> =>
  String(bodyOf(await send(ada, 'POST', `/v1/guilds/${home.id}/channels`, { type: 0, name: 'made', ...body }))['id'])
const entriesOf = async (action: number) =>
  bodyOf(await send(ada, 'GET', `/v1/guilds/${home.id}/audit-logs?action_type=${action}`, undefined, declaring))[
    'audit_log_entries'
  ] as readonly object[]
/** Gives Brian a role with permissions. */
const empower = async (...names: readonly PermissionName[]) => {
  const body = { name: 'Powers', permissions: mask(...names) }
  const { id } = bodyOf(await send(ada, 'POST', `/v1/guilds/${home.id}/roles`, body, declaring))
  expect((await send(ada, 'PUT', `/v1/guilds/${home.id}/members/${brian.id}/roles/${String(id)}`)).status).toBe(204)
}

describe('Set and delete channel permission overwrite', () => {
  it('store masks, and record 13, 14 and 15 if something differs', async () => {
    expect((await put(ada, home.channel, home.id, { type: 0, deny: mask('SEND_MESSAGES') })).status).toBe(204)
    expect((await put(ada, home.channel, home.id, { type: 0, deny: mask('SEND_MESSAGES') })).status).toBe(204)
    expect(await overwritesOf(home.channel)).toStrictEqual([{ id: home.id, type: 0, allow: '0', deny: '2048' }])
    await put(ada, home.channel, home.id, { type: 0, allow: 64, deny: mask('SEND_MESSAGES') })
    expect((await take(ada, home.channel, home.id)).status).toBe(204)
    expect((await take(ada, home.channel, home.id)).status).toBe(204)
    expect(await overwritesOf(home.channel)).toStrictEqual([])
    const about = { target_id: home.id, options: { type: 0, channel_id: home.channel } }
    expect([await entriesOf(13), await entriesOf(14), await entriesOf(15)]).toMatchObject([
      [about],
      [{ ...about, changes: [{ key: 'allow', old_value: '0', new_value: '64' }] }],
      [{ ...about, changes: expect.arrayContaining([{ key: 'deny', old_value: '2048' }]) }],
    ])
  })

  it('hide and show channels of members', async () => {
    await put(ada, home.channel, home.id, { type: 0, deny: mask('VIEW_CHANNEL') })
    expect((await list(brian)).map(({ id }) => id)).not.toContain(home.channel)
    await put(ada, home.channel, brian.id, { type: 1, allow: mask('VIEW_CHANNEL') })
    expect((await list(brian)).map(({ id }) => id)).toContain(home.channel)
  })

  it('pass from a category to its channels that were in sync', async () => {
    const category = await made({ type: 4, name: 'Things' })
    const [synced, apart] = [await made({ parent_id: category }), await made({ parent_id: category })]
    await put(ada, apart, brian.id, { type: 1, allow: '0' })
    await put(ada, category, home.id, { type: 0, deny: mask('VIEW_CHANNEL') })
    expect(await overwritesOf(synced)).toStrictEqual(await overwritesOf(category))
    expect(await overwritesOf(apart)).toHaveLength(1)
    expect(await made({ parent_id: category }).then(overwritesOf)).toStrictEqual(await overwritesOf(category))
  })

  it('leave thread bits as they are stored if the client does not declare to know them', async () => {
    await put(ada, home.channel, home.id, { type: 0, allow: mask('MANAGE_THREADS') }, declaring)
    await put(ada, home.channel, home.id, { type: 0, allow: mask('CREATE_PUBLIC_THREADS', 'ADD_REACTIONS') })
    expect(await overwritesOf(home.channel)).toMatchObject([{ allow: mask('MANAGE_THREADS', 'ADD_REACTIONS') }])
  })

  it('reach a category that is visible only because of a channel in it', async () => {
    const category = await made({ type: 4, name: 'Things' })
    const inside = await made({ parent_id: category })
    await empower('MANAGE_ROLES')
    for (const [id, bits] of [
      [category, { deny: mask('VIEW_CHANNEL') }],
      [inside, { deny: '0' }],
    ] as const)
      await put(ada, id, home.id, { type: 0, ...bits })
    expect((await put(brian, category, brian.id, { type: 1, allow: mask('SEND_MESSAGES') })).status).toBe(204)
    await put(ada, inside, home.id, { type: 0, deny: mask('VIEW_CHANNEL') })
    expectRefusal(await put(brian, category, brian.id, { type: 1 }), 403, 'MISSING_PERMISSIONS')
  })

  it('need MANAGE_ROLES in the channel, and the bits', async () => {
    const body = { type: 0, allow: mask('BAN_MEMBERS') }
    expectRefusal(await put(brian, home.channel, home.id, body), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await put(carol, home.channel, home.id, body), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await take(brian, home.channel, home.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await put(ada, nowhere, home.id, body), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await put(ada, home.channel, nowhere, body), 404, 'UNKNOWN_ROLE')
    await empower('MANAGE_ROLES', 'KICK_MEMBERS')
    expectRefusal(await put(brian, home.channel, home.id, body), 403, 'MISSING_PERMISSIONS')
    expect((await put(brian, home.channel, home.id, { type: 0, allow: mask('KICK_MEMBERS') })).status).toBe(204)
    await put(ada, home.channel, carol.id, { type: 1, deny: mask('BAN_MEMBERS') })
    expectRefusal(await take(brian, home.channel, carol.id), 403, 'MISSING_PERMISSIONS')
  })

  it.each<readonly [object, FieldError]>([
    [{ type: 2 }, field('type', 'INVALID_FORMAT')],
    [{}, field('type', 'INVALID_FORMAT')],
    [{ type: 0, allow: 'x' }, field('allow', 'INVALID_INTEGER_FORMAT')],
    [{ type: 0, deny: -1 }, field('deny', 'INVALID_INTEGER_FORMAT')],
    [{ type: 0, deny: '9223372036854775808' }, field('deny', 'INTEGER_OUT_OF_INT64_RANGE')],
  ])('refuse %o', async (body, fault) => {
    expectFields(await put(ada, home.channel, home.id, body), fault)
  })
})

describe('Modify guild channel positions', () => {
  it('moves channels, with positions dense from 1, and records nothing', async () => {
    const [first, second] = [await made({ name: 'first' }), await made({ name: 'second' })]
    const category = (await list()).find(({ name }) => name === 'Voice Channels')?.['id']
    const moves = [
      { id: second, position: 0 },
      { id: first, parent_id: category, lock_permissions: true },
      { id: home.channel, parent_id: null, preceding_sibling_id: second },
    ]
    expect((await reorder(ada, moves)).status).toBe(204)
    const order = await list()
    expect(order.map(({ name, position }) => [name, position])).toStrictEqual([
      ['second', 1],
      ['general', 2],
      ['Text Channels', 3],
      ['Voice Channels', 4],
      ['first', 5],
      ['General', 6],
    ])
    expect(order[4]).toMatchObject({ parent_id: category })
    for (const action of [11, 14]) expect(await entriesOf(action)).toStrictEqual([])
  })

  it('refuses an impossible move, as a whole', async () => {
    const [voice, text] = [await made({ type: 2, name: 'Voice' }), await made({ name: 'text' })]
    const before = await list()
    const refused: readonly (readonly [object, FieldError])[] = [
      [{ id: nowhere }, field('1.id', 'CHANNEL_NOT_FOUND')],
      [{ id: text, preceding_sibling_id: nowhere }, field('1.preceding_sibling_id', 'INVALID_CHANNEL_ID')],
      [
        { id: text, preceding_sibling_id: text },
        field('1.preceding_sibling_id', 'CANNOT_POSITION_CHANNEL_RELATIVE_TO_ITSELF'),
      ],
      [
        { id: text, preceding_sibling_id: home.channel },
        field('1.preceding_sibling_id', 'PRECEDING_CHANNEL_MUST_SHARE_PARENT'),
      ],
      [
        { id: text, preceding_sibling_id: voice },
        field('1.preceding_sibling_id', 'VOICE_CHANNELS_CANNOT_BE_ABOVE_TEXT_CHANNELS'),
      ],
      [{ id: text, parent_id: nowhere }, field('1.parent_id', 'INVALID_PARENT_CHANNEL')],
      [{ id: text, parent_id: voice }, field('1.parent_id', 'PARENT_MUST_BE_CATEGORY')],
      [{ id: text, position: -1 }, field('1.position', 'INVALID_FORMAT')],
    ]
    for (const [move, fault] of refused) expectFields(await reorder(ada, [{ id: voice, position: 9 }, move]), fault)
    expect(await list()).toStrictEqual(before)
    expectRefusal(await reorder(brian, []), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await send(ada, 'PATCH', `/v1/guilds/${nowhere}/channels`, []), 404, 'UNKNOWN_GUILD')
  })
})

describe('the number of channels', () => {
  it('ends at the limits of the guild and of the category, exactly, however many come at once', async () => {
    const limits = { max_guild_channels: 9, max_channels_per_category: 3 }
    const small = await startTestGuildhall({ limits })
    const eve = await small.register()
    const { id } = await found(small, eve)
    const path = `/v1/guilds/${id}/channels`
    const make = (body: object) =>
      small.request('POST', path, { token: eve.token, body: { type: 0, name: 'x', ...body } })
    const [category] = listOf(await small.request('GET', path, { token: eve.token }))
    const parent_id = category?.['id']
    const inCategory = await Promise.all(Array.from({ length: 6 }, () => make({ parent_id })))
    const refusals = inCategory.filter(({ status }) => status !== 200)
    expect(inCategory.length - refusals.length).toBe(2)
    for (const answer of refusals) {
      expectRefusal(answer, 400, 'MAX_CATEGORY_CHANNELS')
      expect(answer.body).toMatchObject({ max_channels_per_category: 3 })
    }
    const atRoot = await Promise.all(Array.from({ length: 6 }, () => make({})))
    const full = atRoot.filter(({ status }) => status !== 200)
    expect(atRoot.length - full.length).toBe(3)
    for (const answer of full) {
      expectRefusal(answer, 400, 'MAX_GUILD_CHANNELS')
      expect(answer.body).toMatchObject({ max_guild_channels: 9 })
    }
    const [outside] = listOf(await small.request('GET', path, { token: eve.token })).filter(
      (each) => each['parent_id'] === null,
    )
    const into = [{ id: outside?.['id'], parent_id }]
    const answer = await small.request('PATCH', path, { token: eve.token, body: into })
    expectRefusal(answer, 400, 'MAX_CATEGORY_CHANNELS')
    await small.close()
  })
})

describe('the routes of one channel', () => {
  it('serve threads and groups too', async () => {
    const body = { name: 'thread', type: 11 }
    const thread = String(
      bodyOf(await send(ada, 'POST', `/v1/channels/${home.channel}/threads`, body, declaring))['id'],
    )
    const path = `/v1/channels/${thread}`
    expect(bodyOf(await send(ada, 'GET', path, undefined, declaring))).toMatchObject({ id: thread, type: 11 })
    expect(bodyOf(await send(ada, 'PATCH', path, { name: 'Renamed' }, declaring))).toMatchObject({ name: 'Renamed' })
    expectFields(await send(ada, 'PATCH', path, { name: '' }, declaring), field('name', 'STRING_LENGTH_INVALID'))
    expectRefusal(await send(ada, 'GET', path), 404, 'UNKNOWN_CHANNEL')
    expect((await send(ada, 'DELETE', path, undefined, declaring)).status).toBe(204)
    const notes = `/v1/channels/${ada.id}`
    expect(bodyOf(await send(ada, 'GET', notes))).toMatchObject({ id: ada.id, type: 999 })
    expectRefusal(await send(ada, 'PATCH', notes, {}), 400, 'INVALID_CHANNEL_TYPE')
    expectRefusal(await send(ada, 'DELETE', notes), 400, 'CANNOT_EXECUTE_ON_DM')
    expectRefusal(await send(brian, 'GET', notes), 404, 'UNKNOWN_CHANNEL')
  })
})
