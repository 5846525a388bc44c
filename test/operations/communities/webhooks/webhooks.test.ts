import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { auditActions } from '../../../../domain/audit/audit-actions.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { backupCode, protect } from '../../../support/authenticator.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, found, listOf } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { placeOf, type Place } from '../../support/members.ts'
import { stillImage } from '../../support/pictures.ts'
import { openServer } from '../../support/scene.ts'
import { threadsHeader } from '../../support/threads.ts'

const limits = { max_webhooks_per_channel: 3, max_webhooks_per_guild: 4 }
const guildhall = await openServer({ limits })
const { connect, end } = connections()
afterAll(end)
const ada = await guildhall.register()

/** Ada's guild; every test has its own. */
let home: Place
beforeEach(async () => {
  home = await placeOf(guildhall, ada)
})

const send = (account: TestAccount, method: string, path: string, body?: unknown, headers = {}) =>
  guildhall.request(method, `/v1${path}`, { token: account.token, headers, ...(body === undefined ? {} : { body }) })
const create = (account: TestAccount, body: unknown = { name: 'Build' }, channel = home.channel, headers = {}) =>
  send(account, 'POST', `/channels/${channel}/webhooks`, body, headers)
const created = async (body: unknown = { name: 'Build' }, channel = home.channel) =>
  String(bodyOf(await create(ada, body, channel))['id'])
const get = (account: TestAccount, id: string) => send(account, 'GET', `/webhooks/${id}`)
const change = (account: TestAccount, id: string, body: unknown) => send(account, 'PATCH', `/webhooks/${id}`, body)
const remove = (account: TestAccount, id: string, headers = {}) =>
  send(account, 'DELETE', `/webhooks/${id}`, undefined, headers)
const ofChannel = (account: TestAccount, channel = home.channel) =>
  send(account, 'GET', `/channels/${channel}/webhooks`)
const ofGuild = (account: TestAccount) => home.send(account, 'GET', '/webhooks')
const newChannel = async (type = 0) =>
  String(bodyOf(await home.send(ada, 'POST', '/channels', { type, name: 'more' }, threadsHeader))['id'])
const denied = (channel: string, permission: bigint) =>
  send(ada, 'PUT', `/channels/${channel}/permissions/${home.id}`, { type: 0, allow: '0', deny: permission.toString() })
const idsIn = (answer: Awaited<ReturnType<typeof ofGuild>>) => listOf(answer).map(({ id }) => id)

const viewChannel = 1n << 10n
const manageWebhooks = 1n << 29n

