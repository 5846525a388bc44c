import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { deliverForgotten } from '../../../../application/communities/announcements/deliver-copies.ts'
import { followSources } from '../../../../application/communities/announcements/follow-sources.ts'
import { accountId, backgroundJobId, channelId, guildId, messageId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import { administrator } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectRefusal, found, listOf } from '../../support/answers.ts'
import { madeSticker } from '../../support/expressions.ts'
import { setFeatures } from '../../support/guilds.ts'
import { placeOf, type Place } from '../../support/members.ts'
import { openServer } from '../../support/scene.ts'
import { formOf } from '../../support/webhooks.ts'

const guildhall = await openServer()
const ada = await guildhall.register()

/** Ada's guild with an announcement channel, and another one of hers, which follows; every test has its own. */
let home: Place
let news: string
let away: { readonly id: string; readonly channel: string }
beforeEach(async () => {
  home = await placeOf(guildhall, ada)
  news = await newChannel(home, 5, 'news')
  away = await found(guildhall, ada, 'Away')
})

const send = (account: TestAccount, method: string, path: string, body?: unknown) =>
  guildhall.request(method, `/v1${path}`, { token: account.token, ...(body === undefined ? {} : { body }) })
const newChannel = async ({ id }: { readonly id: string }, type: number, name: string) =>
  String(bodyOf(await send(ada, 'POST', `/guilds/${id}/channels`, { type, name }))['id'])
const follow = (account = ada, target = away.channel, source = news) =>
  send(account, 'POST', `/channels/${source}/followers`, { webhook_channel_id: target })
const say = async (content: string, account = ada) =>
  String(bodyOf(await send(account, 'POST', `/channels/${news}/messages`, { content }))['id'])
const publish = (id: string, account = ada, channel = news) =>
  send(account, 'POST', `/channels/${channel}/messages/${id}/crosspost`)
const messagesIn = async (channel: string, type = 0) =>
  listOf(await send(ada, 'GET', `/channels/${channel}/messages`)).filter((message) => message['type'] === type)
/** What a worker does every so often. */
const followed = () => followSources(guildhall.ports)(timestamp(Date.now()))
/** Who hears what happens in the announcement channel. */
const hearing = () => ({
  channelId: channelId(snowflake(news)),
  channelType: 5,
  guildId: guildId(snowflake(home.id)),
  parentId: null,
  recipients: null,
})
const copiesIn = async (channel: string, count: number) => {
  await expect.poll(async () => (await messagesIn(channel)).length).toBe(count)
  return messagesIn(channel)
}

