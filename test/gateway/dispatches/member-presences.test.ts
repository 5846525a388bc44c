import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { relationshipTypes } from '../../../domain/relationship/relationship-types.ts'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import type { KnownEvent } from '../../../gateway/visibility/known-event.ts'
import { Acquaintances } from '../../../gateway/presences/acquaintances.ts'
import { tick_ms } from '../../../gateway/ticker.ts'
import { deny } from '../support/chat.ts'
import type { Client } from '../support/client.ts'
import { fakeExchange, type FakeExchange } from '../support/fake-exchange.ts'
import { joined, left, start } from '../support/facts.ts'
import { say, seen, toldOfPresences } from '../support/presences.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

/** Who follows whom: presences in guilds, for sessions that requested them by Lazy Request, and for bots. */

let stage: Stage
let ada: Account
let grace: Account
let home: Place
let exchange: FakeExchange
beforeEach(async () => {
  exchange = fakeExchange()
  stage = await openStage({ presenceExchange: exchange })
  ;[ada, grace] = [stage.account(), stage.account()]
  home = stage.found(ada)
  stage.happen(joined(home.id, grace.id))
})
afterEach(async () => {
  expect(stage.errors).toStrictEqual([])
  await stage.end()
})

const told = (...clients: readonly Client[]) => toldOfPresences(stage, ...clients)

describe('Presences of members', () => {
  const subscribe = (client: Client, entry: object): void => client.send(14, { subscriptions: { [home.id]: entry } })
  const inHome = (status: string) => seen(grace, status, { guild_id: home.id })

  it('are followed by a session that requests them, from their present state on, until it requests others', async () => {
    const [follower, other] = [await stage.identify(ada), await stage.identify(grace)]
    expect(await told(follower)).toStrictEqual([[]])
    subscribe(follower, { members: [grace.id, ada.id] })
    expect(await told(follower, other)).toStrictEqual([[inHome('online')], []])
    await say(other, { status: 'dnd' })
    expect(await told(follower)).toStrictEqual([[inHome('dnd')]])
    subscribe(follower, { members: [stage.account().id] })
    await say(other, { status: 'idle' })
    expect(await told(follower)).toStrictEqual([[]])
    subscribe(follower, { members: [grace.id] })
    expect(await told(follower)).toStrictEqual([[inHome('idle')]])
  })

  it('do not change if the list is missing, or for other sessions of the account', async () => {
    const [follower, idle, other] = [await stage.identify(ada), await stage.identify(ada), await stage.identify(grace)]
    subscribe(follower, { members: [grace.id] })
    await told(follower, idle)
    for (const members of [5, undefined]) subscribe(follower, { members })
    await say(other, { status: 'dnd' })
    expect(await told(follower, idle)).toStrictEqual([[inHome('dnd')], []])
  })

  it('are followed of the ids that are valid', async () => {
    const [follower, other] = [await stage.identify(ada), await stage.identify(grace)]
    subscribe(follower, { members: [5, 'me', grace.id, null] })
    await told(follower)
    await say(other, { status: 'dnd' })
    expect(await told(follower)).toStrictEqual([[inHome('dnd')]])
  })

  it('are not followed for accounts that are not members, have left, or share no channel; a member who comes back is', async () => {
    const stranger = stage.account()
    const follower = await stage.identify(ada)
    await stage.identify(stranger)
    const other = await stage.identify(grace)
    subscribe(other, { members: [ada.id, stranger.id] })
    subscribe(follower, { members: [grace.id, stranger.id] })
    expect(await told(follower, other)).toStrictEqual([
      [inHome('online')],
      [seen(ada, 'online', { guild_id: home.id })],
    ])
    stage.happen(left(home.id, grace.id))
    await say(other, { status: 'dnd' })
    expect(await told(follower)).toStrictEqual([[]])
    stage.happen(joined(home.id, grace.id))
    expect(await told(follower)).toStrictEqual([[inHome('dnd')]])
    for (const { id } of channelsOf(home)) deny(stage, home, id, 'VIEW_CHANNEL')
    await say(other, { status: 'idle' })
    expect(await told(follower)).toStrictEqual([[]])
  })

  it('are not sent to a passive session of a large guild, but as soon as it is active', async () => {
    const large = stage.found(ada, { extras: 300 })
    stage.happen(joined(large.id, grace.id))
    const [follower, other] = [await stage.identify(ada), await stage.identify(grace)]
    const send = (entry: object): void => follower.send(14, { subscriptions: { [large.id]: entry } })
    send({ members: [grace.id] })
    expect(await told(follower)).toStrictEqual([[]])
    send({ active: true })
    expect(await told(follower)).toStrictEqual([[seen(grace, 'online', { guild_id: large.id })]])
    // The guild is active again.
    send({ active: false })
    send({ active: true })
    expect(await told(follower)).toStrictEqual([[seen(grace, 'online', { guild_id: large.id })]])
    expect(follower.dispatches.slice(-2).map(({ t }) => t)).toStrictEqual(['GUILD_SYNC', 'PRESENCE_UPDATE'])
    send({ active: false })
    await say(other, { status: 'invisible' })
    expect(await told(follower)).toStrictEqual([[]])
    send({ active: true })
    expect(await told(follower)).toStrictEqual([[seen(grace, 'offline', { guild_id: large.id })]])
  })

  it('are followed by bots without a request, and by nobody while the guild is unavailable', async () => {
    const bot = stage.account({ bot: true })
    stage.happen(joined(home.id, bot.id))
    const [robot, other] = [await stage.identify(bot), await stage.identify(grace)]
    expect(await told(robot, other)).toStrictEqual([[inHome('online')], []])
    const turns = (...features: readonly string[]): void =>
      stage.happen({ type: 'GuildFeaturesChanged', data: { guildId: home.id, features } } as DomainEvent)
    turns('UNAVAILABLE_FOR_EVERYONE')
    await say(other, { status: 'dnd' })
    expect(await told(robot)).toStrictEqual([[]])
    turns()
    expect(await told(robot)).toStrictEqual([[]])
    const bulk = robot.dispatches.filter(({ t }) => t === 'PRESENCE_UPDATE_BULK').map(({ d }) => d)
    expect(bulk).toStrictEqual([{ guild_id: home.id, presences: [inHome('dnd')] }])
    await say(other, { status: 'idle' })
    expect(await told(robot)).toStrictEqual([[inHome('idle')]])
    const { id: accountId, tokenHash } = grace
    stage.happen({ type: 'SessionEnded', data: { accountId, tokenHash } } as DomainEvent)
    expect(await told(robot)).toStrictEqual([[inHome('offline')]])
  })

  it('are sent later if they cannot be looked up now', async () => {
    const [follower, other] = [await stage.identify(ada), await stage.identify(grace)]
    stage.models.delay = (question) => (question === 'accounts' ? Promise.reject(new Error('away')) : Promise.resolve())
    subscribe(follower, { members: [grace.id] })
    for (let tries = 0; stage.errors.length === 0; tries += 1) {
      expect(tries).toBeLessThan(100)
      expect(await told(follower, other)).toStrictEqual([[], []])
    }
    stage.models.delay = () => Promise.resolve()
    stage.errors.length = 0
    expect((await told(follower)).concat(await told(follower))).toContainEqual([inHome('online')])
  })

  it('are sent as the world is then: not for a member who has left meanwhile, on either side', async () => {
    const [follower, other] = [await stage.identify(ada), await stage.identify(grace)]
    const held = stage.models.hold('accounts')
    subscribe(follower, { members: [grace.id] })
    follower.send(1, null)
    await follower.op(11)
    stage.clock.advance(tick_ms)
    await held.asked
    stage.happen(left(home.id, grace.id))
    await stage.handled()
    held.answer()
    expect(await told(follower, other)).toStrictEqual([[], []])
  })

  it('at other Gateways are sent by their memberships, also to bots, but not once they have left', async () => {
    const bot = stage.account({ bot: true })
    stage.happen(joined(home.id, bot.id))
    const clients = [await stage.identify(ada), await stage.identify(bot)] as const
    await told(...clients)
    subscribe(clients[0], { members: [grace.id] })
    const isThere = (status: 'idle' | 'dnd'): void =>
      exchange.tell(grace.id, [{ id: 'a'.repeat(32), status, afk: false, mobile: true }])
    isThere('idle')
    const idle = { ...inHome('idle'), mobile: true }
    expect(await told(...clients)).toStrictEqual([[idle], [idle]])
    const held = stage.models.hold('members')
    isThere('dnd')
    stage.clock.advance(tick_ms)
    await held.asked
    stage.happen(left(home.id, grace.id))
    await stage.handled()
    held.answer()
    expect(await told(...clients)).toStrictEqual([[], []])
  })

  const channelsOf = ({ id }: Place) => {
    const guild = stage.models.guilds.get(id)
    return guild?.status === 'active' ? guild.channels : []
  }
})

