import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { openDirect, openGroup } from '../../conversations/private-channels/support.ts'
import { bodyOf, expectFields, expectRefusal, found, type TestGuild } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { writtenBy } from '../../support/message-shreds.ts'
import { letEveryone, messagesPath, sent } from '../../support/messages.ts'
import { befriend } from '../../support/relationships.ts'
import { foundWith, openServer } from '../../support/scene.ts'
import { threadsOf } from '../../support/threads.ts'

const guildhall = await openServer()
const { request, store } = guildhall
const threads = threadsOf(guildhall)
const { connect, end } = connections()
const none = { include_dms: false, include_dms_closed: false, include_group_dms: false, include_guilds: false }
let ada: TestAccount
let brian: TestAccount
let home: TestGuild

beforeEach(async () => {
  ;[ada, brian] = [await guildhall.register(), await guildhall.register()]
  home = await foundWith(guildhall, brian, ada)
})
afterEach(end)

const ask = (filter: object = {}) =>
  request('POST', '/v1/users/@me/messages/bulk-delete-mine', {
    token: ada.token,
    body: { password: ada.password, ...filter },
  })
const left = async () => new Set((await writtenBy(guildhall, ada)).map(({ channel_id: id }) => id))

/** Ada's jobs, oldest first. */
async function jobs(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { rows } = await store.database.pool.query<Readonly<Record<string, unknown>>>(
    `select status, total, done, payload from background_jobs.jobs
    where task = 'delete_filtered_messages' and requested_by = $1 order by job_id`,
    [ada.id],
  )
  return rows
}

/** Asks, and waits until it is done. */
async function deleted(filter: object = {}): Promise<void> {
  expect(await ask(filter)).toMatchObject({ status: 202, body: undefined })
  await expect.poll(async () => (await jobs()).every(({ status }) => status === 'succeeded')).toBe(true)
}

/** The contents of what the service wrote to Ada, oldest first. */
async function told(): Promise<readonly string[]> {
  const channels = bodyOf(await request('GET', '/v1/users/@me/channels', { token: ada.token })) as unknown
  const own = (channels as readonly { id: string; recipients?: readonly { system?: true }[] }[]).find((channel) =>
    channel.recipients?.some(({ system }) => system),
  )
  if (!own) return []
  const messages = bodyOf(await request('GET', messagesPath(own.id), { token: ada.token })) as unknown
  return (messages as readonly { content: string }[]).map(({ content }) => content).toReversed()
}

/** Ada writes in a channel of each kind; the ids of the channels. */
async function everywhere() {
  const [carol, other] = [await guildhall.register(), await found(guildhall, ada, 'Other')]
  const thread = await threads.started(brian, home.channel)
  for (const friend of [brian, carol]) await befriend(guildhall, ada, friend)
  const [open, closed] = [await openDirect(guildhall, ada, brian), await openDirect(guildhall, ada, carol)]
  const group = await openGroup(guildhall, ada, brian)
  const places = { home: home.channel, thread, other: other.channel, open, closed, group, notes: ada.id }
  // The guild and the threads may say that Ada joined.
  for (const place of Object.values(places)) await threads.write(ada, place, 'hers')
  await request('DELETE', `/v1/channels/${closed}`, { token: ada.token })
  return { ...places, otherGuild: other.id }
}

