import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PrivateChannel } from '../../../application/ports/queries/private-channel-queries.ts'
import { relationshipTypes } from '../../../domain/relationship/relationship-types.ts'
import { channelId } from '../../../domain/ids/ids.ts'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import { presenceGrace_ms } from '../../../gateway/limits.ts'
import type { Client } from '../support/client.ts'
import { start } from '../support/facts.ts'
import { say, seen, toldOfPresences } from '../support/presences.ts'
import { openStage, type Account, type Stage } from '../support/stage.ts'

/** Presences of friends and of group recipients. */

let stage: Stage
let ada: Account
let grace: Account
beforeEach(async () => {
  stage = await openStage()
  ;[ada, grace] = [stage.account(), stage.account()]
})
afterEach(async () => {
  expect(stage.errors).toStrictEqual([])
  await stage.end()
})

/** The read models contain the friendship of two accounts. */
function befriend(one: Account, other: Account): void {
  const friendOf = (owner: Account, friend: Account): void => {
    const before = stage.models.relationships.get(owner.id) ?? []
    const relationship = { ownerId: owner.id, otherId: friend.id, since: start, nickname: null }
    stage.models.relationships.set(owner.id, [...before, { ...relationship, type: relationshipTypes.friend }])
  }
  friendOf(one, other)
  friendOf(other, one)
}

const between = (type: string, one: Account, other: Account, more: object = {}): void =>
  stage.happen({ type, data: { accountId: one.id, otherId: other.id, ...more } } as DomainEvent)
const becomeFriends = (): void => between('FriendshipFormed', ada, grace, { formedAt: start, requestsOf: [] })

function group(...people: readonly Account[]): PrivateChannel {
  const plain = { kind: 'group', closedFor: [], ownerId: null, name: null, icon: null, nicks: {} } as const
  return { ...plain, id: channelId(stage.newId()), recipients: people.map(({ id }) => id) }
}
const ofGroup = (type: string, { id, recipients }: PrivateChannel, account?: Account): void =>
  stage.happen({ type, data: { channelId: id, recipients, accountId: account?.id, wasOwner: false } } as DomainEvent)

const told = (...clients: readonly Client[]) => toldOfPresences(stage, ...clients)

const readyOf = ({ dispatches }: Client): unknown => dispatches.find(({ t }) => t === 'READY')?.d['presences']

