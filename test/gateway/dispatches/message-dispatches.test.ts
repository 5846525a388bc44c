import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { messageTypes } from '../../../domain/messages/message-types.ts'
import { channelId, messageId, type ChannelId } from '../../../domain/ids/ids.ts'
import { composeSnowflake, snowflakeMs } from '../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { chatIn, deny, heardOfMessages, type Chat } from '../support/chat.ts'
import { last, type Client } from '../support/client.ts'
import { joined, rolesChanged, start } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

let stage: Stage
let ada: Account
let grace: Account
let home: Place
let general: Chat
let owner: Client
let member: Client

beforeEach(async () => {
  stage = await openStage()
  ada = stage.account()
  grace = stage.account()
  home = stage.found(ada, { everyone: ['READ_MESSAGE_HISTORY'] })
  stage.happen(joined(home.id, grace.id))
  general = chatIn(stage, home)
  owner = await stage.identify(ada)
  member = await stage.identify(grace)
})
afterEach(async () => {
  expect(stage.errors).toStrictEqual([])
  await stage.end()
})

/** Another channel in which permissions are denied to everyone. */
const another = (...denied: Parameters<typeof deny>[3][]): ChannelId => anotherIn(home, ...denied)

function anotherIn(place: Place, ...denied: Parameters<typeof deny>[3][]): ChannelId {
  const id = channelId(stage.newId())
  const found = stage.models.guilds.get(place.id)
  if (found?.status !== 'active') throw new Error('there is no guild')
  const [plain] = found.channels.filter((channel) => channel.id === place.general)
  stage.happen({
    type: 'ChannelCreated',
    data: { guildId: place.id, founding: false, channel: { ...plain, id, name: 'another', overwrites: [] } },
  })
  if (denied.length > 0) deny(stage, place, id, ...denied)
  return id
}

const heard = (...clients: readonly Client[]) => heardOfMessages(stage, home, ada, ...clients)