describe('the deletion of own messages by a filter', () => {
  it('deletes the kinds of channels and the guilds that are asked for, and nothing of others', async () => {
    const { home: first, thread, other, open, closed, group, notes, otherGuild } = await everywhere()
    await sent(guildhall, brian, home.channel, 'his')
    const his = await writtenBy(guildhall, brian)
    expect(await left()).toEqual(new Set([first, thread, other, open, closed, group, notes]))
    await deleted({ ...none, include_dms_closed: true, include_group_dms: true })
    expect(await left()).toEqual(new Set([first, thread, other, open, notes]))
    const guilds = { include_guilds: true, guild_filter_mode: 'include_only', included_guild_ids: [otherGuild] }
    await deleted({ ...none, ...guilds, include_dms: true })
    expect(await left()).toEqual(new Set([first, thread]))
    await deleted({ excluded_guild_ids: [home.id] })
    expect(await left()).toEqual(new Set([first, thread]))
    await deleted()
    expect(await left()).toEqual(new Set())
    expect(await writtenBy(guildhall, brian)).toEqual(his)
  })

  it('deletes only what the account can no longer see, if it asks for that', async () => {
    const { home: first, thread, group, ...others } = await everywhere()
    await letEveryone(guildhall, brian, home, home.channel, { deny: ['VIEW_CHANNEL'] })
    await request('DELETE', `/v1/channels/${group}`, { token: ada.token })
    await deleted({ scope: 'inaccessible_only' })
    const { otherGuild: _, ...kept } = others
    expect(await left()).toEqual(new Set(Object.values(kept)))
    for (const gone of [first, thread, group]) expect(await left()).not.toContain(gone)
  })

  it('deletes from a time on, and before another', async () => {
    const ids: string[] = []
    const times: string[] = []
    for (const content of ['first', 'second', 'third']) {
      const made = bodyOf(await request('POST', messagesPath(home.channel), { token: ada.token, body: { content } }))
      ids.push(String(made['id']))
      times.push(String(made['timestamp']))
    }
    const [, second, third] = times
    await deleted({ start_date: second, end_date: third })
    expect((await writtenBy(guildhall, ada)).map(({ id }) => id)).toEqual(expect.arrayContaining([ids[0], ids[2]]))
    expect((await writtenBy(guildhall, ada)).map(({ id }) => id)).not.toContain(ids[1])
  })

  it('leaves what is written after it was asked', async () => {
    await sent(guildhall, ada, home.channel, 'before')
    expect((await ask()).status).toBe(202)
    const later = await sent(guildhall, ada, home.channel, 'later')
    await expect.poll(() => writtenBy(guildhall, ada)).toEqual([{ channel_id: home.channel, id: later }])
  })

  it('tells the viewers by a Message Delete Bulk of at most 100 ids', async () => {
    const ids: string[] = []
    for (let count = 0; count < 101; count += 1) ids.push(await sent(guildhall, ada, home.channel, `${count}`))
    const { client } = await connect(guildhall, brian)
    await deleted({ start_date: new Date(Number((BigInt(ids[0] ?? 0) >> 22n) + 1420070400000n)).toISOString() })
    const batches = [await client.dispatch('MESSAGE_DELETE_BULK'), await client.dispatch('MESSAGE_DELETE_BULK')].map(
      ({ d }) => d as { readonly ids: readonly string[]; readonly channel_id: string },
    )
    expect(batches.map(({ ids: named }) => named.length)).toEqual([100, 1])
    expect(batches.flatMap(({ ids: named }) => named)).toEqual(ids)
  })

  it('ends with one direct message of the service, which opens the channel and cannot be answered', async () => {
    const kept = await writtenBy(guildhall, ada)
    for (const text of ['one', 'two']) await sent(guildhall, ada, home.channel, text)
    const { client } = await connect(guildhall, ada)
    await deleted()
    const { d: channel } = await client.dispatch('CHANNEL_CREATE')
    const service = { id: '0', username: 'System', system: true }
    expect(channel).toMatchObject({ type: 1, recipients: [service] })
    const { d: message } = await client.dispatch('MESSAGE_CREATE')
    const content = `The deletion of your messages is complete. Deleted messages: ${kept.length + 2}.`
    expect(message).toMatchObject({ type: 0, author: service, content })
    expect(await told()).toEqual([content])
    const { channel_id: id } = message as { readonly channel_id: string }
    const answer = await request('POST', messagesPath(id), { token: ada.token, body: { content: 'Thanks' } })
    expectRefusal(answer, 400, 'CANNOT_SEND_MESSAGES_TO_USER')
    await deleted()
    expect(await told()).toEqual([content, 'The deletion of your messages is complete. Deleted messages: 0.'])
  })

  it('deletes each message once, however many ask at the same moment', async () => {
    for (let count = 0; count < 20; count += 1) await sent(guildhall, ada, home.channel, `${count}`)
    const { length } = await writtenBy(guildhall, ada)
    await Promise.all([ask(), ask()])
    await expect.poll(async () => (await told()).length).toBe(2)
    expect((await told()).reduce((sum, text) => sum + Number(/(\d+)\.$/.exec(text)?.[1]), 0)).toBe(length)
  })

  it('is told once, also by a repeated request with the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': `key-${ada.id}` }
    const body = { password: ada.password }
    for (let times = 0; times < 2; times += 1)
      await request('POST', '/v1/users/@me/messages/bulk-delete-mine', { token: ada.token, body, headers })
    await expect.poll(async () => (await jobs()).map(({ status }) => status)).toEqual(['succeeded'])
    expect(await told()).toHaveLength(1)
  })
})

describe('refusals of the deletion by a filter', () => {
  it('needs a session and sudo mode, and begins nothing without', async () => {
    const path = '/v1/users/@me/messages/bulk-delete-mine'
    expectRefusal(await request('POST', path, { token: ada.token, body: {} }), 403, 'SUDO_MODE_REQUIRED')
    expectRefusal(await request('POST', path, { body: {} }), 401, 'UNAUTHORIZED')
    expect(await jobs()).toEqual([])
  })

  it('checks its filter, and begins nothing', async () => {
    const many = Array.from({ length: 501 }, (_, index) => String(index))
    const faults = [
      [{ scope: 'all' }, 'scope'],
      [{ include_dms: 'yes' }, 'include_dms'],
      [{ guild_filter_mode: 'only' }, 'guild_filter_mode'],
      [{ excluded_guild_ids: many }, 'excluded_guild_ids'],
      [{ included_guild_ids: many }, 'included_guild_ids'],
    ] as const
    for (const [filter, path] of faults) expectFields(await ask(filter), field(path, 'INVALID_FORMAT'))
    expectFields(await ask({ included_guild_ids: ['text'] }), field('included_guild_ids.0', 'INVALID_SNOWFLAKE_FORMAT'))
    expectRefusal(await ask({ start_date: 'yesterday' }), 400, 'INVALID_FORM_BODY')
    expectRefusal(await ask({ end_date: 7 }), 400, 'INVALID_FORM_BODY')
    expect(await jobs()).toEqual([])
  })
})
