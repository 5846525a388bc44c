import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import {
  postMissedMessages,
  raisesSystemMessages,
} from '../../../../application/conversations/messages/system/post-missed-messages.ts'
import { accountId, channelId, guildId } from '../../../../domain/ids/ids.ts'
import { composeSnowflake, snowflake } from '../../../../domain/ids/snowflake.ts'
import type { PrivateChannelCommand } from '../../../../domain/private-channel/commands.ts'
import type { ThreadCommand } from '../../../../domain/thread/commands.ts'
import { testContext } from '../../../support/test-context.ts'
import { laidDatabase } from '../../../support/test-database.ts'
import { startTestGuildhall, type TestAccount } from '../../../support/test-guildhall.ts'
import { circle, openGroup, privateChannelsOn, saidIn } from '../private-channels/support.ts'
import { accept, bodyOf, found, invite, listOf, type TestGuild } from '../../support/answers.ts'
import { addBot, newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { messagesPath, sent, settle } from '../../support/messages.ts'
import { threadsOf } from '../../support/threads.ts'
import { openServer } from '../../support/scene.ts'

const { connect, end } = connections()

const guildhall = await openServer({})
const ada = await guildhall.register()
afterAll(end)

const read = async (channel: string) =>
  listOf(await guildhall.request('GET', `${messagesPath(channel)}?limit=100`, { token: ada.token }))
const welcomed = async (channel: string) =>
  (await read(channel)).map(({ type, author }) => [type, (author as { readonly id: string }).id])

async function join(guild: TestGuild): Promise<TestAccount> {
  const account = await guildhall.register()
  const answer = await accept(guildhall, account, await invite(guildhall, ada, guild.channel))
  expect(answer.status).toBe(200)
  return account
}

describe('a join system message', () => {
  it('is posted once for each new member, and not for a guild’s founder', async () => {
    const guild = await found(guildhall, ada)
    const brian = await join(guild)
    const carol = await join(guild)
    const expected = [
      [7, carol.id],
      [7, brian.id],
    ]
    await expect.poll(() => welcomed(guild.channel)).toStrictEqual(expected)
    const [message] = await read(guild.channel)
    expect(message).toMatchObject({ content: '', flags: 0, mentions: [], edited_timestamp: null })
  })

  it('is posted for bots that are added', async () => {
    const guild = await found(guildhall, ada)
    const bot = await newApplication(guildhall, ada)
    await addBot(guildhall, bot, guild)
    await expect.poll(() => welcomed(guild.channel)).toStrictEqual([[7, bot.id]])
  })

  it('is not posted with SUPPRESS_JOIN_NOTIFICATIONS, nor without a system channel', async () => {
    const guild = await found(guildhall, ada)
    await settle(guildhall, guild, { systemChannelFlags: 1 })
    await join(guild)
    await settle(guildhall, guild, { systemChannelFlags: 0, systemChannelId: null })
    await join(guild)
    await settle(guildhall, guild, { systemChannelId: channelId(snowflake(guild.channel)) })
    const last = await join(guild)
    // Joins are announced in order: the first two have been skipped by now.
    await expect.poll(() => welcomed(guild.channel)).toStrictEqual([[7, last.id]])
  })

  it('exists once if a dead process had posted it already, and not again if it was deleted since', async () => {
    const guild = await found(guildhall, ada)
    const brian = await join(guild)
    const carol = await join(guild)
    await expect.poll(() => welcomed(guild.channel)).toHaveLength(2)
    const [newest] = await read(guild.channel)
    const path = messagesPath(guild.channel, String(newest?.['id']))
    expect((await guildhall.request('DELETE', path, { token: carol.token })).status).toBe(204)
    await followAnew()
    expect(await welcomed(guild.channel)).toStrictEqual([[7, brian.id]])
  })

  it('is posted by the next worker if none was running', async () => {
    const { connection, close } = await laidDatabase()
    const shared = { connection, personalDataKey: randomBytes(32) }
    const before = await startTestGuildhall(shared)
    const owner = await before.register()
    const guild = await found(before, owner)
    await before.close()
    const without = await startTestGuildhall({ ...shared, roles: ['api', 'projector', 'gateway'] })
    const brian = await without.register()
    await accept(without, brian, await invite(without, owner, guild.channel))
    await without.close()
    const after = await startTestGuildhall(shared)
    const options = { token: owner.token }
    const messages = async () => listOf(await after.request('GET', messagesPath(guild.channel), options))
    await expect.poll(messages).toMatchObject([{ type: 7, author: { id: brian.id } }])
    await after.close()
    await close()
  })

  it('is sent after Guild Member Add, and to the new member after Guild Create', async () => {
    const guild = await found(guildhall, ada)
    const owner = await connect(guildhall, ada)
    const brian = await guildhall.register()
    const joiner = await connect(guildhall, brian)
    await accept(guildhall, brian, await invite(guildhall, ada, guild.channel))
    const told = async ({ client }: typeof owner) => {
      const names: string[] = []
      for (;;) {
        const { t, d } = await client.dispatch('MESSAGE_CREATE')
        names.push(String(t))
        if (d['type'] === 7 && d['channel_id'] === guild.channel) break
      }
      const all = client.dispatches.map(({ t }) => String(t))
      return all.filter((name) => /^(?:GUILD_MEMBER_ADD|GUILD_CREATE|MESSAGE_CREATE)$/.test(name))
    }
    expect(await told(owner)).toStrictEqual(['GUILD_MEMBER_ADD', 'MESSAGE_CREATE'])
    expect(await told(joiner)).toStrictEqual(['GUILD_CREATE', 'MESSAGE_CREATE'])
  })
})

/** Follows the whole history again, as after a death before the checkpoint was written. */
async function followAnew(): Promise<void> {
  const post = postMissedMessages(guildhall.ports)
  for await (const page of guildhall.store.events.readAll(-1n))
    for (const event of page.filter(raisesSystemMessages)) await post(event)
}

describe('a system message of a group', () => {
  const idOf = (account: TestAccount) => accountId(snowflake(account.id))
  const act = async (channel: string, command: PrivateChannelCommand) => {
    const id = channelId(snowflake(channel))
    await guildhall.ports.aggregates.privateChannel.execute(id, command, testContext())
  }

  it('is posted by a worker if the process died that caused it', async () => {
    const [owner, one, other] = [await guildhall.register(), await guildhall.register(), await guildhall.register()]
    const channel = String(BigInt(owner.id) + 1n)
    const [by, changeId] = [idOf(owner), 'request']
    const icon = '0123456789abcdef0123456789abcdef'
    const group = { channelId: channelId(snowflake(channel)), ownerId: by, recipients_max: 9, now: testContext().now }
    await act(channel, { type: 'CreateGroup', ...group, others: [idOf(one)] })
    const said = async () => (await saidIn(guildhall, owner, channel)).toReversed()
    const expected: object[] = []
    const tells = async (message: object) => {
      expected.push({ author: owner.id, mentions: [], content: '', ...message })
      await expect.poll(said).toStrictEqual(expected)
    }
    await tells({ type: 1, mentions: [one.id] })
    await act(channel, { type: 'AddRecipient', accountId: idOf(other), by, recipients_max: 9 })
    await tells({ type: 1, mentions: [other.id] })
    await act(channel, { type: 'ChangeGroup', by, changeId, name: 'Engine room' })
    await tells({ type: 4, content: 'Engine room' })
    await act(channel, { type: 'ChangeGroup', by, changeId: 'another', icon })
    await tells({ type: 5, content: icon })
    await act(channel, { type: 'RemoveRecipient', accountId: idOf(one), by, lot: 0, silent: true })
    await act(channel, { type: 'RemoveRecipient', accountId: idOf(other), by: idOf(other), lot: 0 })
    await tells({ type: 2, author: other.id, mentions: [other.id] })
    await followAnew()
    expect(await said()).toStrictEqual(expected)
  })

  it('exists once if it was posted before the answer', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const on = privateChannelsOn(guildhall)
    const channel = await openGroup(guildhall, owner, one)
    bodyOf(await on.change(owner, channel, { name: 'Engine room' }))
    const told = await saidIn(guildhall, owner, channel)
    expect(told.map(({ type }) => type)).toStrictEqual([4, 1])
    await followAnew()
    expect(await saidIn(guildhall, owner, channel)).toStrictEqual(told)
  })
})