describe('Create webhook', () => {
  it('answers with a webhook that has a token of its own', async () => {
    const webhook = bodyOf(await create(ada))
    expect(webhook).toStrictEqual({
      id: expect.stringMatching(/^\d+$/),
      type: 1,
      guild_id: home.id,
      channel_id: home.channel,
      name: 'Build',
      avatar: null,
      token: expect.stringMatching(/^[A-Za-z0-9]{64}$/),
      user: expect.objectContaining({ id: ada.id }),
    })
    expect(bodyOf(await get(ada, String(webhook['id'])))).toStrictEqual(webhook)
    expect(listOf(await ofChannel(ada))).toStrictEqual([webhook])
    expect(listOf(await ofGuild(ada))).toStrictEqual([webhook])
    expect(bodyOf(await create(ada, { name: 'Build' }))['token']).not.toBe(webhook['token'])
  })

  it('keeps the token sealed in history and in the read model', async () => {
    const { id, token } = bodyOf(await create(ada))
    const { rows } = await guildhall.store.database.pool.query<{ whole: string }>(
      `select row_to_json(e)::text as whole from event_store.events e where stream = $1
       union all select row_to_json(w)::text from webhooks.webhooks w where id = $2`,
      [`webhook-${String(id)}`, String(id)],
    )
    expect(rows).toHaveLength(2)
    for (const { whole } of rows) {
      expect(whole).toContain('Build')
      expect(whole).not.toContain(String(token))
    }
  })

  it('stores an image, which is served where those of accounts are', async () => {
    const { id, avatar } = bodyOf(await create(ada, { name: 'Build', avatar: await stillImage() }))
    expect(avatar).toMatch(/^[0-9a-f]{32}$/)
    const path = `/media/avatars/${String(id)}/${String(avatar)}.webp`
    expect((await fetch(`${guildhall.url}${path}`)).status).toBe(200)
    expect(bodyOf(await change(ada, String(id), { avatar: null }))).toMatchObject({ avatar: null })
  })

  it('refuses what is no name or no image', async () => {
    for (const body of [{ name: '' }, { name: 'x'.repeat(81) }])
      expectFields(await create(ada, body), field('name', 'STRING_LENGTH_INVALID'))
    expectFields(await create(ada, {}), field('name', 'INVALID_FORMAT'))
    const avatar = Buffer.from('no image').toString('base64')
    expectFields(await create(ada, { name: 'Build', avatar }), field('avatar', 'INVALID_IMAGE_FORMAT'))
    expect(listOf(await ofChannel(ada))).toStrictEqual([])
  })

  it('needs MANAGE_WEBHOOKS in the guild and in the channel, and sight of it', async () => {
    const member = await home.member()
    const holder = await home.holder('MANAGE_WEBHOOKS')
    const stranger = await guildhall.register()
    for (const account of [member, stranger]) {
      expectRefusal(await create(account), 403, 'MISSING_PERMISSIONS')
      expectRefusal(await ofChannel(account), 403, 'MISSING_PERMISSIONS')
      expectRefusal(await ofGuild(account), 403, 'MISSING_PERMISSIONS')
    }
    const id = await created()
    expect((await create(holder)).status).toBe(200)
    expect((await denied(home.channel, manageWebhooks)).status).toBe(204)
    expectRefusal(await create(holder), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await get(holder, id), 403, 'MISSING_PERMISSIONS')
    expect(idsIn(await ofGuild(holder))).toStrictEqual([])
    expect((await denied(home.channel, viewChannel)).status).toBe(204)
    expectRefusal(await create(holder), 403, 'MISSING_PERMISSIONS')
    expect(idsIn(await ofGuild(holder))).toStrictEqual([])
    expect(idsIn(await ofGuild(ada))).toContain(id)
  })

  it('requires a second factor while the guild is ELEVATED', async () => {
    const owner = await protect(guildhall, await guildhall.register())
    home = await placeOf(guildhall, owner)
    const holder = await home.holder('MANAGE_WEBHOOKS')
    const id = String(bodyOf(await create(holder))['id'])
    const proof = { mfa_method: 'totp', mfa_code: backupCode(owner, 0) }
    expect((await home.send(owner, 'PATCH', '', { mfa_level: 1, ...proof })).status).toBe(200)
    for (const refused of [
      await create(holder),
      await get(holder, id),
      await change(holder, id, { name: 'Herald' }),
      await remove(holder, id),
      await ofChannel(holder),
      await ofGuild(holder),
    ])
      expectRefusal(refused, 400, 'TWO_FACTOR_REQUIRED')
    expect((await create(owner)).status).toBe(200)
  })

  it('is for text, voice, announcement and forum channels', async () => {
    for (const type of [2, 5, 15]) {
      const channel = await newChannel(type)
      expect((await create(ada, { name: 'Build' }, channel, threadsHeader)).status).toBe(200)
    }
    for (const channel of [await newChannel(4), await newChannel(16), ada.id, '1'])
      expectRefusal(await create(ada, { name: 'Build' }, channel, threadsHeader), 404, 'UNKNOWN_CHANNEL')
    const { id: thread } = bodyOf(
      await send(ada, 'POST', `/channels/${home.channel}/threads`, { name: 'aside', type: 11 }, threadsHeader),
    )
    expectRefusal(await create(ada, { name: 'Build' }, String(thread), threadsHeader), 404, 'UNKNOWN_CHANNEL')
  })

  it('keeps to the limits of the channel and of the guild, however many come at once', async () => {
    const second = await newChannel()
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(ada)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(5)
    for (const answer of refused) {
      expectRefusal(answer, 400, 'MAX_WEBHOOKS_PER_CHANNEL')
      expect(answer.body).toMatchObject({ max_webhooks_per_channel: 3 })
    }
    const elsewhere = await Promise.all(Array.from({ length: 4 }, () => create(ada, { name: 'Build' }, second)))
    expect(elsewhere.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of elsewhere.filter(({ status }) => status !== 200)) {
      expectRefusal(answer, 400, 'MAX_WEBHOOKS_PER_GUILD')
      expect(answer.body).toMatchObject({ max_webhooks_per_guild: 4 })
    }
    const [first] = idsIn(await ofChannel(ada))
    const moved = idsIn(await ofChannel(ada, second))
    expect((await change(ada, String(moved[0]), { channel_id: home.channel })).status).toBe(400)
    expect((await remove(ada, String(first))).status).toBe(204)
    expect((await change(ada, String(moved[0]), { channel_id: home.channel })).status).toBe(200)
    expect(idsIn(await ofChannel(ada))).toHaveLength(3)
  })

  it('makes one webhook, with one token, of a request that comes twice with its key', async () => {
    const key = { 'idempotency-key': 'one webhook' }
    const first = bodyOf(await create(ada, { name: 'Build' }, home.channel, key))
    await guildhall.store.database.pool.query(
      'update http.idempotency_keys set sealed_answer = null, held_until = null',
    )
    expect(bodyOf(await create(ada, { name: 'Build' }, home.channel, key))).toStrictEqual(first)
    expect(listOf(await ofChannel(ada))).toHaveLength(1)
  })
})

