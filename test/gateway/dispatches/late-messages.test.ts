import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { beforeAll as beforeAllEvents } from '../../../domain/kernel/position.ts'
import type { MessageAudience } from '../../../application/ports/messages.ts'
import type { PrivateChannel } from '../../../application/ports/queries/private-channel-queries.ts'
import { channelId, type ChannelId } from '../../../domain/ids/ids.ts'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import { chatIn, heardOfMessages } from '../support/chat.ts'
import type { Client } from '../support/client.ts'
import { joined } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

/** Messages that were allowed, but are dispatched after their place is gone or an account has left it. */

let stage: Stage
let ada: Account
let grace: Account
let home: Place
let owner: Client

beforeEach(async () => {
  stage = await openStage({ limits: { recentEvents_max: 8 } })
  ada = stage.account()
  grace = stage.account()
  home = stage.found(ada, { everyone: ['READ_MESSAGE_HISTORY'] })
  stage.happen(joined(home.id, grace.id))
  owner = await stage.identify(ada)
})
afterEach(async () => {
  expect(stage.errors).toStrictEqual([])
  await stage.end()
})

const heard = (...clients: readonly Client[]) => heardOfMessages(stage, home, ada, ...clients)

describe('messages of a thread that was deleted meanwhile', () => {
  it('reach nobody: only the end of the thread is sent', async () => {
    const gone = channelId(stage.newId())
    stage.models.goneThreads.add(gone)
    stage.happen(threadDeleted(gone))
    const chat = chatIn(stage, home, { channelId: gone, parentId: home.general, channelType: 11 })
    const client = await stage.identify(grace, { flags: 1 << 2 })
    const message = await chat.post(ada, { content: 'late' })
    await chat.edit(message, { content: 'later' })
    expect(await heard(client)).toStrictEqual([[]])
  })
})

describe('messages of a private thread', () => {
  const secretOf = (secret: ChannelId): Partial<MessageAudience> => {
    stage.models.threadPartakers.set(secret, [ada.id])
    return { channelId: secret, parentId: home.general, channelType: 12, recipients: [ada.id, grace.id] }
  }

  it('do not reach an account that was removed before they are sent, although the request still named it', async () => {
    const secret = channelId(stage.newId())
    const place = secretOf(secret)
    stage.happen(threadLeft(secret))
    const flags = 1 << 2
    const clients = [await stage.identify(ada, { flags }), await stage.identify(grace, { flags })]
    await chatIn(stage, home, place).post(ada, { content: 'secret' })
    expect(await heard(...clients)).toStrictEqual([['CREATE secret'], []])
  })

  it('reach an account that is removed after them, although the read models have it removed before they are sent', async () => {
    const secret = channelId(stage.newId())
    const place = { ...secretOf(secret), after: stage.models.position }
    const client = await stage.identify(grace, { flags: 1 << 2 })
    const removal = stage.commit(threadLeft(secret))
    await chatIn(stage, home, place).post(ada, { content: 'before' })
    await client.dispatch('MESSAGE_CREATE')
    stage.publish(removal)
    await chatIn(stage, home, place).post(ada, { content: 'after' })
    expect(await heard(client)).toStrictEqual([[]])
  })
})

describe('messages of a private channel', () => {
  /** A direct message or a group as it is now. */
  const standing = (more: Partial<PrivateChannel> = {}): PrivateChannel => {
    const id = channelId(stage.newId())
    const plain = { kind: 'direct', closedFor: [], ownerId: null, name: null, icon: null, nicks: {} } as const
    const channel = { ...plain, id, recipients: [ada.id, grace.id], ...more }
    stage.models.privateChannels.set(ada.id, [channel])
    return channel
  }

  const both = (): Partial<MessageAudience> => ({ guildId: null, recipients: [ada.id, grace.id] })
  const ends: readonly (readonly [string, number, Partial<PrivateChannel>, (channel: ChannelId) => DomainEvent])[] = [
    ['has left the group', 3, { kind: 'group' }, groupLeft],
    ['has closed the direct message', 1, {}, directClosed],
  ]

  it.each(ends)('do not reach an account that %s before they are sent', async (_, channelType, more, end) => {
    const client = await stage.identify(grace)
    const { id } = standing({ ...more, ...without(channelType) })
    stage.happen(end(id))
    await chatIn(stage, home, { ...both(), channelId: id, channelType }).post(ada, { content: 'hello' })
    expect(await heard(owner, client)).toStrictEqual([['CREATE hello'], []])
  })

  it.each(ends)('reach an account of which it is told later that it %s', async (_, channelType, more, end) => {
    const client = await stage.identify(grace)
    const { id } = standing({ ...more, ...without(channelType) })
    const after = stage.models.position
    const events = stage.commit(end(id))
    await chatIn(stage, home, { ...both(), channelId: id, channelType, after }).post(ada, { content: 'hello' })
    for (const one of [owner, client]) await one.dispatch('MESSAGE_CREATE')
    stage.publish(events)
    await chatIn(stage, home, { ...both(), channelId: id, channelType, after }).post(ada, { content: 'later' })
    expect(await heard(owner, client)).toStrictEqual([['CREATE later'], []])
  })

  it('do not reach an account whose end is too long ago to be remembered', async () => {
    const client = await stage.identify(grace)
    const { id } = standing({ closedFor: [grace.id] })
    const after = stage.models.position
    for (let count = 0; count < 20; count += 1) stage.mark(home)
    await stage.handled()
    await chatIn(stage, home, { ...both(), channelId: id, channelType: 1, after }).post(ada, { content: 'hello' })
    expect(await heard(owner, client)).toStrictEqual([['CREATE hello'], []])
  })

  it('do not reach an account whose end was before this Gateway', async () => {
    const client = await stage.identify(grace)
    const { id } = standing({ closedFor: [grace.id] })
    const place = { ...both(), channelId: id, channelType: 1, after: beforeAllEvents }
    await chatIn(stage, home, place).post(ada, { content: 'hello' })
    expect(await heard(owner, client)).toStrictEqual([['CREATE hello'], []])
  })

  it('reach nobody if the group is gone by then', async () => {
    const id = channelId(stage.newId())
    stage.happen({ type: 'GroupDeleted', data: { channelId: id } })
    await chatIn(stage, home, { ...both(), channelId: id, channelType: 3 }).post(ada, { content: 'late' })
    expect(await heard(owner)).toStrictEqual([[]])
  })

  /** What the read models have of a channel that Grace is no longer in. */
  const without = (channelType: number): Partial<PrivateChannel> =>
    channelType === 3 ? { recipients: [ada.id] } : { closedFor: [grace.id] }
})

const threadLeft = (threadId: ChannelId): DomainEvent => ({
  type: 'ThreadMemberRemoved',
  data: { ...ofThread(threadId), threadType: 12, accountId: grace.id, removedBy: grace.id, memberCount: 1 },
})
const threadDeleted = (threadId: ChannelId): DomainEvent => ({
  type: 'ThreadDeleted',
  data: { ...ofThread(threadId), threadType: 11, because: 'asked', settings: {}, memberIds: [] },
})
const ofThread = (threadId: ChannelId) => ({ threadId, guildId: home.id, parentId: home.general })

function groupLeft(channel: ChannelId): DomainEvent {
  const data = { channelId: channel, recipients: [ada.id], accountId: grace.id, removedBy: grace.id, wasOwner: false }
  return { type: 'GroupRecipientRemoved', data }
}

function directClosed(channel: ChannelId): DomainEvent {
  return { type: 'DirectChannelHidden', data: { channelId: channel, accountId: grace.id, otherId: ada.id } }
}