describe('a message', () => {
  it('that is sent reaches, as a whole, those who can view the channel, including the author', async () => {
    const first = await general.post(ada, { content: 'first' })
    const reference = { channelId: home.general, messageId: first.id, guildId: home.id }
    const reply = await general.post(
      grace,
      { type: messageTypes.reply, content: 'second', mentions: [ada.id], mentionsHere: true, reference },
      'n1',
    )
    await owner.dispatch('MESSAGE_CREATE')
    const { d } = await owner.dispatch('MESSAGE_CREATE')
    expect(d).toStrictEqual({
      id: reply.id,
      channel_id: home.general,
      author: expect.objectContaining({ id: grace.id }),
      type: 19,
      flags: 0,
      content: 'second',
      timestamp: expect.stringMatching(/Z$/),
      edited_timestamp: null,
      pinned: false,
      mention_everyone: false,
      tts: false,
      mentions: [expect.objectContaining({ id: ada.id, username: `user${ada.id}` })],
      mention_roles: [],
      embeds: [],
      attachments: [],
      stickers: [],
      message_reference: { channel_id: home.general, message_id: first.id, guild_id: home.id, type: 0 },
      nonce: 'n1',
      referenced_message: expect.objectContaining({ id: first.id, content: 'first' }),
      guild_id: home.id,
      member: expect.objectContaining({ roles: [], joined_at: start, nick: null }),
      channel_type: 0,
      mention_here: true,
    })
    expect(d['member']).not.toHaveProperty('user')
    expect(d['referenced_message']).not.toHaveProperty('referenced_message')
    expect(await heard(member)).toStrictEqual([['CREATE first', 'CREATE second']])
  })

  it('that is changed or deleted is sent with what remains of it', async () => {
    const message = await general.post(grace, { content: 'first' })
    await owner.dispatch('MESSAGE_CREATE')
    await general.edit(message, { content: 'second' })
    const { d: updated } = await owner.dispatch('MESSAGE_UPDATE')
    expect(updated).toMatchObject({ id: message.id, content: 'second', guild_id: home.id, member: { roles: [] } })
    for (const absent of ['channel_type', 'nonce', 'mention_here']) expect(updated).not.toHaveProperty(absent)
    await general.remove([message])
    const place = { channel_id: home.general, guild_id: home.id }
    expect((await owner.dispatch('MESSAGE_DELETE')).d).toStrictEqual({ id: message.id, author_id: grace.id, ...place })
    const gone = messageId(stage.newId())
    await general.remove([message, { ...message, id: gone }], true)
    expect((await owner.dispatch('MESSAGE_DELETE_BULK')).d).toStrictEqual({ ids: [message.id, gone], ...place })
  })

  it('that is deleted before it could be sent is not sent, and a reply to it has null in its place', async () => {
    const first = await general.post(ada, { content: 'first' })
    await general.remove([first])
    const reference = { channelId: home.general, messageId: first.id, guildId: home.id }
    await general.post(ada, { type: messageTypes.reply, content: 'second', reference })
    const payloads = await member.until(({ t }) => t === 'MESSAGE_CREATE', 'the reply')
    expect(last(payloads).d).toMatchObject({ content: 'second', referenced_message: null })
    expect(payloads.map(({ t }) => t)).toStrictEqual(['MESSAGE_DELETE', 'MESSAGE_CREATE'])
  })

  it('is not sent to anybody who cannot view its channel at that time', async () => {
    const hidden = chatIn(stage, home, { channelId: another('VIEW_CHANNEL') })
    const open = another()
    const closing = chatIn(stage, home, { channelId: open })
    await hidden.post(ada, { content: 'hidden', mentions: [grace.id] })
    await closing.post(ada, { content: 'open' })
    await member.until(({ d }) => d?.['content'] === 'open', 'the open message')
    deny(stage, home, open, 'VIEW_CHANNEL')
    const closed = await closing.post(ada, { content: 'closed' })
    await owner.until(({ d }) => d?.['content'] === 'closed', 'the message in the channel that was closed')
    await closing.edit(closed, { content: 'changed' })
    await owner.dispatch('MESSAGE_UPDATE')
    await closing.remove([closed])
    await closing.remove([closed], true)
    expect(await heard(owner, member)).toStrictEqual([[`DELETE ${closed.id}`, `DELETE_BULK ${closed.id}`], []])
  })

  it('that is old is changed and deleted unseen by those who cannot read it: without the history, before its cutoff', async () => {
    const channel = another('READ_MESSAGE_HISTORY')
    const chat = chatIn(stage, home, { channelId: channel })
    const cutoff = Date.UTC(2026, 4, 1)
    const settings = { messageHistoryCutoff: timestamp(cutoff) }
    const old = await chat.post(ada, { id: messageId(composeSnowflake(cutoff - 1, 0)), content: 'old' })
    const young = await chat.post(ada, { id: messageId(composeSnowflake(cutoff, 0)), content: 'young' })
    await heard(owner, member)
    const changeBoth = async (content: string) => {
      for (const message of [old, young]) await chat.edit(message, { content })
    }
    await changeBoth('x')
    expect(await heard(owner, member)).toStrictEqual([['UPDATE x', 'UPDATE x'], []])
    stage.happen({ type: 'GuildSettingsChanged', data: { guildId: home.id, settings } })
    await changeBoth('y')
    expect(await heard(owner, member)).toStrictEqual([['UPDATE y', 'UPDATE y'], ['UPDATE y']])
    await chat.remove([old])
    await chat.remove([young])
    const deletions = [`DELETE ${old.id}`, `DELETE ${young.id}`]
    expect(await heard(owner, member)).toStrictEqual([deletions, deletions.slice(1)])
  })

  it('that replies to an older one is sent without that one to those who cannot read it, when it is sent and when it is changed', async () => {
    const channel = another('READ_MESSAGE_HISTORY')
    const chat = chatIn(stage, home, { channelId: channel })
    const first = await chat.post(ada, { content: 'first' })
    await heard(owner, member)
    const reference = { channelId: channel, messageId: first.id, guildId: home.id }
    const reply = await chat.post(ada, { type: messageTypes.reply, content: 'second', reference })
    expect((await owner.dispatch('MESSAGE_CREATE')).d).toMatchObject({ referenced_message: { content: 'first' } })
    const told = (await member.dispatch('MESSAGE_CREATE')).d
    expect(told).toMatchObject({ content: 'second', message_reference: { message_id: first.id } })
    expect(told).not.toHaveProperty('referenced_message')
    const settings = { messageHistoryCutoff: timestamp(snowflakeMs(first.id) + 1) }
    stage.happen({ type: 'GuildSettingsChanged', data: { guildId: home.id, settings } })
    const young = await chat.post(ada, {
      id: messageId(composeSnowflake(snowflakeMs(reply.id) + 1000, 0)),
      type: messageTypes.reply,
      reference,
    })
    await chat.edit(young, { content: 'third' })
    expect((await owner.dispatch('MESSAGE_UPDATE')).d).toMatchObject({ referenced_message: { content: 'first' } })
    const changed = (await member.dispatch('MESSAGE_UPDATE')).d
    expect(changed).toMatchObject({ content: 'third' })
    expect(changed).not.toHaveProperty('referenced_message')
  })
})

