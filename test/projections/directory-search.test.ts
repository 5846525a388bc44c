import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DirectorySearch } from '../../application/ports/queries/directory-search-queries.ts'
import { rebuild } from '../../projections/runner/rebuild.ts'
import { discoveryProjection } from '../../projections/discovery/projector.ts'
import { directorySearchQueries } from '../../projections/discovery/search-queries.ts'
import { guildsProjection } from '../../projections/guilds/projector.ts'
import { membersProjection } from '../../projections/members/projector.ts'
import { account, after, created, deleted, guild, joined } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

const projections = [guildsProjection, membersProjection, discoveryProjection]
let the: World
let projector: TestProjector
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector(projections)
})
afterAll(() => the.close())

const listed = (number: number, description: string): AnyEvent => ({
  type: 'DiscoveryApplied',
  data: {
    guildId: guild(number),
    decision: 1,
    appliedBy: account(1),
    listing: { description, categoryType: 3, primaryLanguage: 'en-US', customTags: [] },
    guild: null,
    approvedAtOnce: true,
    appliedAt: after(1),
  },
})
const wanted: DirectorySearch = {
  words: ['lighthouse'],
  categoryType: undefined,
  language: undefined,
  tag: undefined,
  byMembers: true,
}
const page = { limit: 10, offset: 0 }

it('every process finds what is listed by then, in the order of the members by then', async () => {
  const [one, other] = [directorySearchQueries(the.database), directorySearchQueries(the.database)]
  const idsIn = async ({ search }: typeof one) => (await search(wanted, page)).ids
  expect(await idsIn(one)).toStrictEqual([])
  await happens(created(1), created(2), joined(1, 1), listed(1, 'A lighthouse'), listed(2, 'Lighthouse keepers'))
  expect(await idsIn(one)).toStrictEqual([guild(1), guild(2)])
  await happens(joined(2, 1), joined(2, 2))
  expect(await idsIn(one)).toStrictEqual([guild(2), guild(1)])
  expect(await idsIn(other)).toStrictEqual([guild(2), guild(1)])
  await happens(deleted(2))
  const found = { ids: [guild(1)], counts: [{ categoryType: 3, count: 1 }] }
  expect(await Promise.all([one.search(wanted, page), other.search(wanted, page)])).toStrictEqual([found, found])
})

it('leaves out a listing whose stream cannot be read to its end, as long as it is so', async () => {
  const { search } = directorySearchQueries(the.database)
  const ids = async () => (await search(wanted, page)).ids
  await happens(created(3), listed(3, 'The third lighthouse'))
  expect(await ids()).toStrictEqual([guild(1), guild(3)])
  await the.rows(`
    insert into read_models.parked (schema, stream, position, event_id, type, cause, reason)
    values ('discovery', 'discovery_application-${guild(3)}', 1, gen_random_uuid(), 'DiscoveryLiked', 'unreadable', 'is not known')`)
  expect(await ids()).toStrictEqual([guild(1)])
  await the.rows('delete from read_models.parked')
  expect(await ids()).toStrictEqual([guild(1), guild(3)])
})

it('reads what is listed before the first search, so that the search reads only what changed since', async () => {
  const read: unknown[] = []
  const { search, prepare } = directorySearchQueries({
    any: async (query) => {
      const rows = await the.database.any(query)
      read.push(...rows)
      return rows
    },
    maybeOne: (query) => the.database.maybeOne(query),
    one: (query) => the.database.one(query),
  })
  await prepare()
  expect(read).toContainEqual(expect.objectContaining({ changed_id: guild(3), description: 'The third lighthouse' }))
  read.length = 0
  expect((await search(wanted, page)).ids).toStrictEqual([guild(1), guild(3)])
  expect(read).toMatchObject([{ changed_id: null }])
})

it('reads everything again when the read model was rebuilt', async () => {
  const { search } = directorySearchQueries(the.database)
  const ids = async () => (await search(wanted, page)).ids
  await the.rows(`update discovery.applications set status = 'pending' where guild_id = ${guild(3)}`)
  expect(await ids()).toStrictEqual([guild(1)])
  await rebuild('discovery', {
    pool: the.database.pool,
    store: the.store,
    projections,
    signal: new AbortController().signal,
  })
  expect(await ids()).toStrictEqual([guild(1), guild(3)])
})

it('tells each search how long it held the event loop, also of those that share a reading', async () => {
  const { search } = directorySearchQueries(the.database)
  const spent: [string, number][] = []
  const words = (word: string) => ({ ...wanted, words: [word] })
  await Promise.all(
    ['lighthouse', 'keepers'].map((word) => search(words(word), page, (spent_ms) => spent.push([word, spent_ms]))),
  )
  expect(spent.map(([word]) => word).toSorted()).toStrictEqual(['keepers', 'lighthouse'])
  for (const [, spent_ms] of spent) expect(spent_ms).toBeGreaterThan(0)
})
