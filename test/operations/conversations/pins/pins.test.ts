import { afterAll, describe, expect, it } from 'vitest'
import { recordLeftDeletions } from '../../../../application/conversations/messages/record-message-deletions.ts'
import { disabledOperationBits } from '../../../../domain/guild/state.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import type { Payload } from '../../../gateway/support/client.ts'
import { bodyOf, expectRefusal, listOf, type TestGuild } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { deadBeforeTheEntry } from '../../support/dead-before-the-entry.ts'
import { letEveryone, messagesPath, sent, settle } from '../../support/messages.ts'
import { befriend, relationsOn } from '../../support/relationships.ts'
import { foundWith, openScene } from '../../support/scene.ts'
import { openDirect } from '../private-channels/support.ts'

const { connect, end } = connections()
const { guildhall, ada, brian, carol } = await openScene()
afterAll(end)

type Holder = Pick<TestAccount, 'token'>
const change = (method: 'PUT' | 'DELETE') => (account: Holder, channel: string, message: string, reason?: string) =>
  guildhall.request(method, `/v1/channels/${channel}/pins/${message}`, {
    token: account.token,
    ...(reason === undefined ? {} : { headers: { 'x-audit-log-reason': reason } }),
  })
const [pin, unpin] = [change('PUT'), change('DELETE')]
const pinsOf = (account: Holder, channel: string, query = '') =>
  guildhall.request('GET', `${messagesPath(channel)}/pins${query}`, { token: account.token })

interface Page {
  readonly items: readonly { readonly message: Readonly<Record<string, unknown>>; readonly pinned_at: string }[]
  readonly has_more: boolean
}
const pageOf = async (account: Holder, channel: string, query = '') =>
  bodyOf(await pinsOf(account, channel, query)) as unknown as Page
const idsIn = ({ items }: Page) => items.map(({ message }) => message['id'])

/** Ada's guild with Brian in it, where nothing else happens. */
const place = (): Promise<TestGuild> => foundWith(guildhall, ada, brian)

/** The audit entries of a guild about pins, the newest first. */
const entriesOf = async ({ id }: TestGuild) => {
  const { audit_log_entries: entries } = bodyOf(
    await guildhall.request('GET', `/v1/guilds/${id}/audit-logs?limit=10`, { token: ada.token }),
  )
  return (entries as readonly Readonly<Record<string, unknown>>[]).filter(({ action_type: type }) =>
    [74, 75].includes(Number(type)),
  )
}