describe('a passive session in a guild of more than 250 members', () => {
  let crowd: Place
  let chat: Chat
  let passive: Client
  beforeEach(async () => {
    crowd = stage.found(ada, { extras: 300, everyone: ['READ_MESSAGE_HISTORY'] })
    stage.happen(joined(crowd.id, grace.id))
    chat = chatIn(stage, crowd)
    passive = await stage.identify(grace)
  })

  it('hears only of new messages that mention it: by name, by a role, @here, @everyone', async () => {
    const role = stage.role(crowd)
    stage.happen(rolesChanged(crowd.id, grace.id, role))
    const active = await stage.identify(grace, { initial_guild_id: crowd.id })
    const plain = await chat.post(ada, { content: 'plain' })
    await active.dispatch('MESSAGE_CREATE')
    await chat.edit(plain, { content: 'changed' })
    await active.dispatch('MESSAGE_UPDATE')
    await chat.remove([plain])
    await chat.remove([plain], true)
    await active.dispatch('MESSAGE_DELETE_BULK')
    await chat.post(ada, { content: 'other', mentions: [ada.id] })
    await chat.post(ada, { content: 'name', mentions: [ada.id, grace.id] })
    await chat.post(ada, { content: 'role', mentionRoles: [role] })
    await chat.post(ada, { content: 'here', mentionsHere: true })
    await chat.post(ada, { content: 'everyone', mentionsEveryone: true })
    expect(await heardOfMessages(stage, crowd, ada, passive)).toStrictEqual([
      ['CREATE name', 'CREATE role', 'CREATE here', 'CREATE everyone'],
    ])
  })

  it('hears every 30 seconds which of its visible channels have new messages; an active one does not', async () => {
    const active = await stage.identify(grace, { initial_guild_id: crowd.id })
    const hidden = chatIn(stage, crowd, { channelId: anotherIn(crowd, 'VIEW_CHANNEL') })
    const thirtySeconds = async () => {
      stage.clock.advance(30_000)
      for (const client of [passive, active]) {
        client.send(1, client.sequence)
        await client.op(11)
      }
    }
    await chat.post(ada, { content: 'first' })
    const second = await chat.post(ada, { content: 'second' })
    await hidden.post(ada, { content: 'hidden' })
    await general.post(ada, { content: 'in a small guild' })
    await active.until(({ d }) => d['content'] === 'in a small guild', 'message')
    const updates = ({ dispatches }: Client) => dispatches.flatMap(({ t, d }) => (t === 'PASSIVE_UPDATES' ? [d] : []))
    const told = [{ guild_id: crowd.id, channels: { [crowd.general]: second.id } }]
    await thirtySeconds()
    await expect.poll(() => updates(passive)).toStrictEqual(told)
    await hidden.post(ada, { content: 'hidden again' })
    await general.post(ada, { content: 'again' })
    await active.until((payload) => payload.d['content'] === 'again', 'message')
    await thirtySeconds()
    await heardOfMessages(stage, crowd, ada, passive, active)
    expect([updates(passive), updates(active)]).toStrictEqual([told, []])
  })

  it('hears, if it ignores new messages, of those that mention it by name or mention all, not by a role', async () => {
    const role = stage.role(crowd)
    stage.happen(rolesChanged(crowd.id, grace.id, role))
    const deaf = await stage.identify(grace, { ignored_events: ['MESSAGE_CREATE'], initial_guild_id: crowd.id })
    await chat.post(ada, { content: 'plain' })
    await chat.post(ada, { content: 'role', mentionRoles: [role] })
    await chat.post(ada, { content: 'name', mentions: [grace.id] })
    expect(await heardOfMessages(stage, crowd, ada, deaf)).toStrictEqual([['CREATE name']])
  })
})

