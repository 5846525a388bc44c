import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { messageTypes } from '../../../domain/messages/message-types.ts'
import type { ChannelEvent } from '../../../domain/guild/channel-events.ts'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import { chatIn, heardOfMessages, type Chat } from '../support/chat.ts'
import { last, type Client } from '../support/client.ts'
import { joined, left, sometime } from '../support/facts.ts'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
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

const hidden = (): ChannelEvent => {
  const after = [{ id: home.id, type: 0, allow: '0', deny: permissionBits.VIEW_CHANNEL.toString() }] as const
  const data = { guildId: home.id, channelId: home.general, before: [], after, synced: [] }
  return { type: 'ChannelOverwritesChanged', data }
}
const heard = (...clients: readonly Client[]) => heardOfMessages(stage, home, ada, ...clients)

describe('last_message_id', () => {
  const lastIn = (guild: unknown, channel: string): unknown => {
    const { channels } = guild as { readonly channels: readonly { id: string; last_message_id?: string | null }[] }
    return channels.find(({ id }) => id === channel)?.last_message_id
  }
  const inReady = async (): Promise<unknown> => {
    const [ready] = (await stage.identify(grace)).dispatches
    const [guild] = (ready?.d['guilds'] ?? []) as readonly unknown[]
    return lastIn(guild, home.general)
  }

  it('is that of the newest existing message, in READY, GUILD_CREATE and GUILD_SYNC', async () => {
    expect(await inReady()).toBeNull()
    const first = await general.post(ada)
    const second = await general.post(ada)
    await owner.until(({ d }) => d?.['id'] === second.id, 'the second message')
    expect(await inReady()).toBe(second.id)
    await general.remove([second])
    await owner.dispatch('MESSAGE_DELETE')
    expect(await inReady()).toBe(first.id)
    const linus = stage.account()
    const joiner = await stage.identify(linus)
    stage.happen(joined(home.id, linus.id))
    expect(lastIn((await joiner.dispatch('GUILD_CREATE')).d, home.general)).toBe(first.id)
    member.send(14, { subscriptions: { [home.id]: { sync: true } } })
    expect(lastIn((await member.dispatch('GUILD_SYNC')).d, home.general)).toBe(first.id)
  })
})