describe('Follow announcement channel', () => {
  it('makes a follower webhook, says so in the channel, and counts it', async () => {
    const { channel_id: source, webhook_id: id } = bodyOf(await follow())
    expect(source).toBe(news)
    const webhook = bodyOf(await send(ada, 'GET', `/webhooks/${String(id)}`))
    expect(webhook).toMatchObject({
      id,
      type: 2,
      name: 'Home #news',
      channel_id: away.channel,
      source_guild: { id: home.id, name: 'Home', icon: null },
      source_channel: { id: news, name: 'news' },
    })
    expect(webhook).not.toHaveProperty('token')
    const [said] = await messagesIn(away.channel, 12)
    expect(said).toMatchObject({ author: { id: ada.id }, content: 'Home #news' })
    expect(said?.['message_reference']).toStrictEqual({ channel_id: news, guild_id: home.id, type: 0 })
    expect(bodyOf(await send(ada, 'GET', `/channels/${news}/follower-stats`))).toStrictEqual({
      channel_count: 1,
      guild_count: 1,
    })
    expect((await send(ada, 'DELETE', `/webhooks/${String(id)}`)).status).toBe(204)
    expect((await follow()).status).toBe(200)
  })

  it('is done once, however many ask at the same time', async () => {
    const answers = await Promise.all([follow(), follow(), follow()])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectRefusal(answer, 400, 'CHANNEL_ALREADY_FOLLOWED')
  })

  it('keeps the channel from becoming one that is followed', async () => {
    await follow()
    const become = () => send(ada, 'PATCH', `/channels/${away.channel}`, { type: 5 })
    expectRefusal(await become(), 400, 'CHANNEL_HAS_FOLLOWED_CHANNELS')
    const [webhook] = listOf(await send(ada, 'GET', `/channels/${away.channel}/webhooks`))
    expect((await send(ada, 'DELETE', `/webhooks/${String(webhook?.['id'])}`)).status).toBe(204)
    expect((await become()).status).toBe(200)
  })

  it('refuses in its order', async () => {
    const stranger = await guildhall.register()
    expectRefusal(await follow(stranger), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await follow(ada, away.channel, home.channel), 400, 'ANNOUNCEMENT_CHANNEL_REQUIRED')
    await setFeatures(guildhall, home.id, 'ANNOUNCEMENT_CHANNELS_DISABLED')
    expectRefusal(await follow(ada, '1'), 403, 'FEATURE_TEMPORARILY_DISABLED')
    await setFeatures(guildhall, home.id)
    expectRefusal(await follow(ada, '1'), 404, 'UNKNOWN_CHANNEL')
    for (const type of [2, 5])
      expectRefusal(await follow(ada, await newChannel(away, type, 'other')), 400, 'INVALID_FOLLOW_TARGET_CHANNEL')
    expectRefusal(await follow(await home.member(), home.channel), 403, 'MISSING_PERMISSIONS')
    await send(ada, 'PATCH', `/channels/${news}`, { content_warning_level: 1 })
    expectRefusal(await follow(), 400, 'FOLLOW_TARGET_CONTENT_WARNING_REQUIRED')
  })
})