describe('messages of a thread', () => {
  it('reach only sessions with thread access that can view its parent; of a private one, members and moderators', async () => {
    const flags = 1 << 2
    const moderator = stage.account()
    stage.happen(joined(home.id, moderator.id))
    stage.happen(rolesChanged(home.id, moderator.id, stage.role(home, 'MANAGE_THREADS')))
    const clients = [await stage.identify(grace, { flags }), await stage.identify(moderator, { flags })]
    const thread = { channelId: channelId(stage.newId()), parentId: home.general }
    const open = chatIn(stage, home, { ...thread, channelType: 11 })
    const secret = chatIn(stage, home, { ...thread, channelType: 12, recipients: [ada.id] })
    await open.post(ada, { content: 'open' })
    await secret.post(ada, { content: 'secret' })
    await general.post(ada, { type: messageTypes.threadCreated, content: 'created' })
    const marked = await general.post(ada, { content: 'marked', flags: 32 | 4 })
    expect(await heard(...clients, member)).toStrictEqual([
      ['CREATE open', 'CREATE created', 'CREATE marked'],
      ['CREATE open', 'CREATE secret', 'CREATE created', 'CREATE marked'],
      ['CREATE marked'],
    ])
    const flagsOf = ({ dispatches }: Client) => dispatches.find(({ d }) => d['id'] === marked.id)?.d['flags']
    expect([flagsOf(last([...clients, clients[0] ?? member])), flagsOf(member)]).toStrictEqual([36, 4])
  })
})

describe('messages of a private channel', () => {
  it('reach every session of its recipients and nobody else', async () => {
    const [linus, second] = [stage.account(), await stage.identify(grace)]
    const stranger = await stage.identify(linus)
    const id = channelId(stage.newId())
    const recipients = [ada.id, grace.id]
    const plain = { kind: 'direct', closedFor: [], ownerId: null, name: null, icon: null, nicks: {} } as const
    stage.models.privateChannels.set(ada.id, [{ ...plain, id, recipients }])
    const chat = chatIn(stage, home, {
      channelId: id,
      channelType: 1,
      guildId: null,
      recipients,
    })
    const message = await chat.post(ada, { content: 'private' })
    for (const client of [owner, member, second]) {
      const { d } = await client.dispatch('MESSAGE_CREATE')
      expect(d).toMatchObject({ id: message.id, content: 'private', channel_type: 1 })
      for (const absent of ['guild_id', 'member', 'nicks']) expect(d).not.toHaveProperty(absent)
    }
    stage.happen(joined(home.id, linus.id))
    expect(await heard(stranger)).toStrictEqual([[]])
  })
})