describe('Modify webhook', () => {
  it('changes what is sent, and moves within the guild', async () => {
    const id = await created()
    const second = await newChannel()
    const before = bodyOf(await get(ada, id))
    expect(bodyOf(await change(ada, id, { name: ' Herald ' }))).toStrictEqual({ ...before, name: 'Herald' })
    expect(bodyOf(await change(ada, id, { channel_id: second }))).toMatchObject({ name: 'Herald', channel_id: second })
    expect(idsIn(await ofChannel(ada))).toStrictEqual([])
    expect(idsIn(await ofChannel(ada, second))).toStrictEqual([id])
    expect((await change(ada, id, {})).status).toBe(200)
  })

  it('refuses channels of other guilds, and those in which the caller does not manage webhooks', async () => {
    const id = await created()
    const away = await found(guildhall, ada)
    for (const channel of [away.channel, '1', await newChannel(4)])
      expectRefusal(await change(ada, id, { channel_id: channel }), 404, 'UNKNOWN_CHANNEL')
    const holder = await home.holder('MANAGE_WEBHOOKS')
    const closed = await newChannel()
    await denied(closed, manageWebhooks)
    expectRefusal(await change(holder, id, { channel_id: closed }), 403, 'MISSING_PERMISSIONS')
    expect((await change(holder, id, { name: 'Herald' })).status).toBe(200)
    expectRefusal(await change(ada, '1', { name: 'Herald' }), 404, 'UNKNOWN_WEBHOOK')
  })
})

describe('Delete webhook', () => {
  it('makes it unknown', async () => {
    const id = await created()
    expectRefusal(await remove(await home.member(), id), 403, 'MISSING_PERMISSIONS')
    expect((await remove(ada, id)).status).toBe(204)
    for (const answer of [await get(ada, id), await remove(ada, id), await change(ada, id, { name: 'Herald' })])
      expectRefusal(answer, 404, 'UNKNOWN_WEBHOOK')
  })

  it('goes with the channel and with the guild, which free their places', async () => {
    const second = await newChannel()
    const id = await created({ name: 'Build' }, second)
    expect((await send(ada, 'DELETE', `/channels/${second}`)).status).toBe(204)
    expectRefusal(await get(ada, id), 404, 'UNKNOWN_WEBHOOK')
    expect(listOf(await ofGuild(ada))).toStrictEqual([])
    for (let made = 0; made < 3; made += 1) expect((await create(ada)).status).toBe(200)
    const kept = String(idsIn(await ofChannel(ada))[0])
    expect((await home.send(ada, 'POST', '/delete', { password: ada.password })).status).toBe(204)
    expectRefusal(await get(ada, kept), 404, 'UNKNOWN_WEBHOOK')
  })
})

describe('what members do to webhooks', () => {
  it('is in the audit log, with the reason and without the token', async () => {
    const reason = { 'x-audit-log-reason': 'for the builds' }
    const { id, token } = bodyOf(await create(ada, { name: 'Build' }, home.channel, reason))
    await change(ada, String(id), { name: 'Herald' })
    const { WEBHOOK_CREATE, WEBHOOK_UPDATE, WEBHOOK_DELETE } = auditActions
    const log = bodyOf(await home.send(ada, 'GET', '/audit-logs'))
    expect(log['webhooks']).toStrictEqual([
      { id, type: 1, guild_id: home.id, channel_id: home.channel, name: 'Herald', avatar_hash: null },
    ])
    expect(JSON.stringify(log)).not.toContain(String(token))
    expect((await remove(ada, String(id))).status).toBe(204)
    const options = { channel_id: home.channel, type: 1 }
    const about = { target_id: id, user_id: ada.id, options }
    const entries = bodyOf(await home.send(ada, 'GET', '/audit-logs'))['audit_log_entries'] as readonly object[]
    expect(entries.slice(0, 3)).toMatchObject([
      { ...about, action_type: WEBHOOK_DELETE },
      {
        ...about,
        action_type: WEBHOOK_UPDATE,
        changes: [{ key: 'name', old_value: 'Build', new_value: 'Herald' }],
      },
      { ...about, action_type: WEBHOOK_CREATE, reason: 'for the builds' },
    ])
  })

  it('is told to those who view the channel, and of a move for both channels', async () => {
    const member = await home.member()
    const second = await newChannel()
    const { client } = await connect(guildhall, member)
    const told = async () => (await client.dispatch('WEBHOOKS_UPDATE')).d
    const id = await created()
    expect(await told()).toStrictEqual({ guild_id: home.id, channel_id: home.channel })
    await change(ada, id, { channel_id: second })
    expect([await told(), await told()]).toStrictEqual([
      { guild_id: home.id, channel_id: home.channel },
      { guild_id: home.id, channel_id: second },
    ])
    await remove(ada, id)
    expect(await told()).toStrictEqual({ guild_id: home.id, channel_id: second })
  })
})