describe('who follows whom', () => {
  const friends = (position: bigint, ...others: readonly Account[]) => {
    const account = stage.models.accounts.get(ada.id)
    if (!account) throw new Error('she is not there')
    const plain = { ownerId: ada.id, type: relationshipTypes.friend, since: start, nickname: null }
    return {
      position,
      account,
      relationships: others.map(({ id }) => ({ ...plain, otherId: id })),
      privateChannels: [],
    }
  }
  const removedAt = (position: bigint): KnownEvent => {
    const data = { accountId: ada.id, otherId: grace.id, removedFrom: [ada.id, grace.id] }
    return { type: 'RelationshipRemoved', data, position } as unknown as KnownEvent
  }

  it('follows from the newest snapshot and the events since; events already in it change nothing', () => {
    const all = new Acquaintances()
    all.admit(friends(5n, grace), [])
    all.apply(removedAt(5n))
    expect([...all.followersOf(grace.id)]).toStrictEqual([ada.id])
    all.apply(removedAt(6n))
    all.admit(friends(5n, grace), [])
    expect([...all.followersOf(grace.id)]).toStrictEqual([])
    all.admit(friends(7n, grace), [])
    expect([...all.followersOf(grace.id)]).toStrictEqual([ada.id])
  })

  it('is forgotten with the follower’s last session', () => {
    const all = new Acquaintances()
    all.admit(friends(5n, grace), [])
    all.forget(ada.id)
    expect([all.followersOf(grace.id).size, all.followedBy(ada.id).size]).toStrictEqual([0, 0])
  })
})
