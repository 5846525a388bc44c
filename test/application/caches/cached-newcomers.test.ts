import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CachedQueries } from '../../../application/caches/cached-queries.ts'
import type { AllQueries } from '../../../application/ports.ts'
import {
  account,
  after,
  banned,
  created,
  deleted,
  guild,
  joined,
  registered,
  someChannel,
  withChannel,
} from '../../projections/support/people.ts'
import { cachedWorld, type CachedWorld } from './cached-world.ts'

let world: CachedWorld
let held: CachedQueries
let direct: AllQueries
let reach: CachedWorld['reach']
let number = 0
let g = guild(0)

const owner = account(1)
const stranger = account(3)
const newcomer = { accountId: stranger, email: null, ip: null }
const find = (who: typeof owner) => held.queries.guilds.findFor(g, who)
const ask = () => held.queries.guilds.findForNewcomer(g, newcomer, after(1))

beforeAll(async () => {
  world = await cachedWorld()
  ;({ held, direct, reach } = world)
  await reach(registered(1), registered(3))
})
afterAll(() => world.the.close())

beforeEach(async () => {
  number += 1
  g = guild(number)
  await reach(created(number), joined(number, 1), withChannel(number, someChannel(number, 1)))
  await find(owner)
  world.askedAnew()
})

describe('guilds that are kept', () => {
  it('are asked once for a newcomer: the membership, bans, and how many guilds it is in', async () => {
    const guildsOfStranger = await direct.members.guildCountOf(stranger)
    world.askedAnew()
    expect(await ask()).toStrictEqual({ ...(await direct.guilds.findForNewcomer(g, newcomer, after(1))) })
    expect(await held.queries.members.guildCountOf(stranger)).toBe(guildsOfStranger)
    expect(world.asked).toHaveLength(1)
    for (const text of world.asked) expect(text).not.toContain('guilds.channels')
    await reach(joined(number, 3))
    expect(await held.queries.members.guildCountOf(stranger)).toBe(guildsOfStranger + 1)
    expect(await ask()).toMatchObject({ member: { accountId: stranger }, memberCount: 2, keptOutBy: undefined })
    await find(stranger)
    world.askedAnew()
    expect(await ask()).toMatchObject({ member: { accountId: stranger } })
    expect(world.asked).toHaveLength(0)
  })
  it('show each ban to the next newcomer', async () => {
    expect(await ask()).toMatchObject({ keptOutBy: undefined })
    await reach(banned(number, 3))
    expect(await ask()).toMatchObject({ keptOutBy: 'person' })
  })
  it('no longer count in how many guilds an account is once one of its guilds is deleted', async () => {
    const other = 1000 + number
    await reach(created(other), joined(other, 3))
    await ask()
    const before = await direct.members.guildCountOf(stranger)
    expect(await held.queries.members.guildCountOf(stranger)).toBe(before)
    await reach(deleted(other))
    expect(await held.queries.members.guildCountOf(stranger)).toBe(before - 1)
  })
})
