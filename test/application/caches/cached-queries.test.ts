import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CachedQueries } from '../../../application/caches/cached-queries.ts'
import type { AllQueries } from '../../../application/ports.ts'
import { metadataOf } from '../../../application/commands/command-context.ts'
import { noStream } from '../../../domain/kernel/position.ts'
import { theInstance } from '../../../domain/instance/state.ts'
import { streamName } from '../../../domain/streams.ts'
import {
  account,
  after,
  channel,
  created,
  deleted,
  guild,
  joined,
  left,
  registered,
  someChannel,
  withChannel,
} from '../../projections/support/people.ts'
import { testContext } from '../../support/test-context.ts'
import type { AnyEvent } from '../../projections/support/world.ts'
import { cachedWorld, type CachedWorld } from './cached-world.ts'

let world: CachedWorld
let held: CachedQueries
let direct: AllQueries
let reach: CachedWorld['reach']
let guilds_count = 0
let g = guild(0)
let number = 0

const owner = account(1)
const stranger = account(3)

beforeAll(async () => {
  world = await cachedWorld()
  ;({ held, direct, reach } = world)
  await reach(registered(1), registered(2), registered(3))
})
afterAll(() => world.the.close())

beforeEach(async () => {
  number = guilds_count += 1
  g = guild(number)
  await reach(created(number), joined(number, 1), withChannel(number, someChannel(number, 1)))
  world.askedAnew()
})

const find = (who = owner) => held.queries.guilds.findFor(g, who)

describe('cached guilds', () => {
  it('are read once, with the membership and the count', async () => {
    const first = await find()
    expect(first).toEqual(await direct.guilds.findFor(g, owner).then((found) => expect.objectContaining(found ?? {})))
    expect(world.asked).toHaveLength(1)
    expect(await find()).toEqual({ guild: first?.guild, member: first?.member, memberCount: 1 })
    expect(await held.queries.guilds.findByChannel(channel(number), owner)).toMatchObject({ guild: { id: g } })
    expect(await held.queries.guilds.find(g)).toBe(first?.guild)
    expect(await held.queries.members.find(g, owner)).toBe(first?.member)
    expect(await held.queries.members.countOf(g)).toBe(1)
    expect(world.asked).toHaveLength(1)
  })
  it('are read again after each of their events', async () => {
    await find()
    await reach(withChannel(number, someChannel(1000 + number, 2)))
    expect((await find())?.guild.channels).toHaveLength(2)
    expect(world.asked).toHaveLength(2)
    await reach(deleted(number))
    expect(await find()).toBeUndefined()
    expect(await held.queries.guilds.findByChannel(channel(number), owner)).toBeUndefined()
    expect(await held.queries.guilds.find(g)).toBeUndefined()
    expect(await held.queries.members.countOf(g)).toBe(0)
  })
  it('stay when an account joins or leaves: only the membership and the count are read, together', async () => {
    await find()
    await reach(joined(number, 3))
    world.askedAnew()
    expect(await find(stranger)).toMatchObject({ member: { accountId: stranger }, memberCount: 2 })
    expect(await find()).toMatchObject({ member: { accountId: owner }, memberCount: 2 })
    expect(world.asked).toHaveLength(1)
    for (const text of world.asked) expect(text).not.toContain('guilds.channels')
    await reach(left(number, 3))
    expect((await find(stranger))?.member).toBeUndefined()
    expect(await find()).toMatchObject({ memberCount: 1 })
  })
  it('store nothing for an account that is not a member: guesses fill no memory, and a join is seen', async () => {
    await find()
    expect(await find(stranger)).toMatchObject({ member: undefined })
    expect(await find(stranger)).toMatchObject({ member: undefined })
    expect(world.asked).toHaveLength(3)
    await reach(joined(number, 3))
    expect((await find(stranger))?.member).toBeDefined()
  })
  it('are not kept if an event came during the read', async () => {
    const goOn = world.holdNext()
    const early = find()
    await expect.poll(() => world.asked.length).toBe(1)
    await reach(withChannel(number, someChannel(2000 + number, 2)))
    goOn()
    expect((await early)?.guild.channels).toHaveLength(1)
    expect((await find())?.guild.channels).toHaveLength(2)
  })
  it('are kept if only others changed during the read', async () => {
    const other = (guilds_count += 1)
    const goOn = world.holdNext()
    const early = find()
    await expect.poll(() => world.asked.length).toBe(1)
    await reach(created(other))
    goOn()
    await early
    await find()
    expect(world.asked).toHaveLength(1)
  })
  it('are not kept while some events may be missing', async () => {
    await find()
    held.end()
    await find()
    await find()
    expect(world.asked).toHaveLength(3)
    held.begin()
    await find()
    await find()
    expect(world.asked).toHaveLength(4)
  })
  it('are forgotten when an account is erased, because they contain its names', async () => {
    await find()
    const erased = { type: 'AccountErasureStarted' as const, data: { accountId: account(2) } }
    held.forget({ ...erased, stream: `account-${account(2)}` } as never)
    await find()
    expect(world.asked).toHaveLength(2)
  })
  it('agree with the read models after every event, whoever reads meanwhile', async () => {
    let isOver = false
    const reader = async (who: typeof owner): Promise<void> => {
      while (!isOver) {
        await find(who)
        await held.queries.guilds.findByChannel(channel(number), who)
        // A cached answer waits for nothing, so without this nobody else would get a turn.
        await setImmediate()
      }
    }
    const readers = [owner, stranger, owner].map(reader)
    for (let round = 0; round < 40; round += 1) {
      if (round % 4 === 0) await reach(joined(number, 3))
      else if (round % 4 === 2) await reach(left(number, 3))
      else await reach(withChannel(number, someChannel(10_000 * number + round, round)))
      for (const who of [owner, stranger])
        expect(await find(who)).toMatchObject((await direct.guilds.findFor(g, who)) ?? {})
    }
    isOver = true
    await Promise.all(readers)
  })
})

