import { afterEach, describe, expect, it } from 'vitest'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, found, invite } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { guildsOf } from '../../support/guilds.ts'
import { readStatesIn, readStatesOn } from '../../support/read-states.ts'
import { befriend } from '../../support/relationships.ts'
import { foundWith, openScene, openServer } from '../../support/scene.ts'
import { threadsHeader } from '../../support/threads.ts'
import { openGroup, privateChannelsOn } from '../private-channels/support.ts'

const { guildhall, ada, brian, carol } = await openScene({})
const small = await openServer({
  limits: { max_guilds: 1, max_guild_channels: 5, max_private_channels_per_user: 1 },
})
const { connect, end } = connections()
afterEach(end)
const { ack, ackAll, ackBulk, clear } = readStatesOn(guildhall)
const rows = async (text: string, ...values: readonly unknown[]) =>
  (await guildhall.store.database.pool.query(text, [...values])).rows
const keptOf = async ({ id }: TestAccount) =>
  (await rows('select channel_id::text from messages.read_states where account_id = $1 order by channel_id', id)).map(
    ({ channel_id }) => String(channel_id),
  )
const inReady = async (account: TestAccount) => Object.keys(readStatesIn((await connect(guildhall, account)).ready))
const age = (account: TestAccount, channel: string) =>
  rows(
    "update messages.read_states set counted_from = now() - interval '31 days' where account_id = $1 and channel_id = $2",
    account.id,
    channel,
  )

describe('acknowledging what is out of sight', () => {
  it('is answered and told as everywhere, and keeps nothing', async () => {
    const stranger = await guildhall.register()
    const { channel } = await foundWith(guildhall, ada, brian)
    const { client } = await connect(guildhall, stranger)
    expect((await ack(stranger, channel, '5', { mention_count: 2 })).status).toBe(204)
    expect((await client.dispatch('MESSAGE_ACK')).d).toMatchObject({
      channel_id: channel,
      message_id: '5',
      mention_count: 2,
      manual: false,
    })
    expect(await ackAll(stranger, [{ channel_id: '77', message_id: '5', manual: true }])).toMatchObject({
      status: 200,
      body: { read_states: [{ id: '77', last_message_id: '5', mention_count: 0, last_pin_timestamp: null }] },
    })
    expect((await clear(stranger, channel)).status).toBe(204)
    expect((await clear(stranger, '78')).status).toBe(204)
    expect(await keptOf(stranger)).toStrictEqual([])
    expect(await inReady(stranger)).toStrictEqual([])
  })

  it('of hundreds of channels at once keeps those alone that the account sees', async () => {
    const reader = await guildhall.register()
    const { channel } = await foundWith(guildhall, ada, reader)
    const bulks = Array.from({ length: 8 }, (_, bulk) =>
      ackBulk(reader, [
        ...Array.from({ length: 99 }, (__, index) => ({
          channel_id: String(1000 + bulk * 99 + index),
          message_id: '9',
        })),
        { channel_id: channel, message_id: String(10 + bulk) },
      ]),
    )
    const singles = Array.from({ length: 40 }, (_, index) => ack(reader, String(5000 + index), '9'))
    const answers = await Promise.all([...bulks, ...singles])
    expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([204]))
    expect(await keptOf(reader)).toStrictEqual([channel])
    expect(readStatesIn((await connect(guildhall, reader)).ready)).toMatchObject({
      [channel]: { last_message_id: '17' },
    })
  })

  it('still moves the read state of a channel that the account has seen before', async () => {
    const reader = await guildhall.register()
    const { id, channel } = await foundWith(guildhall, ada, reader)
    await ack(reader, channel, '5')
    const hidden = { permission_overwrites: [{ id, type: 0, allow: '0', deny: String(1n << 10n) }] }
    bodyOf(await guildhall.request('PATCH', `/v1/channels/${channel}`, { token: ada.token, body: hidden }))
    expect((await ack(reader, channel, '8')).status).toBe(204)
    expect(readStatesIn((await connect(guildhall, reader)).ready)).toMatchObject({
      [channel]: { last_message_id: '8' },
    })
  })
})

