import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { guildsByRevision } from '../../../application/caches/guilds-by-revision.js'
import type { GuildQueries, UnlessKnown } from '../../../application/ports/queries/guild-queries.js'
import { guildQueries, guildsUnlessKnown } from '../../../projections/guilds/queries.js'
import { readModels } from '../../../projections/read-models.js'
import {
  account,
  after,
  banned,
  channel,
  created,
  deleted,
  guild,
  joined,
  left,
  registered,
  someChannel,
  someRole,
  withChannel,
  withRole,
} from '../../projections/support/people.js'
import { world, type AnyEvent, type TestProjector, type World } from '../../projections/support/world.js'

let the: World
let projector: TestProjector
let direct: GuildQueries
let cached: GuildQueries
/** How many guilds Postgres sent whole since the test began. */
let wholes = 0
let number = 0
let g = guild(0)

const owner = account(1)
const stranger = account(3)
const newcomer = { accountId: stranger, email: null, ip: null }
const reach = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  const { database } = the
  const counted = async <Found extends UnlessKnown<object>>(found: Promise<Found | undefined>) => {
    if ((await found)?.guild) wholes += 1
    return found
  }
  const { find, findFor, findByChannel, findForNewcomer } = guildsUnlessKnown(database)
  direct = guildQueries(database)
  cached = guildsByRevision(direct, {
    find: (...asked) => counted(find(...asked)),
    findFor: (...asked) => counted(findFor(...asked)),
    findByChannel: (...asked) => counted(findByChannel(...asked)),
    findForNewcomer: (...asked) => counted(findForNewcomer(...asked)),
  })
  projector = await the.projector(readModels)
  await reach(registered(1), registered(3))
})
afterAll(() => the.close())

beforeEach(async () => {
  number += 1
  g = guild(number)
  await reach(created(number), joined(number, 1), withChannel(number, someChannel(number, 1)))
  wholes = 0
})

/** What each query gives, asked twice. The second time, what was read is cached. */
async function agree(): Promise<void> {
  for (let time = 0; time < 2; time += 1) {
    for (const who of [owner, stranger]) {
      const found = await direct.findFor(g, who)
      expect(await cached.findFor(g, who)).toEqual(found && expect.objectContaining(found))
      expect(await cached.findByChannel(channel(number), who)).toEqual(found && expect.objectContaining(found))
    }
    const asking = await direct.findForNewcomer(g, newcomer, after(1))
    expect(await cached.findForNewcomer(g, newcomer, after(1))).toEqual(asking && expect.objectContaining(asking))
    expect(await cached.find(g)).toEqual(await direct.find(g))
  }
}

describe('guilds cached by their revision', () => {
  it('are read whole once, and again after each of their changes', async () => {
    await agree()
    expect(wholes).toBe(1)
    const changes = [
      withChannel(number, someChannel(1000 + number, 2)),
      withRole(number, someRole(2000 + number, 1)),
      { type: 'OwnershipTransferred', data: { guildId: g, from: owner, to: stranger } },
      { type: 'GuildFeaturesChanged', data: { guildId: g, features: ['NEWS'] } },
    ] as readonly AnyEvent[]
    for (const change of changes) {
      await reach(change)
      wholes = 0
      await agree()
      expect({ change: change.type, wholes }).toStrictEqual({ change: change.type, wholes: 1 })
    }
  })

  it('are not read again for what happens to members, which is asked each time', async () => {
    await agree()
    for (const event of [joined(number, 3), left(number, 3), banned(number, 3)]) {
      await reach(event)
      wholes = 0
      await agree()
      expect(wholes).toBe(0)
    }
  })

  it('are gone as soon as they are deleted', async () => {
    await agree()
    await reach(deleted(number))
    expect(await cached.find(g)).toBeUndefined()
    expect(await cached.findFor(g, owner)).toBeUndefined()
    expect(await cached.findByChannel(channel(number), owner)).toBeUndefined()
    expect(await cached.findForNewcomer(g, newcomer, after(1))).toBeUndefined()
  })

  it('are not found by a channel that was deleted', async () => {
    await agree()
    const removed = someChannel(number, 1)
    await reach({ type: 'ChannelDeleted', data: { guildId: g, channel: removed, orphans: [] } } as AnyEvent)
    expect(await cached.findByChannel(channel(number), owner)).toBeUndefined()
    expect((await cached.find(g))?.channels).toStrictEqual([])
  })

  it('have the roles of members that they have themselves', async () => {
    await reach(withRole(number, someRole(3000 + number, 1)))
    const before = await cached.findFor(g, owner)
    expect(before?.guild.roles).toHaveLength(1)
    await reach({
      type: 'RoleDeleted',
      data: { guildId: g, role: someRole(3000 + number, 1), memberIds: [] },
    } as AnyEvent)
    expect((await cached.findFor(g, owner))?.guild.roles).toHaveLength(0)
  })
})