describe('cached accounts', () => {
  it('are read once, alone or with others, until an event changes them', async () => {
    const { accounts } = held.queries
    const ada = await accounts.find(owner)
    world.askedAnew()
    expect(await accounts.find(owner)).toBe(ada)
    expect((await accounts.findMany([owner, account(2)])).map(({ id }) => id)).toEqual([owner, account(2)])
    expect(await accounts.findMany([account(2), owner])).toContain(ada)
    expect(world.asked).toHaveLength(1)
    await reach({ type: 'ProfileChanged', data: { accountId: owner, changes: { bio: 'Countess' } } } as AnyEvent)
    expect((await accounts.find(owner))?.profile.bio).toBe('Countess')
  })
  it('that do not exist are read each time', async () => {
    expect(await held.queries.accounts.find(account(999))).toBeUndefined()
    expect(await held.queries.accounts.find(account(999))).toBeUndefined()
    expect(world.asked).toHaveLength(2)
  })
  it('of bots are read each time, because they depend on their owners', async () => {
    await reach(registered(500, { botOwnerId: owner }))
    world.askedAnew()
    for (let time = 0; time < 2; time += 1) await held.queries.accounts.find(account(500))
    expect(world.asked).toHaveLength(2)
  })
})

describe('how often lists have changed', () => {
  const details = { matchSubdomains: true, sourceUrl: null, notes: null, contentType: null, reason: null }
  const added = (entryId: string) =>
    ({
      type: 'BlocklistEntryAdded',
      data: {
        entryId,
        list: 'phrase',
        scope: null,
        value: entryId,
        details: { category: 'manual', severity: 2, ...details },
        addedBy: owner,
        addedAt: after(1),
      },
    }) as const satisfies AnyEvent
  const banned = (network: string) =>
    ({
      type: 'NetworkBanned',
      data: { network, cause: 'operator', reason: null, bannedAt: after(1), expiresAt: null },
    }) as const satisfies AnyEvent
  const lists = {
    blocklists: { changes: (queries: AllQueries) => queries.blocklists.changes(), change: added },
    'banned networks': { changes: (queries: AllQueries) => queries.networkBans.changes(), change: banned },
  }
  let networks = 0
  const next = (): string => `10.0.0.${(networks += 1)}`

  describe.each(Object.entries(lists))('%s', (_name, { changes, change }) => {
    it('is read once, until one of their events', async () => {
      const before = await changes(held.queries)
      world.askedAnew()
      expect(await changes(held.queries)).toBe(before)
      expect(world.asked).toHaveLength(0)
      await reach(change(next()))
      expect(await changes(held.queries)).toBe(before + 1)
      expect(world.asked).toHaveLength(1)
    })
    it('is read each time while another process projects', async () => {
      held.end()
      world.askedAnew()
      try {
        for (let time = 0; time < 2; time += 1) await changes(held.queries)
        expect(world.asked).toHaveLength(2)
      } finally {
        held.begin()
      }
    })
  })
  it('so it is with the instance, by the events of its stream', async () => {
    const before = await held.instance.changes()
    await reach(created((guilds_count += 1)))
    expect(await held.instance.changes()).toBe(before)
    const stream = streamName('instance', theInstance)
    const metadata = metadataOf(testContext(), stream, 'test', 0)
    const data = { traitDefinitions: [], rules: [], changedAt: after(1) }
    const appended = await world.the.store.append(stream, noStream, [{ type: 'LimitConfigChanged', data, metadata }])
    if (appended.outcome === 'appended') await world.projector.reached(appended.position)
    expect(await held.instance.changes()).toBe(before + 1)
  })
})