describe('read states of what the account has left', () => {
  it('are not in READY, come back with the guild, and go 30 days after their last move', async () => {
    const leaver = await guildhall.register()
    const [{ id, channel }, other] = [await foundWith(guildhall, ada, leaver), await foundWith(guildhall, ada, leaver)]
    const body = { name: 'Chatter', type: 11 }
    const headers = threadsHeader
    const started = await guildhall.request('POST', `/v1/channels/${channel}/threads`, {
      token: ada.token,
      body,
      headers,
    })
    const thread = String(bodyOf(started)['id'])
    const path = `/v1/channels/${thread}/messages/9/ack`
    expect((await guildhall.request('POST', path, { token: leaver.token, headers })).status).toBe(204)
    for (const place of [channel, other.channel]) await ack(leaver, place, '9')
    const withThreads = async () => Object.keys(readStatesIn((await connect(guildhall, leaver, { flags: 4 })).ready))
    expect(await withThreads()).toStrictEqual([channel, other.channel, thread])
    await guildsOf(guildhall).leave(leaver, id)
    expect(await withThreads()).toStrictEqual([other.channel])
    expect(await keptOf(leaver)).toHaveLength(3)
    bodyOf(await accept(guildhall, leaver, await invite(guildhall, ada, channel)))
    expect(await withThreads()).toStrictEqual([channel, other.channel, thread])
    await guildsOf(guildhall).leave(leaver, id)
    for (const place of [channel, other.channel, thread]) await age(leaver, place)
    expect(await withThreads()).toStrictEqual([other.channel])
    expect(await keptOf(leaver)).toStrictEqual([other.channel])
  })

  it('stay with a direct message that is closed, and go with a group', async () => {
    const [one, two] = [await guildhall.register(), await guildhall.register()]
    for (const friend of [one, two]) await befriend(guildhall, carol, friend)
    const { create, close } = privateChannelsOn(guildhall)
    const direct = String(bodyOf(await create(carol, { recipient_id: one.id }))['id'])
    const group = await openGroup(guildhall, carol, one, two)
    for (const place of [direct, group, carol.id]) await ack(carol, place, '9')
    for (const place of [direct, group]) await close(carol, place)
    for (const place of [direct, group, carol.id]) await age(carol, place)
    expect((await inReady(carol)).toSorted()).toStrictEqual([carol.id, direct].toSorted())
    expect((await keptOf(carol)).toSorted()).toStrictEqual([carol.id, direct].toSorted())
  })

  it('go with their channel and their guild', async () => {
    const { id, channel } = await foundWith(guildhall, ada, brian)
    const made = await guildhall.request('POST', `/v1/guilds/${id}/channels`, {
      token: ada.token,
      body: { name: 'x', type: 0 },
    })
    const second = String(bodyOf(made)['id'])
    for (const place of [channel, second]) await ack(brian, place, '9')
    await guildhall.request('DELETE', `/v1/channels/${second}`, { token: ada.token })
    await expect.poll(() => keptOf(brian)).not.toContain(second)
    await guildsOf(guildhall).remove(ada, id)
    await expect.poll(() => keptOf(brian)).not.toContain(channel)
  })
})

describe('the number of read states', () => {
  it('ends at what an account may see at once: those go that were moved longest ago, however many come at once', async () => {
    const reads = readStatesOn(small)
    const owner = await small.register()
    const { channel } = await found(small, owner)
    const kept = async () =>
      (await small.store.database.pool.query('select channel_id::text from messages.read_states')).rows
        .map(({ channel_id }) => String(channel_id))
        .toSorted()
    const started = Array.from({ length: 12 }, (_, index) =>
      small.request('POST', `/v1/channels/${channel}/threads`, {
        token: owner.token,
        body: { name: `Thread ${index}`, type: 11 },
        headers: threadsHeader,
      }),
    )
    const threads = (await Promise.all(started)).map((answer) => String(bodyOf(answer)['id']))
    const ackThread = (thread: string) =>
      small.request('POST', `/v1/channels/${thread}/messages/9/ack`, { token: owner.token, headers: threadsHeader })
    for (const thread of threads.slice(0, 6)) await ackThread(thread)
    expect(await kept()).toStrictEqual(threads.slice(0, 6).toSorted())
    // The first one moves, so the second one is the oldest.
    await ackThread(String(threads[0]))
    await ackThread(String(threads[6]))
    expect(await kept()).toStrictEqual([threads[0], ...threads.slice(2, 7)].map(String).toSorted())
    const answers = await Promise.all([...threads, ...threads].map(ackThread))
    expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([204]))
    await reads.clear(owner, channel)
    expect(await kept()).toHaveLength(6)
    expect(await kept()).toContain(channel)
  })
})
