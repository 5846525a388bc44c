import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import { accept, bodyOf, expectFields, expectRefusal, found, invite, listOf } from '../../support/answers.ts'
import { applied, chess, directoryOf, eventsOf, featuresOf, reviewsOf } from '../../support/discovery.ts'
import { nowhere } from '../../support/guilds.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer()
const [ada, brian] = await Promise.all([guildhall.register(), guildhall.register()])
const admin = await administrator(guildhall, 'admin:authenticate', 'discovery:review', 'discovery:remove')
const reviews = reviewsOf(guildhall, admin)

const entries = async () => (await auditEntries(guildhall)).filter(({ adminId }) => adminId === admin.id)
const lastEntry = async () => (await entries()).at(-1)
const phrase = 'a very dubious chess club'
const root = await administrator(guildhall, '*')

async function approved(category_type = 0) {
  const guild = await applied(guildhall, ada, { ...chess, category_type })
  bodyOf(await reviews.approve(guild.id))
  return guild
}

const own = (items: readonly Readonly<Record<string, unknown>>[], id: string) =>
  items.filter(({ guild_id: each }) => each === id)

describe('List discovery applications', () => {
  it('has the pending ones alone, each with its guild and its owner', async () => {
    const guild = await applied(guildhall, ada, { ...chess, custom_tags: ['chess'] })
    const gone = await approved()
    const pending = listOf(await reviews.pending())
    expect(own(pending, gone.id)).toStrictEqual([])
    const { username } = bodyOf(await guildhall.request('GET', '/v1/users/@me', { token: ada.token }))
    expect(own(pending, guild.id)).toStrictEqual([
      {
        guild_id: guild.id,
        guild_name: 'Home',
        guild_icon: null,
        guild_owner_id: ada.id,
        guild_owner_username: username,
        guild_owner_global_name: null,
        guild_owner_discriminator: expect.stringMatching(/^\d{4}$/),
        guild_member_count: 1,
        guild_nsfw_level: 0,
        guild_features: await featuresOf(guildhall, guild.id),
        description: 'A place for chess',
        category_type: 0,
        primary_language: 'en-US',
        custom_tags: ['chess'],
        applied_at: expect.any(String),
      },
    ])
    expect(await lastEntry()).toMatchObject({
      action: 'list_discovery_applications',
      targetType: 'guild',
      targetId: '0',
      metadata: { result_count: String(pending.length) },
    })
  })
})

describe('List discovery listings', () => {
  it('has the approved ones alone, with the time of the approval', async () => {
    const guild = await approved()
    const pending = await applied(guildhall, ada)
    const listings = listOf(await reviews.listings())
    expect(own(listings, pending.id)).toStrictEqual([])
    expect(own(listings, guild.id)).toMatchObject([
      { approved_at: expect.any(String), guild_features: expect.arrayContaining(['DISCOVERABLE']) },
    ])
    expect(await lastEntry()).toMatchObject({
      action: 'list_discovery_listings',
      targetId: '0',
      metadata: { result_count: String(listings.length) },
    })
    bodyOf(await reviews.remove(guild.id))
    expect(own(listOf(await reviews.listings()), guild.id)).toStrictEqual([])
  })
})

describe('List discovery categories', () => {
  it('has nine in ascending order', async () => {
    const categories = listOf(await reviews.categories())
    expect(categories.map(({ id }) => id)).toStrictEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(categories[4]).toStrictEqual({ id: 4, name: 'Science & Technology' })
    expect(await lastEntry()).toMatchObject({
      action: 'list_discovery_categories',
      targetType: 'discovery_category',
      targetId: '0',
      metadata: { result_count: '9' },
    })
  })
})