describe('a system message of a thread', () => {
  it('is posted by a worker if the process died that caused it', async () => {
    const guild = await found(guildhall, ada)
    const brian = await join(guild)
    const [by, friend] = [accountId(snowflake(ada.id)), accountId(snowflake(brian.id))]
    const threads = threadsOf(guildhall)
    const inThread = async (channel: string) =>
      listOf(await threads.read(ada, channel))
        .filter(({ type }) => type !== 7)
        .map(({ type, content, author, mentions }) => ({ type, content, author, mentions }))
        .toReversed()
    const threadId = channelId(composeSnowflake(Date.now(), 0))
    const place = { threadId, guildId: guildId(snowflake(guild.id)), parentId: channelId(snowflake(guild.channel)) }
    const { now } = testContext()
    const settings = {
      name: 'Chatter',
      autoArchiveDuration: 60,
      rateLimitPerUser: 0,
      flags: 0,
      appliedTags: [],
    } as const
    const thread = { ...place, ...settings, threadType: 11, invitable: null, ownerId: by, starterId: null } as const
    const act = async (command: ThreadCommand) => {
      const actor = { kind: 'account', id: by } as const
      await guildhall.ports.aggregates.thread.execute(threadId, command, testContext(actor))
    }
    await act({ type: 'StartThread', thread: { ...thread, createdAt: now } })
    const author = expect.objectContaining({ id: ada.id }) as unknown
    const started = { type: 18, content: 'Chatter', author, mentions: [] }
    await expect.poll(() => inThread(guild.channel)).toStrictEqual([started])
    const mentions = [expect.objectContaining({ id: brian.id })]
    const told: object[] = []
    // One after another: messages about changes of the same millisecond have no order.
    const tells = async (command: ThreadCommand, message: object) => {
      await act(command)
      told.push({ author, ...message })
      await expect.poll(() => inThread(threadId)).toStrictEqual(told)
    }
    const changes = { name: 'Plans', rateLimitPerUser: 5 }
    await tells(
      { type: 'AddThreadMember', accountId: friend, by, asModerator: true, now },
      { type: 1, content: '', mentions },
    )
    await tells({ type: 'ChangeThread', asModerator: true, changes, now }, { type: 4, content: 'Plans', mentions: [] })
    await tells({ type: 'RemoveThreadMember', accountId: friend, by }, { type: 2, content: '', mentions })
    await followAnew()
    expect([await inThread(guild.channel), await inThread(threadId)]).toStrictEqual([[started], told])
  })

  it('is not posted again once it was deleted at its author’s request', async () => {
    const guild = await found(guildhall, ada)
    const brian = await join(guild)
    const threads = threadsOf(guildhall)
    const thread = await threads.started(brian, guild.channel)
    bodyOf(await threads.change(brian, thread, { name: 'Plans' }))
    const path = `/v1/users/@me/guilds/${guild.id}/messages/bulk-delete-mine`
    const body = { password: brian.password }
    expect((await guildhall.request('POST', path, { token: brian.token, body })).status).toBe(202)
    await followAnew()
    for (const channel of [guild.channel, thread])
      expect(listOf(await threads.read(ada, channel)).filter(({ type }) => type !== 7)).toStrictEqual([])
  })
})

describe("messages that are deleted at their author's request", () => {
  it('are announced in batches of at most 100, each in its channel', async () => {
    const guild = await found(guildhall, ada)
    const brian = await join(guild)
    const ids: string[] = []
    for (let number = 0; number < 104; number += 1) ids.push(await sent(guildhall, brian, guild.channel, `${number}`))
    const { client } = await connect(guildhall, ada)
    const path = `/v1/users/@me/guilds/${guild.id}/messages/bulk-delete-mine`
    const body = { password: brian.password }
    expect((await guildhall.request('POST', path, { token: brian.token, body })).status).toBe(202)
    const told: string[] = []
    while (told.length < ids.length) {
      const { d } = await client.dispatch('MESSAGE_DELETE_BULK')
      expect(d).toMatchObject({ channel_id: guild.channel, guild_id: guild.id })
      const batch = d['ids'] as readonly string[]
      expect(batch.length).toBeLessThanOrEqual(100)
      told.push(...batch)
    }
    expect(told).toEqual(expect.arrayContaining(ids))
    expect(await welcomed(guild.channel)).toStrictEqual([])
  })
})
