import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { channelId } from '../../../domain/ids/ids.ts'
import type { Client, Payload } from '../support/client.ts'
import { joined, sometime } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'
import { typedAt_s } from '../support/typists.ts'

let stage: Stage
let ada: Account
let grace: Account
beforeEach(async () => {
  stage = await openStage()
  ada = stage.account()
  grace = stage.account()
})
afterEach(async () => {
  expect(stage.errors).toStrictEqual([])
  await stage.end()
})

/** Ada's guild, which Grace is in. */
function guildOf(extras = 0): Place {
  const place = stage.found(ada, { extras })
  stage.happen(joined(place.id, grace.id))
  return place
}

/** The dispatches of this kind that each client gets while something happens. */
async function heard(place: Place, clients: readonly Client[], happens: () => void): Promise<readonly Payload[][]> {
  happens()
  await stage.handled()
  const told = await stage.told(place, ...clients)
  return told.map((payloads) => payloads.filter(({ t }) => t === 'TYPING_START'))
}

const choose = (client: Client, place: Place, entry: object): void =>
  client.send(14, { subscriptions: { [place.id]: entry } })
/** What a client has sent is handled. */
async function handled(client: Client): Promise<void> {
  client.send(1, null)
  await client.op(11)
}

describe('TYPING_START', () => {
  it('names who is writing, as a member, and when, to the writer too', async () => {
    const home = guildOf()
    const clients = [await stage.identify(ada), await stage.identify(grace)]
    const told = await heard(home, clients, () =>
      stage.typists.type(grace.id, { channelId: home.general, guildId: home.id }),
    )
    const d = {
      channel_id: home.general,
      guild_id: home.id,
      user_id: grace.id,
      timestamp: typedAt_s,
      member: expect.objectContaining({ user: expect.objectContaining({ id: grace.id }), roles: [] }),
    }
    expect(told).toMatchObject([[{ d }], [{ d }]])
  })

  it('reaches a passive session of a large guild that chose it, and an active one unless it chose not to', async () => {
    const large = guildOf(300)
    const passive = await stage.identify(ada)
    const active = await stage.identify(grace, { initial_guild_id: large.id })
    const types = () => stage.typists.type(grace.id, { channelId: large.general, guildId: large.id })
    const counts = async () => (await heard(large, [passive, active], types)).map(({ length }) => length)
    expect(await counts()).toStrictEqual([0, 1])
    choose(passive, large, { typing: true })
    choose(active, large, { typing: false })
    await Promise.all([passive, active].map(handled))
    expect(await counts()).toStrictEqual([1, 0])
    for (const client of [passive, active]) choose(client, large, { typing: 'yes', active: client === passive })
    await Promise.all([passive, active].map(handled))
    expect(await counts()).toStrictEqual([1, 0])
  })

  it('does not reach a session of a small guild that chose not to hear it', async () => {
    const home = guildOf()
    const client = await stage.identify(ada)
    choose(client, home, { typing: false })
    await handled(client)
    const told = await heard(home, [client], () =>
      stage.typists.type(grace.id, { channelId: home.general, guildId: home.id }),
    )
    expect(told).toStrictEqual([[]])
  })

  it('of a private thread reaches its members and moderators; of one that is gone nobody', async () => {
    const home = guildOf()
    const hedy = stage.account()
    stage.happen(joined(home.id, hedy.id))
    const clients = [
      await stage.identify(ada, { flags: 4 }),
      await stage.identify(grace, { flags: 4 }),
      await stage.identify(hedy, { flags: 4 }),
    ]
    const thread = channelId(stage.newId())
    stage.models.threadPartakers.set(thread, [grace.id])
    const place = { channelId: thread, channelType: 12, guildId: home.id, parentId: home.general }
    const told = await heard(home, clients, () => stage.typists.type(grace.id, place))
    expect(told.map(({ length }) => length)).toStrictEqual([1, 1, 0])
    stage.models.goneThreads.add(thread)
    expect(await heard(home, clients, () => stage.typists.type(grace.id, place))).toStrictEqual([[], [], []])
  })

  it('of a private channel reaches its recipients, without the member', async () => {
    const home = guildOf()
    const hedy = stage.account()
    stage.happen(joined(home.id, hedy.id))
    const clients = [await stage.identify(ada), await stage.identify(grace), await stage.identify(hedy)]
    const id = channelId(stage.newId())
    const recipients = [ada.id, grace.id]
    const direct = { id, kind: 'direct', recipients, closedFor: [], ownerId: null, name: null, icon: null, nicks: {} }
    stage.models.privateChannels.set(ada.id, [{ ...direct, kind: 'direct' }])
    const told = await heard(home, clients, () => stage.typists.type(grace.id, { channelId: id, channelType: 1 }))
    const d = { channel_id: id, user_id: grace.id, timestamp: typedAt_s }
    expect(told.map((payloads) => payloads.map((payload) => payload.d))).toStrictEqual([[d], [d], []])
    const notes = { channelId: channelId(grace.id), channelType: 999 }
    expect(
      (await heard(home, clients, () => stage.typists.type(grace.id, notes))).map(({ length }) => length),
    ).toStrictEqual([0, 1, 0])
  })

  it('is not told of somebody who has left the guild', async () => {
    const home = guildOf()
    const client = await stage.identify(ada)
    stage.happen({ type: 'MemberKicked', data: { guildId: home.id, accountId: grace.id, kickedAt: sometime } })
    const told = await heard(home, [client], () =>
      stage.typists.type(grace.id, { channelId: home.general, guildId: home.id }),
    )
    expect(told).toStrictEqual([[]])
  })
})
