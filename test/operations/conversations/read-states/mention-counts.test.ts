import { afterEach, describe, expect, it } from 'vitest'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, invite } from '../../support/answers.ts'
import { addBot, asBot, newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { letEveryone, messagesPath, sent } from '../../support/messages.ts'
import { readStatesIn, readStatesOn } from '../../support/read-states.ts'
import { befriend } from '../../support/relationships.ts'
import { openThreads } from '../../support/threads.ts'
import { openDirect, openGroup } from '../private-channels/support.ts'

const { guildhall, ada, brian, home, threads } = await openThreads()
const { connect, end } = connections()
afterEach(end)
const { ack } = readStatesOn(guildhall)
const withThreads = { flags: 4 }

const say = (author: { readonly token: string }, content: string, channel = home.channel) =>
  sent(guildhall, author, channel, content)
const statesOf = async (account: TestAccount, more: object = withThreads) =>
  readStatesIn((await connect(guildhall, account, more)).ready)
/** How many mentions of the account are unread in a channel; undefined where nothing is known of it. */
const countOf = async (account: TestAccount, channel = home.channel, more?: object) =>
  (await statesOf(account, more))[channel]?.['mention_count']

describe('the count of mentions in READY', () => {
  it('has each message once that mentions the account directly, by a role or with everyone, but not its own', async () => {
    const reader = await home.member()
    const role = await home.role()
    await home.give(reader, role)
    const other = await home.role()
    expect(await countOf(reader)).toBeUndefined()
    await say(ada, 'nobody')
    await say(ada, `<@&${other}> and <@${brian.id}>`)
    expect(await countOf(reader)).toBeUndefined()
    await say(ada, `<@${reader.id}>`)
    await say(ada, `<@&${role}>`)
    await say(ada, '@everyone')
    await say(ada, '@here')
    const all = await say(ada, `<@${reader.id}> <@&${role}> @everyone`)
    expect((await statesOf(reader))[home.channel]).toStrictEqual({
      id: home.channel,
      mention_count: 5,
      last_message_id: home.channel,
      last_pin_timestamp: null,
      version: '0',
    })
    expect(await countOf(ada)).toBe(0)
    await ack(reader, home.channel, all)
    expect(await countOf(reader)).toBe(0)
    const answered = await say(reader, 'here I am')
    await sent(guildhall, ada, home.channel, { content: 'fine', message_reference: { message_id: answered } })
    expect(await countOf(reader)).toBe(1)
    await ack(reader, home.channel, answered, { manual: true, mention_count: 4 })
    await say(ada, '@everyone once more')
    expect(await countOf(reader)).toBe(5)
  })

  it('is told with a read state that stays as it is', async () => {
    const reader = await home.member()
    const first = await say(ada, 'one')
    const second = await say(ada, 'two')
    await ack(reader, home.channel, second)
    await say(ada, `<@${reader.id}>`)
    const { client } = await connect(guildhall, reader)
    expect((await ack(reader, home.channel, first)).status).toBe(204)
    expect((await client.dispatch('MESSAGE_ACK')).d).toMatchObject({ message_id: second, mention_count: 1 })
  })

  it('loses a mention with its message, and with its channel', async () => {
    const reader = await home.member()
    const channel = await newChannel()
    const message = await say(ada, '@everyone', channel)
    await say(ada, `<@${reader.id}>`, channel)
    expect(await countOf(reader, channel)).toBe(2)
    await guildhall.request('DELETE', messagesPath(channel, message), { token: ada.token })
    expect(await countOf(reader, channel)).toBe(1)
    await ack(reader, channel, message)
    await guildhall.request('DELETE', `/v1/channels/${channel}`, { token: ada.token })
    expect((await statesOf(reader))[channel]).toBeUndefined()
    const query =
      'select from messages.mentions where channel_id = $1 union all select from messages.read_states where channel_id = $1'
    await expect.poll(async () => (await guildhall.store.database.pool.query(query, [channel])).rows).toStrictEqual([])
  })

  it('begins with the membership', async () => {
    const channel = await newChannel()
    const late = await guildhall.register()
    await say(ada, `@everyone <@${late.id}>`, channel)
    await accept(guildhall, late, await invite(guildhall, ada, home.channel))
    expect(await countOf(late, channel)).toBeUndefined()
    await say(ada, '@everyone', channel)
    expect(await countOf(late, channel)).toBe(1)
    await guildhall.request('DELETE', `/v1/users/@me/guilds/${home.id}`, { token: late.token })
    expect(await statesOf(late)).toStrictEqual({})
  })

  it('has nothing of channels that the account cannot view, until it can', async () => {
    const reader = await home.member()
    const channel = await newChannel()
    await letEveryone(guildhall, ada, home, channel, { deny: ['VIEW_CHANNEL'] })
    await say(ada, `<@${reader.id}> @everyone`, channel)
    expect(await statesOf(reader)).toStrictEqual({})
    await letEveryone(guildhall, ada, home, channel, { allow: ['VIEW_CHANNEL'] })
    expect(await countOf(reader, channel)).toBe(1)
  })

  it('counts what bots say, and what was silent; nothing without allowed mentions or by the server', async () => {
    const reader = await home.member()
    const bot = await newApplication(guildhall, ada)
    await addBot(guildhall, bot, home)
    const { status } = await guildhall.request('POST', messagesPath(home.channel), {
      token: asBot(bot),
      body: { content: `<@${reader.id}>` },
    })
    expect(status).toBe(200)
    await sent(guildhall, ada, home.channel, { content: `<@${reader.id}>`, flags: 4096 })
    await sent(guildhall, ada, home.channel, { content: `<@${reader.id}>`, allowed_mentions: {} })
    expect(await countOf(reader)).toBe(2)
  })

  it('in private channels has direct mentions of their recipients', async () => {
    const [one, other, third] = [await guildhall.register(), await guildhall.register(), await guildhall.register()]
    await befriend(guildhall, one, other)
    await befriend(guildhall, one, third)
    const direct = await openDirect(guildhall, one, other)
    await say(one, `<@${other.id}> @everyone`, direct)
    await say(one, 'without', direct)
    expect(await countOf(other, direct)).toBe(1)
    const group = await openGroup(guildhall, one, other, third)
    expect(await countOf(other, group)).toBeUndefined()
    await say(one, `<@${other.id}>`, group)
    expect([await countOf(other, group), await countOf(third, group)]).toStrictEqual([1, undefined])
    await guildhall.request('DELETE', `/v1/channels/${group}`, { token: other.token })
    expect(await countOf(other, group)).toBeUndefined()
  })
})

describe('the read states of threads', () => {
  it('count mentions for those who may view the thread, and are for sessions that know threads', async () => {
    const [reader, outsider] = [await home.member(), await home.member()]
    const open = await threads.started(ada, home.channel)
    const closed = await threads.started(ada, home.channel, { type: 12 })
    await threads.join(ada, closed, reader.id)
    for (const thread of [open, closed]) await threads.write(ada, thread, `<@${reader.id}> <@${outsider.id}> @everyone`)
    expect(await statesOf(reader)).toMatchObject({
      [open]: { mention_count: 1, last_message_id: open, flags: 2 },
      [closed]: { mention_count: 1, flags: 2 },
    })
    const seen = await statesOf(outsider)
    expect([seen[open]?.['mention_count'], seen[closed]]).toStrictEqual([1, undefined])
    expect(await statesOf(reader, {})).toStrictEqual({})
    const [knowing, plain] = [await connect(guildhall, reader, withThreads), await connect(guildhall, reader)]
    expect((await ack(reader, open, '5')).status).toBe(204)
    expect((await ack(reader, home.channel, '6')).status).toBe(204)
    expect((await plain.client.dispatch('MESSAGE_ACK')).d).toMatchObject({ channel_id: home.channel })
    expect((await knowing.client.dispatch('MESSAGE_ACK')).d).toMatchObject({ channel_id: open })
  })
})

async function newChannel(): Promise<string> {
  const { body } = await home.send(ada, 'POST', '/channels', { name: 'more', type: 0 })
  return String((body as { readonly id: string }).id)
}