describe('Friends', () => {
  beforeEach(() => {
    befriend(ada, grace)
  })

  it.each([
    [{ status: 'idle' }, 'idle', {}],
    [{ status: 'dnd', mobile: true, afk: true }, 'dnd', { mobile: true, afk: true }],
    [{ status: 'invisible' }, 'offline', {}],
    [{ status: 'offline', mobile: true, afk: true }, 'offline', {}],
  ])('hear of %o as %s, once', async (update, status, more) => {
    const follower = await stage.identify(ada)
    const client = await stage.identify(grace)
    expect(await told(follower, client)).toStrictEqual([[seen(grace, 'online')], []])
    await say(client, update)
    expect(await told(follower, client)).toStrictEqual([[seen(grace, status, more)], []])
    await say(client, update)
    expect(await told(follower)).toStrictEqual([[]])
  })

  it('are in READY if they are not offline, and are not sent again', async () => {
    const hedy = stage.account()
    befriend(ada, hedy)
    await stage.identify(grace, { presence: { status: 'dnd' } })
    await stage.identify(hedy, { presence: { status: 'invisible' } })
    const follower = await stage.identify(ada)
    expect(readyOf(follower)).toStrictEqual([seen(grace, 'dnd')])
    expect(await told(follower)).toStrictEqual([[]])
  })

  it('hear of all sessions together: dnd before online before idle', async () => {
    const follower = await stage.identify(ada)
    const [first, second] = [await stage.identify(grace), await stage.identify(grace)]
    await told(follower)
    await say(first, { status: 'idle' })
    expect(await told(follower)).toStrictEqual([[]])
    await say(second, { status: 'dnd' })
    expect(await told(follower)).toStrictEqual([[seen(grace, 'dnd')]])
    await say(second, { status: 'invisible' })
    expect(await told(follower)).toStrictEqual([[seen(grace, 'idle')]])
  })

  it('hear that an account is offline 5 s after its last connection ended, and hear of a Resume', async () => {
    const follower = await stage.identify(ada)
    const client = await stage.identify(grace)
    await told(follower)
    client.close()
    await client.closed
    await stage.stats(({ connections }) => connections === 1)
    expect(await told(follower)).toStrictEqual([[]])
    stage.clock.advance(presenceGrace_ms)
    expect(await told(follower)).toStrictEqual([[seen(grace, 'offline')]])
    const back = await stage.resume(grace, client.sessionId, client.sequence)
    await back.dispatch('RESUMED')
    expect(await told(follower)).toStrictEqual([[seen(grace, 'online')]])
  })

  it('hear of a custom status and of a new profile, but not while the account is offline', async () => {
    const follower = await stage.identify(ada)
    const client = await stage.identify(grace)
    await told(follower)
    const customStatus = { text: 'busy', expiresAt: null, emojiId: null, emojiName: null }
    const chooses = (data: object): void =>
      stage.happen({ type: 'UserSettingsChanged', data: { accountId: grace.id, changes: {}, ...data } } as DomainEvent)
    chooses({ customStatus })
    const custom_status = { text: 'busy', expires_at: null, emoji_id: null, emoji_name: null, emoji_animated: false }
    expect(await told(follower)).toStrictEqual([[seen(grace, 'online', { custom_status })]])
    chooses({ changes: { theme: 'light' } })
    expect(await told(follower)).toStrictEqual([[]])
    const renames = (username: string): void => {
      const record = stage.models.accounts.get(grace.id)
      if (record) stage.models.accounts.set(grace.id, { ...record, username })
      stage.happen({ type: 'TagChanged', data: { accountId: grace.id } } as DomainEvent)
    }
    renames('amazing')
    expect(await told(follower)).toMatchObject([[{ user: { username: 'amazing' }, status: 'online' }]])
    await say(client, { status: 'invisible' })
    expect(await told(follower)).toMatchObject([[{ status: 'offline', custom_status: null }]])
    renames('secretive')
    expect(await told(follower)).toStrictEqual([[]])
  })

  const saying = (members: object) => ({
    custom_status: {
      text: null,
      expires_at: null,
      emoji_id: null,
      emoji_name: null,
      emoji_animated: false,
      ...members,
    },
  })
  const nextYear = '2027-05-01T00:00:00.000Z'

  it.each([
    [
      { text: 'x'.repeat(128), emoji_name: 'y'.repeat(32) },
      { text: 'x'.repeat(128), emoji_name: 'y'.repeat(32) },
    ],
    [
      { emoji_id: '77', expires_at: nextYear },
      { emoji_id: '77', expires_at: nextYear },
    ],
  ])('hear of a custom status that a session sets itself: %o', async (custom_status, members) => {
    const follower = await stage.identify(ada)
    const client = await stage.identify(grace)
    await told(follower)
    await say(client, { status: 'online', custom_status })
    expect(await told(follower)).toStrictEqual([[seen(grace, 'online', saying(members))]])
    await say(client, { status: 'idle' })
    expect(await told(follower)).toStrictEqual([[seen(grace, 'idle', saying(members))]])
    await say(client, { status: 'idle', custom_status: null })
    expect(await told(follower)).toStrictEqual([[seen(grace, 'idle')]])
  })

  it.each([
    ['no object', 'busy'],
    ['a text above 128 characters', { text: 'x'.repeat(129) }],
    ['an empty text', { text: '' }],
    ['a text that is none', { text: 5 }],
    ['an emoji’s name above 32 characters', { emoji_name: 'x'.repeat(33) }],
    ['an emoji’s id that is none', { text: 'x', emoji_id: 'x' }],
    ['an end that is over', { text: 'x', expires_at: '2020-01-01T00:00:00.000Z' }],
    ['an end that is none', { text: 'x', expires_at: 'soon' }],
  ])('hear the earlier custom status if the new one is %s', async (_, custom_status) => {
    const follower = await stage.identify(ada)
    const client = await stage.identify(grace)
    await say(client, { status: 'online', custom_status: { text: 'before' } })
    await told(follower)
    await say(client, { status: 'dnd', custom_status })
    expect(await told(follower)).toStrictEqual([[seen(grace, 'dnd', saying({ text: 'before' }))]])
  })

  it('hear the custom status of Identify until the account chooses one', async () => {
    const follower = await stage.identify(ada)
    const text = 'z'.repeat(129)
    const client = await stage.identify(grace, { presence: { custom_status: { text } } })
    expect(await told(follower)).toStrictEqual([[seen(grace, 'online', saying({ text }))]])
    const chosen = { text: 'chosen', expiresAt: null, emojiId: null, emojiName: null }
    const data = { accountId: grace.id, changes: {}, customStatus: chosen }
    stage.happen({ type: 'UserSettingsChanged', data } as DomainEvent)
    expect(await told(follower)).toStrictEqual([[seen(grace, 'online', saying({ text: 'chosen' }))]])
    await stage.identify(grace, { presence: { status: 'dnd', custom_status: { text } } })
    expect(await told(follower)).toStrictEqual([[seen(grace, 'dnd', saying({ text: 'chosen' }))]])
    await say(client, { status: 'invisible', custom_status: { text: 'hidden' } })
    expect(await told(follower)).toStrictEqual([[]])
  })

  it.each([
    ['RelationshipRemoved', () => between('RelationshipRemoved', grace, ada, { removedFrom: [ada.id, grace.id] })],
    ['AccountBlocked', () => between('AccountBlocked', grace, ada, { blockedAt: start, removedFromOther: true })],
  ])('hear nothing once they are no longer friends: %s', async (_, ends) => {
    const [follower, other] = [await stage.identify(ada), await stage.identify(grace)]
    await told(follower, other)
    await say(other, { status: 'dnd' })
    await say(follower, { status: 'dnd' })
    ends()
    expect(await told(follower, other)).toStrictEqual([[], []])
  })

  it('hear nothing as a bot, or on a shard that is not the first', async () => {
    const bot = stage.account({ bot: true })
    befriend(bot, grace)
    const clients = [await stage.identify(ada, { shard: [1, 2] }), await stage.identify(bot)]
    await stage.identify(grace)
    expect(await told(...clients)).toStrictEqual([[], []])
    expect(readyOf(await stage.identify(bot))).toStrictEqual([])
  })

  it('hear again what they missed while they were disconnected', async () => {
    const follower = await stage.identify(ada)
    follower.close()
    await follower.closed
    await stage.identify(grace)
    await told()
    const back = await stage.resume(ada, follower.sessionId, follower.sequence)
    await back.dispatch('RESUMED')
    expect(back.dispatches.map(({ t }) => t)).toContain('PRESENCE_UPDATE')
  })
})