describe('a pin', () => {
  it('is told, said in the channel, listed, and in the audit log; once more changes nothing', async () => {
    const home = await place()
    const message = await sent(guildhall, brian, home.channel, 'the rules')
    const { client } = await connect(guildhall, brian)
    expect(await pin(ada, home.channel, message, 'because')).toMatchObject({ status: 204, body: undefined })
    const isSaid = ({ t, d }: Payload) => t === 'MESSAGE_CREATE' && d['type'] === 6
    const told = await client.until(isSaid, 'the message of the server')
    const of = (name: string) => told.find(({ t }) => t === name)?.d
    expect(of('MESSAGE_UPDATE')).toMatchObject({ id: message, pinned: true, edited_timestamp: null })
    const lastPin = of('CHANNEL_PINS_UPDATE')?.['last_pin_timestamp']
    expect(of('CHANNEL_PINS_UPDATE')).toStrictEqual({
      channel_id: home.channel,
      guild_id: home.id,
      last_pin_timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(told.at(-1)?.d).toMatchObject({
      author: { id: ada.id },
      content: '',
      message_reference: { channel_id: home.channel, message_id: message, guild_id: home.id, type: 0 },
    })
    expect(told.at(-1)?.d).not.toHaveProperty('referenced_message')
    expect(await pageOf(brian, home.channel)).toMatchObject({
      items: [{ message: { id: message, pinned: true }, pinned_at: lastPin }],
      has_more: false,
    })
    expect((await pin(ada, home.channel, message)).status).toBe(204)
    expect(await entriesOf(home)).toMatchObject([
      { action_type: 74, user_id: ada.id, options: { channel_id: home.channel, message_id: message } },
    ])
    expect((await entriesOf(home))[0]).not.toHaveProperty('reason', 'because')
    const said = listOf(await guildhall.request('GET', messagesPath(home.channel), { token: ada.token }))
    expect(said.filter(({ type }) => type === 6)).toHaveLength(1)
  })

  it('ends without a message, and leaves the time of the last pin; once more changes nothing', async () => {
    const home = await place()
    const message = await sent(guildhall, brian, home.channel, 'the rules')
    await pin(ada, home.channel, message)
    const { client } = await connect(guildhall, brian)
    const [{ pinned_at: at } = { pinned_at: '' }] = (await pageOf(brian, home.channel)).items
    expect((await unpin(ada, home.channel, message)).status).toBe(204)
    expect((await unpin(ada, home.channel, message)).status).toBe(204)
    expect((await client.dispatch('CHANNEL_PINS_UPDATE')).d).toMatchObject({ last_pin_timestamp: at })
    expect(await pageOf(brian, home.channel)).toStrictEqual({ items: [], has_more: false })
    const read = await guildhall.request('GET', messagesPath(home.channel, message), { token: brian.token })
    expect(bodyOf(read)['pinned']).toBe(false)
    expect((await entriesOf(home)).map(({ action_type: type }) => type)).toStrictEqual([75, 74])
  })

  it('of a deleted message is told, with the time of the last pin', async () => {
    const home = await place()
    const message = await sent(guildhall, brian, home.channel, 'the rules')
    await pin(ada, home.channel, message)
    const [{ pinned_at: at } = { pinned_at: '' }] = (await pageOf(brian, home.channel)).items
    const { client } = await connect(guildhall, brian)
    await guildhall.request('DELETE', messagesPath(home.channel, message), { token: brian.token })
    const [pins, gone] = [await client.dispatch('CHANNEL_PINS_UPDATE'), await client.dispatch('MESSAGE_DELETE')]
    expect(pins.d).toMatchObject({ last_pin_timestamp: at })
    // Of the pin first, while a client still knows the message.
    expect(pins.s).toBeLessThan(gone.s ?? 0)
    expect(await pageOf(brian, home.channel)).toStrictEqual({ items: [], has_more: false })
  })

  it('whose process dies before its entry is written gets it from whoever handles the remains, once', async () => {
    const home = await place()
    const message = await sent(guildhall, brian, home.channel, 'the rules')
    await deadBeforeTheEntry(guildhall, async () => {
      expect((await pin(ada, home.channel, message)).status).toBe(500)
      expect((await pin(ada, home.channel, message)).status).toBe(204)
    })
    expect(idsIn(await pageOf(brian, home.channel))).toStrictEqual([message])
    expect(await entriesOf(home)).toStrictEqual([])
    const record = recordLeftDeletions(guildhall.ports)
    const now = timestamp(Date.now() + 1)
    await Promise.all([record(now), record(now)])
    await expect
      .poll(() => entriesOf(home))
      .toMatchObject([{ action_type: 74, user_id: ada.id, options: { channel_id: home.channel, message_id: message } }])
    const said = listOf(await guildhall.request('GET', messagesPath(home.channel), { token: ada.token }))
    expect(said.filter(({ type }) => type === 6)).toHaveLength(1)
  })

  it('asked for by many at once is one', async () => {
    const home = await place()
    const message = await sent(guildhall, brian, home.channel, 'the rules')
    const answers = await Promise.all(Array.from({ length: 8 }, () => pin(ada, home.channel, message)))
    expect(answers.map(({ status }) => status)).toStrictEqual(Array.from({ length: 8 }, () => 204))
    const said = listOf(await guildhall.request('GET', messagesPath(home.channel), { token: ada.token }))
    expect(said.filter(({ type }) => type === 6)).toHaveLength(1)
    expect(await entriesOf(home)).toHaveLength(1)
  })
})

describe('the time of the last pin', () => {
  it('stands in the objects of channels and threads, over HTTP and at the Gateway, and stays after the pin ends', async () => {
    const home = await place()
    const headers = { 'x-service-features': 'channel_threads' }
    const asked = (method: string, path: string, body?: object) =>
      guildhall.request(method, `/v1/channels/${path}`, { token: ada.token, headers, ...(body && { body }) })
    const thread = String(bodyOf(await asked('POST', `${home.channel}/threads`, { name: 'a thread', type: 11 }))['id'])
    const read = async (id: string) => bodyOf(await asked('GET', id))['last_pin_timestamp']
    const { client } = await connect(guildhall, brian)
    for (const id of [home.channel, thread]) {
      expect(await read(id)).toBeNull()
      const message = String(bodyOf(await asked('POST', `${id}/messages`, { content: 'the rules' }))['id'])
      expect((await asked('PUT', `${id}/pins/${message}`)).status).toBe(204)
      const { items } = bodyOf(await asked('GET', `${id}/messages/pins`)) as unknown as Page
      const at = items[0]?.pinned_at
      expect(at).toEqual(expect.any(String))
      expect(await read(id)).toBe(at)
      await asked('DELETE', `${id}/pins/${message}`)
      expect(await read(id)).toBe(at)
    }
    const at = await read(home.channel)
    await guildhall.request('PATCH', `/v1/channels/${home.channel}`, { token: ada.token, body: { name: 'renamed' } })
    const isRenamed = ({ t, d }: Payload) => t === 'CHANNEL_UPDATE' && d['name'] === 'renamed'
    expect((await client.until(isRenamed, 'the new name')).at(-1)?.d).toMatchObject({ last_pin_timestamp: at })
    const list = listOf(await guildhall.request('GET', `/v1/guilds/${home.id}/channels`, { token: brian.token }))
    expect(list.find(({ id }) => id === home.channel)).toMatchObject({ last_pin_timestamp: at })
    const { ready } = await connect(guildhall, brian)
    const guild = (ready['guilds'] as readonly { readonly id: string; readonly channels: readonly object[] }[]).find(
      ({ id }) => id === home.id,
    )
    expect(guild?.channels).toContainEqual(expect.objectContaining({ id: home.channel, last_pin_timestamp: at }))
  })

  it('stands in private channels, over HTTP and in READY', async () => {
    const [one, other] = [await guildhall.register(), await guildhall.register()]
    await befriend(guildhall, one, other)
    const direct = await openDirect(guildhall, one, other)
    await pin(one, direct, await sent(guildhall, one, direct, 'dinner at eight'))
    const last_pin_timestamp = (await pageOf(one, direct)).items[0]?.pinned_at
    const own = listOf(await guildhall.request('GET', '/v1/users/@me/channels', { token: other.token }))
    expect(own).toContainEqual(expect.objectContaining({ id: direct, last_pin_timestamp }))
    const { ready } = await connect(guildhall, other)
    expect(ready['private_channels']).toContainEqual(expect.objectContaining({ id: direct, last_pin_timestamp }))
  })
})

describe('List pinned messages', () => {
  it('gives pages, the last pinned first, without the messages that they answer', async () => {
    const home = await place()
    const first = await sent(guildhall, brian, home.channel, 'one')
    const answer = { content: 'two', message_reference: { message_id: first } }
    const ids = [
      first,
      await sent(guildhall, brian, home.channel, answer),
      await sent(guildhall, ada, home.channel, 'three'),
    ]
    for (const id of [ids[1], ids[2], ids[0]]) await pin(ada, home.channel, String(id))
    const all = await pageOf(brian, home.channel)
    expect(idsIn(all)).toStrictEqual([ids[0], ids[2], ids[1]])
    expect(all.items[2]?.message).toMatchObject({ type: 19, message_reference: { message_id: first } })
    expect(all.items[2]?.message).not.toHaveProperty('referenced_message')
    const page = await pageOf(brian, home.channel, '?limit=2')
    expect([idsIn(page), page.has_more]).toStrictEqual([[ids[0], ids[2]], true])
    const rest = await pageOf(brian, home.channel, `?limit=2&before=${page.items[1]?.pinned_at}`)
    expect([idsIn(rest), rest.has_more]).toStrictEqual([[ids[1]], false])
    for (const query of ['limit=0', 'limit=51', 'before=yesterday'])
      expectRefusal(await pinsOf(brian, home.channel, `?${query}`), 400, 'INVALID_FORM_BODY')
  })

  it('leaves out what the caller may not read', async () => {
    const home = await place()
    const [old, later] = [
      await sent(guildhall, ada, home.channel, 'old'),
      await sent(guildhall, ada, home.channel, 'later'),
    ]
    for (const id of [old, later]) await pin(ada, home.channel, id)
    await letEveryone(guildhall, ada, home, home.channel, { deny: ['READ_MESSAGE_HISTORY'] })
    expect(await pageOf(brian, home.channel)).toStrictEqual({ items: [], has_more: false })
    const read = await guildhall.request('GET', messagesPath(home.channel, later), { token: ada.token })
    await settle(guildhall, home, { messageHistoryCutoff: bodyOf(read)['timestamp'] as never })
    expect(idsIn(await pageOf(brian, home.channel))).toStrictEqual([later])
  })

  it('is refused where the messages are', async () => {
    const home = await place()
    expectRefusal(await pinsOf(carol, home.channel), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await pinsOf(brian, '1'), 404, 'UNKNOWN_CHANNEL')
    await letEveryone(guildhall, ada, home, home.channel, { deny: ['VIEW_CHANNEL'] })
    expectRefusal(await pinsOf(brian, home.channel), 403, 'MISSING_PERMISSIONS')
  })
})

describe('Pin and Unpin message are refused', () => {
  it('without PIN_MESSAGES, while writing is turned off, for no message and for a system message, in this order', async () => {
    const home = await place()
    const message = await sent(guildhall, brian, home.channel, 'the rules')
    await pin(ada, home.channel, message)
    const [notice] = listOf(await guildhall.request('GET', messagesPath(home.channel), { token: ada.token }))
    await settle(guildhall, home, { disabledOperations: disabledOperationBits.SEND_MESSAGE })
    for (const act of [pin, unpin]) {
      expectRefusal(await act(brian, home.channel, '1'), 403, 'MISSING_PERMISSIONS')
      expectRefusal(await act(ada, home.channel, '1'), 403, 'FEATURE_TEMPORARILY_DISABLED')
    }
    await settle(guildhall, home, { disabledOperations: 0 })
    await letEveryone(guildhall, ada, home, home.channel, { allow: ['PIN_MESSAGES'] })
    for (const act of [pin, unpin]) {
      expectRefusal(await act(brian, home.channel, '1'), 404, 'UNKNOWN_MESSAGE')
      expectRefusal(await act(brian, home.channel, String(notice?.['id'])), 400, 'CANNOT_MODIFY_SYSTEM_WEBHOOK')
      expect((await act(brian, home.channel, message)).status).toBe(204)
    }
    const own = await sent(guildhall, ada, home.channel, 'of Ada')
    await letEveryone(guildhall, ada, home, home.channel, { allow: ['PIN_MESSAGES'], deny: ['READ_MESSAGE_HISTORY'] })
    expectRefusal(await pin(brian, home.channel, own), 404, 'UNKNOWN_MESSAGE')
    expectRefusal(await pin(carol, home.channel, own), 403, 'MISSING_PERMISSIONS')
  })

  it('in a direct message to whom one may not write; recipients may pin there', async () => {
    const [one, other] = [await guildhall.register(), await guildhall.register()]
    await befriend(guildhall, one, other)
    const direct = await openDirect(guildhall, one, other)
    const message = await sent(guildhall, one, direct, 'dinner at eight')
    const { client } = await connect(guildhall, one)
    expect((await pin(other, direct, message)).status).toBe(204)
    expect((await client.dispatch('CHANNEL_PINS_UPDATE')).d).toStrictEqual({
      channel_id: direct,
      last_pin_timestamp: expect.any(String),
    })
    expect(idsIn(await pageOf(one, direct))).toStrictEqual([message])
    bodyOf(await relationsOn(guildhall).block(one, other))
    expectRefusal(await unpin(other, direct, message), 400, 'CANNOT_SEND_MESSAGES_TO_USER')
    expectRefusal(await pin(carol, direct, message), 404, 'UNKNOWN_CHANNEL')
    const note = await sent(guildhall, one, one.id, 'to do')
    expect((await pin(one, one.id, note)).status).toBe(204)
    expect(idsIn(await pageOf(one, one.id))).toStrictEqual([note])
  })
})