describe('order and completeness', () => {
  it('no message overtakes the events that came before it: the joiner has the guild before the join message', async () => {
    const linus = stage.account()
    const joiner = await stage.identify(linus)
    const events = stage.commit(joined(home.id, linus.id))
    await general.post(linus, { type: messageTypes.userJoin, content: '' })
    await stage.turn()
    expect(joiner.dispatches.map(({ t }) => t)).toStrictEqual(['READY'])
    stage.publish(events)
    for (const [client, before] of [
      [joiner, 'GUILD_CREATE'],
      [member, 'GUILD_MEMBER_ADD'],
    ] as const) {
      const payloads = await client.until(({ t }) => t === 'MESSAGE_CREATE', 'the join message')
      expect(payloads.map(({ t }) => t)).toContain(before)
      expect(last(payloads).d).toMatchObject({ type: 7, content: '', author: { id: linus.id } })
    }
  })

  const ids = (): { readonly guildId: Place['id']; readonly accountId: Account['id'] } => ({
    guildId: home.id,
    accountId: grace.id,
  })
  const ends: readonly (readonly [string, () => DomainEvent, Partial<Record<'owner' | 'member', string>>])[] = [
    ['leaves', () => left(home.id, grace.id), { owner: 'GUILD_MEMBER_REMOVE', member: 'GUILD_DELETE' }],
    [
      'is kicked',
      () => ({ type: 'MemberKicked', data: { ...ids(), kickedAt: sometime } }),
      { owner: 'GUILD_MEMBER_REMOVE', member: 'GUILD_DELETE' },
    ],
    [
      'loses the guild',
      () => ({ type: 'GuildDeleted', data: { guildId: home.id, ownerId: ada.id, channelIds: [] } }),
      { owner: 'GUILD_DELETE', member: 'GUILD_DELETE' },
    ],
  ]

  it.each(ends)('what is deleted before a member %s is told before that, once', async (_, end, names) => {
    const sent = await general.post(grace)
    for (const client of [owner, member]) await client.dispatch('MESSAGE_CREATE')
    // The event comes before the follower can bring the notice of the deletion.
    const removed = general.remove([sent], true)
    stage.happen(end())
    await removed
    for (const [client, t = ''] of [
      [owner, names.owner],
      [member, names.member],
    ] as const) {
      const told = (await client.until((payload) => payload.t === t, t)).map((payload) => payload.t)
      expect(told.filter((name) => name === 'MESSAGE_DELETE_BULK' || name === t)).toStrictEqual([
        'MESSAGE_DELETE_BULK',
        t,
      ])
    }
    await stage.handled()
    expect(owner.dispatches.filter(({ t }) => t === 'MESSAGE_DELETE_BULK')).toHaveLength(1)
  })

  it('a message that depends on a later event waits for it, and so does what follows in its channel', async () => {
    const linus = stage.account()
    const leaving = stage.commit(left(home.id, grace.id))
    const joining = stage.commit(joined(home.id, linus.id))
    const welcome = general.post(linus, { type: messageTypes.userJoin, content: '' })
    const forgotten = general.remove([await welcome])
    stage.publish(leaving)
    await forgotten
    expect((await owner.until(({ t }) => t === 'GUILD_MEMBER_REMOVE', 'the end')).map(({ t }) => t)).not.toContain(
      'MESSAGE_DELETE',
    )
    stage.publish(joining)
    const told = await owner.until(({ t }) => t === 'MESSAGE_DELETE', 'the deletion')
    expect(told.map(({ t }) => t)).toContain('GUILD_MEMBER_ADD')
  })

  it('an event whose messages cannot be read is told all the same, and they come later', async () => {
    const sent = await general.post(ada)
    await owner.dispatch('MESSAGE_CREATE')
    vi.spyOn(stage.messages.notices, 'committed').mockRejectedValue(new Error('away'))
    const removed = general.remove([sent], true)
    stage.happen(left(home.id, grace.id))
    await removed
    await expect
      .poll(() => {
        stage.clock.advance(500)
        return owner.dispatches.map(({ t }) => t)
      })
      .toContain('MESSAGE_DELETE_BULK')
    expect(owner.dispatches.map(({ t }) => t)).toContain('GUILD_MEMBER_REMOVE')
  })

  it('a session that resumes gets every message that it missed, once and in order', async () => {
    const { sessionId, sequence } = member
    member.close()
    await member.closed
    for (const content of ['one', 'two', 'three']) await general.post(ada, { content })
    await heard(owner)
    const resumed = await stage.resume(grace, sessionId, sequence)
    const payloads = await resumed.until(({ t }) => t === 'RESUMED', 'RESUMED')
    const told = payloads.slice(0, -1)
    expect(told.map(({ d }) => d['content'])).toStrictEqual(['one', 'two', 'three', 'the last'])
    expect(told.map(({ s }) => s)).toStrictEqual([1, 2, 3, 4].map((number) => sequence + number))
  })

  it('a session hears of messages from its start on, and of no earlier ones', async () => {
    await general.post(ada, { content: 'before' })
    await heard(owner)
    const late = await stage.identify(grace)
    await general.post(ada, { content: 'after' })
    expect(await heard(late)).toStrictEqual([['CREATE after']])
  })

  it.each([
    ['hides the channel', () => hidden()],
    ['ends a membership', () => left(home.id, grace.id)],
  ] as const)('nobody hears what an event forbids that %s, however late the bus delivers it', async (_, forbids) => {
    const events = stage.commit(forbids())
    await general.post(ada, { content: 'not for everybody' })
    for (let waited_s = 0; waited_s < 30; waited_s += 1) {
      stage.clock.advance(1000)
      await stage.turn()
    }
    for (const client of [owner, member]) expect(client.dispatches.map(({ t }) => t)).toStrictEqual(['READY'])
    stage.publish(events)
    expect((await owner.dispatch('MESSAGE_CREATE')).d).toMatchObject({ content: 'not for everybody' })
    // Everything sent before comes before the answer to its heartbeat.
    member.send(1, null)
    await member.op(11)
    expect(member.dispatches.map(({ t }) => t)).not.toContain('MESSAGE_CREATE')
  })
})

describe('a session that cannot be sent a message', () => {
  it('is ended rather than left with a gap if the message cannot be read', async () => {
    const elsewhere = stage.account()
    stage.found(elsewhere)
    const untouched = await stage.identify(elsewhere)
    const reading = vi.spyOn(stage.messages.messages, 'findMany').mockRejectedValue(new Error('no answer'))
    await general.post(ada)
    while (reading.mock.calls.length < 5) {
      stage.clock.advance(250)
      await stage.turn()
    }
    for (const client of [owner, member]) expect(await client.op(9)).toMatchObject({ d: false })
    expect(untouched.payloads.filter(({ op }) => op === 9)).toStrictEqual([])
    expect(stage.errors.splice(0)).toHaveLength(1)
  })

  it('is ended with all others if notices are no longer kept, and new ones hear again', async () => {
    stage.messages.loseNotice()
    for (const client of [owner, member]) expect(await client.op(9)).toMatchObject({ d: false })
    expect(stage.errors.splice(0)).toHaveLength(1)
    const late = await stage.identify(grace)
    await general.post(ada, { content: 'after' })
    expect(await heard(late)).toStrictEqual([['CREATE after']])
  })
})