describe('an account that becomes a friend, or joins a group', () => {
  it('hears of the other from then on, after the friendship', async () => {
    const [follower, other] = [await stage.identify(ada), await stage.identify(grace)]
    expect(await told(follower)).toStrictEqual([[]])
    becomeFriends()
    expect(await told(follower, other)).toStrictEqual([[seen(grace, 'online')], [seen(ada, 'online')]])
    expect(follower.dispatches.slice(-2).map(({ t }) => t)).toStrictEqual(['RELATIONSHIP_ADD', 'PRESENCE_UPDATE'])
  })

  it('hears of it also while it starts a session', async () => {
    await stage.identify(grace)
    const held = stage.models.hold('snapshot')
    const starting = stage.identify(ada)
    await held.asked
    becomeFriends()
    await stage.handled()
    held.answer()
    const follower = await starting
    expect(readyOf(follower)).toStrictEqual([])
    expect(await told(follower)).toStrictEqual([[seen(grace, 'online')]])
  })

  it('hears of those in the group, until it or they leave', async () => {
    const hedy = stage.account()
    const clients = [await stage.identify(ada), await stage.identify(grace), await stage.identify(hedy)] as const
    const channel = group(ada, grace)
    ofGroup('GroupCreated', channel)
    expect(await told(...clients)).toStrictEqual([[seen(grace, 'online')], [seen(ada, 'online')], []])
    const all = { ...channel, recipients: [ada.id, grace.id, hedy.id] }
    ofGroup('GroupRecipientAdded', all, hedy)
    const greeted = await told(...clients)
    expect(greeted.map((each) => each.map(({ user }) => (user as { id: string }).id))).toStrictEqual([
      [hedy.id],
      [hedy.id],
      [ada.id, grace.id],
    ])
    ofGroup('GroupRecipientRemoved', { ...channel, recipients: [ada.id, hedy.id] }, grace)
    await say(clients[1], { status: 'idle' })
    await say(clients[2], { status: 'idle' })
    expect(await told(...clients)).toStrictEqual([[seen(hedy, 'idle')], [], []])
  })

  it('finds those in its groups in READY', async () => {
    await stage.identify(grace)
    stage.models.privateChannels.set(ada.id, [group(ada, grace), { ...group(ada, stage.account()), kind: 'direct' }])
    expect(readyOf(await stage.identify(ada))).toStrictEqual([seen(grace, 'online')])
  })
})