describe('Crosspost message', () => {
  it('copies the message into each channel that follows, once, and mentions nobody there', async () => {
    const { webhook_id: follower } = bodyOf(await follow())
    const id = await say('hello @everyone')
    expect(bodyOf(await publish(id))).toMatchObject({ id, flags: 1, edited_timestamp: null })
    const [copy] = await copiesIn(away.channel, 1)
    expect(copy).toMatchObject({
      content: 'hello @everyone',
      mention_everyone: false,
      flags: 2,
      webhook_id: follower,
      author: { id: follower, username: 'Home #news', bot: true },
      message_reference: { channel_id: news, guild_id: home.id, message_id: id, type: 0 },
    })
    expectRefusal(await publish(id), 400, 'MESSAGE_ALREADY_CROSSPOSTED')
    expectRefusal(await publish(String(copy?.['id']), ada, away.channel), 400, 'ANNOUNCEMENT_CHANNEL_REQUIRED')
  })

  it('gives a copy files of its own', async () => {
    await follow()
    const body = formOf({ content: 'plans' }, ['plan.txt', 'the plan'])
    const sent = await fetch(`${guildhall.url}/v1/channels/${news}/messages`, {
      method: 'POST',
      headers: { authorization: ada.token },
      body,
    })
    const { id } = (await sent.json()) as { readonly id: string }
    expect((await publish(id)).status).toBe(200)
    const [copy] = await copiesIn(away.channel, 1)
    const [file] = (copy?.['attachments'] ?? []) as readonly { readonly url: string }[]
    expect(await (await fetch(String(file?.url))).text()).toBe('the plan')
  })

  it('is refused for a message with a file that an operator has listed', async () => {
    const headers = { authorization: ada.token }
    const body = formOf({ content: 'plans' }, ['plan.txt', 'a listed plan'])
    const sent = await fetch(`${guildhall.url}/v1/channels/${news}/messages`, { method: 'POST', headers, body })
    const { id } = (await sent.json()) as { readonly id: string }
    const admin = await administrator(guildhall, '*')
    const sha256_hex = createHash('sha256').update('a listed plan').digest('hex')
    expect((await send(admin, 'POST', '/admin/blocklists/file-sha/entries', { sha256_hex })).status).toBe(204)
    expectRefusal(await publish(id), 403, 'CONTENT_BLOCKED')
  })

  it('is told by copies that follow what becomes of the message', async () => {
    await follow()
    const id = await say('one')
    await publish(id)
    await copiesIn(away.channel, 1)
    expect((await send(ada, 'PATCH', `/channels/${news}/messages/${id}`, { content: 'two' })).status).toBe(200)
    await followed()
    expect(await messagesIn(away.channel)).toMatchObject([{ content: 'two', flags: 2 }])
    expect((await send(ada, 'DELETE', `/channels/${news}/messages/${id}`)).status).toBe(204)
    await followed()
    expect(await messagesIn(away.channel)).toMatchObject([{ content: '[Original message deleted]', flags: 10 }])
  })

  it('leaves nothing of a deleted message in its copies but that there was one', async () => {
    await follow()
    const stickers = [await madeSticker(guildhall, ada, home.id)]
    const body = { content: 'one', sticker_ids: stickers, embeds: [{ title: 'box' }], flags: 4 | 4096 }
    const id = String(bodyOf(await send(ada, 'POST', `/channels/${news}/messages`, body))['id'])
    await publish(id)
    expect(await copiesIn(away.channel, 1)).toMatchObject([{ content: 'one', stickers: [{ id: stickers[0] }] }])
    expect((await send(ada, 'DELETE', `/channels/${news}/messages/${id}`)).status).toBe(204)
    await followed()
    expect(await messagesIn(away.channel)).toMatchObject([{ flags: 10, stickers: [], embeds: [], attachments: [] }])
  })

  it('leaves copies as they are while the guild has it switched off', async () => {
    await follow()
    const id = await say('one')
    await publish(id)
    await copiesIn(away.channel, 1)
    await setFeatures(guildhall, home.id, 'ANNOUNCEMENT_CHANNELS_DISABLED')
    expectRefusal(await publish(await say('two')), 403, 'FEATURE_TEMPORARILY_DISABLED')
    await send(ada, 'PATCH', `/channels/${news}/messages/${id}`, { content: 'changed' })
    await followed()
    expect(await messagesIn(away.channel)).toMatchObject([{ content: 'one' }])
  })

  it('is for authors who may write there, and for holders of MANAGE_MESSAGES', async () => {
    const member = await home.member()
    const own = await say('mine', member)
    const adas = await say('hers')
    expectRefusal(await publish(adas, member), 403, 'MISSING_PERMISSIONS')
    expect((await publish(own, member)).status).toBe(200)
    expect((await publish(adas, await home.holder('MANAGE_MESSAGES'))).status).toBe(200)
    expectRefusal(await publish('1'), 404, 'UNKNOWN_MESSAGE')
    const reply = { content: 'x', message_reference: { message_id: own } }
    const { id } = bodyOf(await send(ada, 'POST', `/channels/${news}/messages`, reply))
    expectRefusal(await publish(String(id)), 400, 'MESSAGE_NOT_CROSSPOSTABLE')
  })

  it('copies a message whose process died as it had the flag', async () => {
    await follow()
    const id = messageId(snowflake(await say('one')))
    await guildhall.ports.messages.edit(id, { flags: 1, flagsMask: 1 }, hearing())
    await Promise.all([deliverForgotten(guildhall.ports)(), deliverForgotten(guildhall.ports)()])
    expect(await messagesIn(away.channel)).toMatchObject([{ content: 'one', flags: 2 }])
    expect(await guildhall.ports.copies.publication(id)).toBeUndefined()
  })

  it('takes the copies of a message along that an administrator removes', async () => {
    await follow()
    const id = await say('one')
    await publish(id)
    await copiesIn(away.channel, 1)
    await setFeatures(guildhall, home.id, 'ANNOUNCEMENT_CHANNELS_DISABLED')
    await guildhall.ports.authorMessages.shred({
      jobId: backgroundJobId(snowflake('1')),
      authorId: accountId(snowflake(ada.id)),
      channelId: channelId(snowflake(news)),
      ids: [messageId(snowflake(id))],
      audience: hearing(),
    })
    await followed()
    expect(await messagesIn(away.channel)).toStrictEqual([])
  })

  it('publishes a message once, however many ask at the same time', async () => {
    await follow()
    const id = await say('once')
    const answers = await Promise.all([publish(id), publish(id), publish(id)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    await copiesIn(away.channel, 1)
  })
})
