import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DirectoryListing } from '../../domain/discovery-application/listing.ts'
import { inviteCode } from '../../domain/ids/ids.ts'
import { guildSearchProjection } from '../../projections/guild-search/projector.ts'
import { guildSearchQueries } from '../../projections/guild-search/queries.ts'
import { account, after, created, deleted, guild } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const queries = () => guildSearchQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))
const page = { limit: 50, offset: 0 }

beforeAll(async () => {
  the = await world()
  projector = await the.projector([guildSearchProjection])
})

afterAll(() => the.close())

const renamed = (number: number, name: string): AnyEvent => ({
  type: 'GuildModified',
  data: { guildId: guild(number), before: { name: '' }, after: { name } },
})
const holdsCode = (number: number, code: string | null): AnyEvent => ({
  type: 'VanityCodeChanged',
  data: {
    guildId: guild(number),
    before: null,
    after: code === null ? null : { code: inviteCode(code), claim: 1 },
  },
})
const applied = (number: number, more: Partial<DirectoryListing>): AnyEvent => ({
  type: 'DiscoveryApplied',
  data: {
    guildId: guild(number),
    decision: 1,
    appliedBy: account(1),
    listing: { description: 'A place', categoryType: 0, primaryLanguage: 'en-US', customTags: [], ...more },
    guild: null,
    approvedAtOnce: false,
    appliedAt: after(1),
  },
})
const edited = (number: number, change: Partial<DirectoryListing>): AnyEvent => ({
  type: 'DiscoveryApplicationEdited',
  data: {
    guildId: guild(number),
    editedBy: account(1),
    byAdministrator: false,
    before: {},
    after: change,
    editedAt: after(2),
  },
})

/** The numbers of the guilds that are found, and how many there are. */
const found = async (text: string, except?: number) => {
  const { ids, total } = await queries().matching(
    { text, except: except === undefined ? undefined : guild(except) },
    page,
  )
  expect(total).toBe(ids.length)
  return ids.map((id) => Number(BigInt(id) - BigInt(guild(0))))
}

describe('guilds are found', () => {
  it('oldest first and counted, with none before the first', async () => {
    expect(await queries().oldest(page)).toStrictEqual({ ids: [], total: 0 })
    await happens(created(3), created(1), created(2))
    expect(await queries().oldest(page)).toStrictEqual({ ids: [guild(1), guild(2), guild(3)], total: 3 })
    expect(await queries().oldest({ limit: 1, offset: 1 })).toStrictEqual({ ids: [guild(2)], total: 3 })
    expect(await queries().matching({ text: 'guild', except: undefined }, { limit: 1, offset: 2 })).toStrictEqual({
      ids: [guild(3)],
      total: 3,
    })
  })

  it('by any part of a name from three characters on, and by its beginning below that, whatever the case', async () => {
    await happens(created(11), renamed(11, 'The Analytical ENGINE'))
    for (const text of ['the analytical engine', 'lytic', 'e a', 'ine', 'th', 't'])
      expect(await found(text)).toEqual([11])
    for (const text of ['ly', 'theanalytical', 'guild 11']) expect(await found(text)).toEqual([])
  })

  it('by a text as it is: wildcards match themselves', async () => {
    await happens(created(12), renamed(12, 'under_score'), created(13), renamed(13, 'underXscore'))
    expect(await found('r_s')).toEqual([12])
    for (const text of ['%', '___', 'und%ore', 'un%', '\\', 'r\\_s']) expect(await found(text)).toEqual([])
    expect(await found('under', 12)).toEqual([13])
  })

  it('by their custom code as long as they have it', async () => {
    await happens(created(14), holdsCode(14, 'babbage'))
    for (const text of ['babbage', 'bbag', 'ba']) expect(await found(text)).toEqual([14])
    await happens(holdsCode(14, null))
    expect(await found('babbage')).toEqual([])
  })

  it('by the description and the tags of their application as it is, until it is taken back', async () => {
    await happens(created(15), applied(15, { description: 'All about Looms', customTags: ['weaving', 'cards'] }))
    for (const text of ['looms', 'about l', 'eavin', 'cards']) expect(await found(text)).toEqual([15])
    expect(await found('al')).toEqual([])
    await happens(edited(15, { customTags: ['punching'] }), edited(15, { categoryType: 3 }))
    for (const text of ['looms', 'punching']) expect(await found(text)).toEqual([15])
    expect(await found('cards')).toEqual([])
    await happens(edited(15, { description: 'All about threads' }))
    expect(await found('looms')).toEqual([])
    await happens({
      type: 'DiscoveryApplicationWithdrawn',
      data: { guildId: guild(15), decision: 2, withdrawnBy: account(1), withdrawnAt: after(3) },
    })
    for (const text of ['threads', 'punching']) expect(await found(text)).toEqual([])
  })

  it('no longer once they are deleted: no row is left of them', async () => {
    const { total } = await queries().oldest(page)
    await happens(created(16), renamed(16, 'Vanished'))
    expect(await found('vanished')).toEqual([16])
    await happens(deleted(16), applied(16, { description: 'too late, vanished' }))
    expect(await found('vanished')).toEqual([])
    expect((await queries().oldest(page)).total).toBe(total)
  })

  it('with a total that is the number of rows', async () => {
    expect(await the.rows('select guilds::int4 from guild_search.totals')).toStrictEqual(
      await the.rows('select count(*)::int4 as guilds from guild_search.guilds'),
    )
  })
})

describe('the index for parts of texts', () => {
  it('is there, and a selective search reads no other rows', async () => {
    expect(await queries().canSearch()).toBe(true)
    await the.rows(`insert into guild_search.guilds select i, md5(i::text) from generate_series(1, 20000) i`)
    await the.rows('vacuum analyze guild_search.guilds')
    const plan = await the.rows(
      `explain select count(*) from guild_search.guilds
        where name like '%abcdef%' or vanity_code like '%abcdef%' or description like '%abcdef%' or tags like '%abcdef%'`,
    )
    expect(JSON.stringify(plan)).toContain('guilds_by_part')
    expect(JSON.stringify(plan)).not.toContain('Seq Scan')
  })
  it('is missing without the extension pg_trgm, with every row there', async () => {
    const without = await world()
    await without.rows('drop extension pg_trgm')
    const runner = await without.projector([guildSearchProjection])
    await runner.reached(await without.happens(created(1)))
    const { canSearch, oldest } = guildSearchQueries(without.database)
    expect(await canSearch()).toBe(false)
    expect(await oldest(page)).toStrictEqual({ ids: [guild(1)], total: 1 })
    expect(without.errors).toStrictEqual([])
    await without.close()
  })
})