describe('List guilds in a discovery category', () => {
  it('has most members first, then by id, and cuts the page after that', async () => {
    const category = 7
    const [first, second, third] = [await approved(category), await approved(category), await approved(category)]
    bodyOf(await accept(guildhall, brian, await invite(guildhall, ada, third.channel)))
    const page = async (query = '') =>
      listOf(await reviews.category(category, query)).map(({ guild_id: id }) => String(id))
    const ids = [first.id, second.id, third.id]
    expect((await page()).filter((id) => ids.includes(id))).toStrictEqual([third.id, first.id, second.id])
    const all = await page()
    expect(await page('?limit=1')).toStrictEqual(all.slice(0, 1))
    expect(await page('?limit=2&offset=1')).toStrictEqual(all.slice(1, 3))
    expect(await lastEntry()).toMatchObject({
      action: 'list_discovery_category_listings',
      targetType: 'discovery_category',
      targetId: '0',
      metadata: { category_id: '7', limit: '2', offset: '1', result_count: '2', total: String(all.length) },
    })
    expect(await page('?offset=10000')).toStrictEqual([])
    expect((await lastEntry())?.metadata).toMatchObject({ result_count: '0', total: String(all.length) })
  })

  it.each(['?limit=0', '?limit=101', '?limit=x'])('refuses %s', async (query) => {
    expectFields(await reviews.category(0, query), field('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'))
  })

  it.each(['?offset=-1', '?offset=10001'])('refuses %s', async (query) => {
    expectFields(await reviews.category(0, query), field('offset', 'VALUE_MUST_BE_INTEGER_IN_RANGE'))
  })

  it.each(['9', '-1', 'x', '00', '1.0'])('refuses the category %s', async (id) => {
    expectFields(await reviews.category(id), field('category_id', 'INVALID_FORMAT'))
  })
})

describe('Move discovery listings to a category', () => {
  it('moves pending and approved ones, each once, and names those that it could not move', async () => {
    const [listed, pending] = [await approved(), await applied(guildhall, ada)]
    const rejected = await applied(guildhall, ada)
    bodyOf(await reviews.review(rejected.id, { status: 'rejected', reason: 'too small' }))
    const none = await found(guildhall, ada)
    const before = bodyOf(await directoryOf(guildhall).status(ada, listed.id))['application'] as object
    const ids = [listed.id, pending.id, listed.id, rejected.id, none.id, nowhere, nowhere]
    expect(bodyOf(await reviews.move({ guild_ids: ids, category_type: 5 }))).toStrictEqual({
      updated: 2,
      failed_guild_ids: [rejected.id, none.id, nowhere],
    })
    const after = bodyOf(await directoryOf(guildhall).status(ada, listed.id))['application']
    expect(after).toStrictEqual({ ...before, category_type: 5 })
    expect(await lastEntry()).toMatchObject({
      action: 'update_discovery_categories',
      targetType: 'guild',
      targetId: '0',
      metadata: { category_type: '5', guild_count: '5', updated: '2', failed: '3' },
    })
    const again = await reviews.move({ guild_ids: [listed.id], category_type: 5 })
    expect(bodyOf(again)).toStrictEqual({ updated: 1, failed_guild_ids: [] })
    expect(await eventsOf(guildhall, pending.id)).toStrictEqual([
      'DiscoveryApplied',
      'DiscoveryListingSettled',
      'DiscoveryListingMoved',
    ])
  })

  it('is recorded even where all fail', async () => {
    expect(bodyOf(await reviews.move({ guild_ids: [nowhere], category_type: 5 }))).toMatchObject({ updated: 0 })
    expect((await lastEntry())?.metadata).toStrictEqual({
      category_type: '5',
      guild_count: '1',
      updated: '0',
      failed: '1',
    })
  })

  it.each([
    [{ guild_ids: [], category_type: 5 }, 'guild_ids'],
    [{ guild_ids: Array.from({ length: 101 }, () => nowhere), category_type: 5 }, 'guild_ids'],
    [{ guild_ids: [nowhere], category_type: 9 }, 'category_type'],
    [{ guild_ids: [nowhere] }, 'category_type'],
  ] as const)('refuses a wrong body: %#', async (body, path) => {
    expectFields(await reviews.move(body), field(path, 'INVALID_FORMAT'))
  })
})

