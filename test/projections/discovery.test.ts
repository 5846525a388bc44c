import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DirectoryListing } from '../../domain/discovery-application/listing.ts'
import { guildId, type GuildId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { discoveryProjection } from '../../projections/discovery/projector.ts'
import { discoveryQueries } from '../../projections/discovery/queries.ts'
import { guildsProjection } from '../../projections/guilds/projector.ts'
import { membersProjection } from '../../projections/members/projector.ts'
import { account, after, created, deleted, guild, joined } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const queries = () => discoveryQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector([guildsProjection, membersProjection, discoveryProjection])
})
afterAll(() => the.close())

const listing: DirectoryListing = {
  description: 'A place for chess',
  categoryType: 0,
  primaryLanguage: 'en-US',
  customTags: ['chess', 'go'],
}
const applied = (id: GuildId, more: Partial<DirectoryListing> = {}, approvedAtOnce = false): AnyEvent => ({
  type: 'DiscoveryApplied',
  data: {
    guildId: id,
    decision: 1,
    appliedBy: account(1),
    listing: { ...listing, ...more },
    guild: null,
    approvedAtOnce,
    appliedAt: after(1),
  },
})
const evidence = { ...listing, guild: null }
const approved = (id: GuildId): AnyEvent => ({
  type: 'DiscoveryApplicationApproved',
  data: { guildId: id, decision: 2, reviewedBy: account(2), reason: 'fine', evidence, reviewedAt: after(2) },
})
const rejected = (id: GuildId): AnyEvent => ({
  type: 'DiscoveryApplicationRejected',
  data: { guildId: id, reviewedBy: account(2), reason: 'too small', evidence, reviewedAt: after(2) },
})
const removed = (id: GuildId): AnyEvent => ({
  type: 'DiscoveryListingRemoved',
  data: { guildId: id, decision: 3, removedBy: account(2), reason: 'spam', evidence, removedAt: after(3) },
})
const place = (number: number): GuildId => guildId(snowflake(`77000${number}`))
const page = { limit: 100, offset: 0 }

describe('an application to the directory', () => {
  const id = place(1)
  const pending = {
    guildId: id,
    status: 'pending',
    listing,
    appliedAt: after(1),
    reviewedAt: null,
    reviewReason: null,
    removedAt: null,
    removalReason: null,
  }

  it('is kept from its submission to its withdrawal, with the last review and removal', async () => {
    await happens(applied(id))
    expect(await queries().find(id)).toStrictEqual(pending)
    await happens(rejected(id))
    const review = { reviewedAt: after(2), reviewReason: 'too small' }
    expect(await queries().find(id)).toStrictEqual({ ...pending, status: 'rejected', ...review })
    await happens(applied(id), approved(id))
    const approval = { reviewedAt: after(2), reviewReason: 'fine' }
    expect(await queries().find(id)).toStrictEqual({ ...pending, status: 'approved', ...approval })
    await happens(removed(id))
    const removal = { removedAt: after(3), removalReason: 'spam' }
    expect(await queries().find(id)).toStrictEqual({ ...pending, status: 'removed', ...approval, ...removal })
    await happens({
      type: 'DiscoveryApplicationWithdrawn',
      data: { guildId: id, decision: 4, withdrawnBy: account(1), withdrawnAt: after(4) },
    })
    expect(await queries().find(id)).toBeUndefined()
  })

  it('says what was written last, by the guild or by an administrator', async () => {
    await happens(
      applied(id),
      {
        type: 'DiscoveryApplicationEdited',
        data: {
          guildId: id,
          editedBy: account(1),
          byAdministrator: false,
          before: { customTags: ['chess', 'go'] },
          after: { customTags: [], primaryLanguage: 'ja' },
          editedAt: after(2),
        },
      },
      {
        type: 'DiscoveryListingMoved',
        data: { guildId: id, movedBy: account(2), before: 0, after: 8, movedAt: after(3) },
      },
    )
    const now = { ...listing, customTags: [], primaryLanguage: 'ja', categoryType: 8 }
    expect(await queries().find(id)).toStrictEqual({ ...pending, listing: now })
    await happens({ type: 'DiscoveryApplicationDropped', data: { guildId: id } })
    expect(await queries().find(id)).toBeUndefined()
  })
})

describe('the lists of the directory', () => {
  it('have the applications of a status, each with its guild, and without one that is gone', async () => {
    await happens(created(1), joined(1, 1))
    await happens(applied(guild(1), {}, true), applied(place(2), {}, true), applied(place(3)))
    const listed = await queries().ofStatus('approved')
    expect(listed.map(({ application, guild: of }) => [application.guildId, of?.memberCount])).toStrictEqual(
      expect.arrayContaining([
        [guild(1), 1],
        [place(2), undefined],
      ]),
    )
    expect((await queries().ofStatus('pending')).map(({ application }) => application.guildId)).toStrictEqual([
      place(3),
    ])
    expect(await queries().guildFacts(guild(1))).toMatchObject({ icon: null, memberCount: 1 })
    expect(await queries().guildFacts(place(2))).toBeUndefined()
  })

  it('count a guild that is gone as 0 members, and place it last', async () => {
    const ids = async () => (await queries().ofCategory(0, page)).map(({ application }) => application.guildId)
    expect(await ids()).toStrictEqual([guild(1), place(2)])
    expect(await queries().countOf(0)).toBe(2)
    expect(await queries().ofCategory(0, { limit: 1, offset: 1 })).toMatchObject([
      { application: { guildId: place(2) } },
    ])
    await happens(deleted(1))
    expect((await ids()).toSorted()).toStrictEqual([guild(1), place(2)].toSorted())
  })

  it('leave out an application whose stream cannot be read to its end', async () => {
    const [stuck, whole] = [place(4), place(5)]
    await happens(applied(stuck, { categoryType: 6 }, true), applied(whole, { categoryType: 6 }, true))
    const ids = async () => (await queries().ofCategory(6, page)).map(({ application }) => application.guildId)
    expect(await ids()).toStrictEqual([stuck, whole])
    await the.rows(`
      insert into read_models.parked (schema, stream, position, event_id, type, cause, reason)
      values ('discovery', 'discovery_application-${stuck}', 1, gen_random_uuid(), 'DiscoveryLiked', 'unreadable', 'is not known')`)
    expect(await ids()).toStrictEqual([whole])
    expect(await queries().countOf(6)).toBe(1)
    const listed = await queries().ofStatus('approved')
    expect(listed.map(({ application }) => application.guildId)).not.toContain(stuck)
    await the.rows(`delete from read_models.parked`)
  })
})