describe('Update discovery listing', () => {
  it('changes what is sent and nothing else, pending or approved', async () => {
    const guild = await approved()
    const before = bodyOf(await directoryOf(guildhall).status(ada, guild.id))['application'] as object
    const changes = { description: 'A place for go', primary_language: 'ja', custom_tags: ['GO', 'go'] }
    const after = { ...before, ...changes, custom_tags: ['go'] }
    expect(bodyOf(await reviews.edit(guild.id, changes))).toStrictEqual(after)
    expect(await lastEntry()).toMatchObject({
      action: 'update_discovery_listing',
      targetType: 'guild',
      targetId: guild.id,
      metadata: { status: 'approved', fields: 'description,primary_language,custom_tags', primary_language: 'ja' },
    })
    expect((await lastEntry())?.metadata).not.toHaveProperty('category_type')
    const pending = await applied(guildhall, ada)
    expect(bodyOf(await reviews.edit(pending.id, { category_type: 3 }))).toMatchObject({
      status: 'pending',
      category_type: 3,
    })
    expect((await lastEntry())?.metadata).toStrictEqual({
      status: 'pending',
      fields: 'category_type',
      category_type: '3',
    })
  })

  it('changes nothing for an empty body, and records it without fields', async () => {
    const guild = await approved()
    const before = await eventsOf(guildhall, guild.id)
    expect((await reviews.edit(guild.id, {})).status).toBe(200)
    expect(await eventsOf(guildhall, guild.id)).toStrictEqual(before)
    expect((await lastEntry())?.metadata).toStrictEqual({ status: 'approved' })
  })

  it('refuses a listed description before it looks for the application', async () => {
    const list = { token: root.token, body: { phrase } }
    expect((await guildhall.request('POST', '/v1/admin/blocklists/phrase/entries', list)).status).toBe(204)
    const description = `Come to ${phrase}!`
    await expect.poll(async () => (await reviews.edit(nowhere, { description })).status).toBe(403)
    expectRefusal(await reviews.edit(nowhere, { description }), 403, 'CONTENT_BLOCKED')
    const guild = await approved()
    expectRefusal(await reviews.edit(guild.id, { description }), 403, 'CONTENT_BLOCKED')
    expectFields(
      await reviews.edit(guild.id, { description, category_type: 9 }),
      field('category_type', 'INVALID_FORMAT'),
    )
    // A guild is told so too, and before its permissions are asked.
    const answer = await directoryOf(guildhall).apply(brian, guild.id, { ...chess, description })
    expectRefusal(answer, 403, 'CONTENT_BLOCKED')
    // The reasons of reviews are the administrators' own words.
    const other = await applied(guildhall, ada)
    expect((await reviews.review(other.id, { status: 'rejected', reason: description })).status).toBe(200)
    const entry = `/v1/admin/blocklists/phrase/entries/${encodeURIComponent(phrase)}`
    expect((await guildhall.request('DELETE', entry, { token: root.token })).status).toBe(204)
  })

  it('is 404 without an application, and 409 once rejected or removed', async () => {
    const none = await found(guildhall, ada)
    expectRefusal(await reviews.edit(none.id, {}), 404, 'DISCOVERY_APPLICATION_NOT_FOUND')
    const rejected = await applied(guildhall, ada)
    bodyOf(await reviews.review(rejected.id, { status: 'rejected', reason: 'too small' }))
    expectRefusal(await reviews.edit(rejected.id, {}), 409, 'DISCOVERY_APPLICATION_ALREADY_REVIEWED')
    const removed = await approved()
    bodyOf(await reviews.remove(removed.id))
    const answer = await reviews.edit(removed.id, { category_type: 3 })
    expectRefusal(answer, 409, 'DISCOVERY_APPLICATION_ALREADY_REVIEWED')
  })

  it('tells a wrong tag at its own index', async () => {
    const guild = await approved()
    const answer = await reviews.edit(guild.id, { custom_tags: ['chess', '!!'], primary_language: null })
    expectFields(answer, field('custom_tags.1', 'INVALID_FORMAT'), field('primary_language', 'INVALID_FORMAT'))
  })
})
