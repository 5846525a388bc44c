import { afterEach, describe, expect, it, vi } from 'vitest'
import { searchDirectory } from '../../../../application/communities/discovery/search-directory.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator } from '../../../support/administrators.ts'
import { testContext } from '../../../support/test-context.ts'
import type { TestAnswer } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, found, type TestGuild } from '../../support/answers.ts'
import { chess, directoryOf, publicDirectoryOf, reviewsOf } from '../../support/discovery.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer()
const [ada, carol] = await Promise.all([guildhall.register(), guildhall.register()])
const admin = await administrator(guildhall, 'admin:authenticate', 'discovery:review', 'discovery:remove')
const directory = directoryOf(guildhall)
const everyone = publicDirectoryOf(guildhall)
const reviews = reviewsOf(guildhall, admin)

afterEach(() => {
  vi.restoreAllMocks()
})

async function listed(name: string, body: object = {}, owner = ada): Promise<TestGuild> {
  const guild = await found(guildhall, owner, name)
  bodyOf(await directory.apply(owner, guild.id, { ...chess, description: 'Nothing to see here', ...body }))
  bodyOf(await reviews.approve(guild.id))
  return guild
}

const idsIn = (answer: TestAnswer): readonly unknown[] =>
  (bodyOf(answer)['guilds'] as readonly { readonly id: string }[]).map(({ id }) => id)

describe('Search discovery guilds', () => {
  it('is charged to its caller', async () => {
    const spent: number[] = []
    const context = { ...testContext(), noteSpent: (spent_ms: number) => spent.push(spent_ms) }
    const question = { query: 'chess', category: undefined, language: undefined, tag: undefined, sortBy: undefined }
    await searchDirectory(guildhall.ports)({ context }, question, { limit: 1, offset: 0 })
    expect(spent).toStrictEqual([expect.any(Number)])
    expect(spent[0]).toBeGreaterThan(0)
  })
  it('shows a listed guild, with members counted now and LOW verification at least', async () => {
    const guild = await listed('Velociraptors', { custom_tags: ['Fossils'], primary_language: 'de', category_type: 4 })
    const answer = bodyOf(await everyone.search(carol, { query: 'VELOCIRAPTORS' }))
    expect(answer).toStrictEqual({
      guilds: [
        {
          id: guild.id,
          name: 'Velociraptors',
          icon: null,
          banner: null,
          description: 'Nothing to see here',
          category_type: 4,
          primary_language: 'de',
          custom_tags: ['fossils'],
          member_count: 1,
          online_count: 0,
          features: expect.arrayContaining(['DISCOVERABLE']),
          verification_level: 1,
        },
      ],
      total: 1,
      category_counts: [{ category_type: 4, count: 1 }],
    })
    expect((await everyone.join(carol, guild.id)).status).toBe(204)
    expect(bodyOf(await everyone.search(carol, { query: 'velociraptors' }))['guilds']).toMatchObject([
      { member_count: 2 },
    ])
  })

  it('finds words in the name before those in tags, and these before those in the description', async () => {
    const inDescription = await listed('First', { description: 'We play zymurgy all day' })
    const inTags = await listed('Second', { custom_tags: ['zymurgy'] })
    const inName = await listed('Zymurgy')
    const ids = [inName.id, inTags.id, inDescription.id]
    expect(idsIn(await everyone.search(ada, { query: 'zymurgy' }))).toStrictEqual(ids)
    expect(idsIn(await everyone.search(ada, { query: 'zymurgy', sort_by: 'online_count' }))).toStrictEqual(ids)
    expect((await everyone.join(carol, inDescription.id)).status).toBe(204)
    expect(idsIn(await everyone.search(ada, { query: 'zymurgy', sort_by: 'member_count' }))[0]).toBe(inDescription.id)
    expect(idsIn(await everyone.search(ada, { query: 'zymurgy play' }))).toStrictEqual([inDescription.id])
    expect(idsIn(await everyone.search(ada, { query: 'zymurgy', limit: '1', offset: '1' }))).toStrictEqual([inTags.id])
  })

  it.each([
    ['Шахматный клуб', 'шахматный'],
    ['囲碁と将棋の部屋', '将棋'],
    ['茶の湯', '茶'],
    ['ＦＵＬＬＷＩＤＴＨ', 'fullwidth'],
    ['Ökologie über alles', 'ÖKOLOGIE'],
  ])('finds %s by %s', async (name, query) => {
    const guild = await listed(name)
    expect(idsIn(await everyone.search(ada, { query }))).toContain(guild.id)
  })

  it.each([
    ['Pokémon Trainers', 'en-US', 'pokemon'],
    ['Fußball', 'de', 'fussball'],
    ['Photographers', 'en-US', 'photo'],
    ['Correspondence Chess Club', 'en-US', 'correspondence chess clubs'],
    ['Любимые книги', 'ru', 'книга'],
    ['Brettspielabend', 'de', 'spiel'],
    ['Minecraft', 'en-US', 'minecarft'],
    ['🦖 at dawn', 'en-US', '🦖'],
  ])('finds %s, in %s, by %s', async (name, language, query) => {
    const guild = await listed(name, { primary_language: language })
    expect(bodyOf(await everyone.search(ada, { query }))).toMatchObject({ guilds: [{ id: guild.id }], total: 1 })
  })

  it('shows what is written so before what is meant more freely, whatever has more members', async () => {
    const freer = await listed('Axolotlkeepers')
    expect((await everyone.join(carol, freer.id)).status).toBe(204)
    const exact = await listed('About', { description: 'We keep an axolotlkeeper' })
    const query = { query: 'axolotlkeeper' }
    expect(idsIn(await everyone.search(ada, query))).toStrictEqual([exact.id, freer.id])
    expect(idsIn(await everyone.search(ada, { ...query, sort_by: 'member_count' }))[0]).toBe(freer.id)
  })

  it('filters by category, language and tag, and counts categories under all filters but the category', async () => {
    const tag = 'palaeo'
    const one = await listed('One', { custom_tags: [tag], category_type: 1 })
    await listed('Two', { custom_tags: [tag], category_type: 7 })
    const three = await listed('Three', { custom_tags: [tag], category_type: 7, primary_language: 'ja' })
    expect(bodyOf(await everyone.search(ada, { tag: ' PALAEO ', category: '1' }))).toMatchObject({
      guilds: [{ id: one.id }],
      total: 1,
      category_counts: [
        { category_type: 1, count: 1 },
        { category_type: 7, count: 2 },
      ],
    })
    expect(bodyOf(await everyone.search(ada, { tag, language: 'ja' }))).toMatchObject({
      guilds: [{ id: three.id }],
      category_counts: [{ category_type: 7, count: 1 }],
    })
    const all = bodyOf(await everyone.search(ada))['total']
    expect(bodyOf(await everyone.search(ada, { tag: '  ', query: ' ' }))['total']).toBe(all)
    expect(bodyOf(await everyone.search(ada, { query: '?!' }))).toStrictEqual({
      guilds: [],
      total: 0,
      category_counts: [],
    })
  })

  it('follows edits, new names and removals', async () => {
    const guild = await listed('Quokkas')
    const query = { query: 'wombats' }
    expect(idsIn(await everyone.search(ada, query))).toStrictEqual([])
    bodyOf(await reviews.edit(guild.id, { description: 'Now about wombats' }))
    expect(idsIn(await everyone.search(ada, query))).toStrictEqual([guild.id])
    const rename = { token: ada.token, body: { name: 'Numbats' } }
    bodyOf(await guildhall.request('PATCH', `/v1/guilds/${guild.id}`, rename))
    expect(idsIn(await everyone.search(ada, { query: 'numbats' }))).toStrictEqual([guild.id])
    expect(idsIn(await everyone.search(ada, { query: 'quokkas' }))).toStrictEqual([])
    bodyOf(await reviews.remove(guild.id))
    expect(idsIn(await everyone.search(ada, query))).toStrictEqual([])
  })

  it('counts no listing that goes between the search and the reading of what it shows', async () => {
    const [gone, kept] = [await listed('Pangolins'), await listed('Pangolins too')]
    const { directorySearch } = guildhall.ports.queries
    const read = directorySearch.listings.bind(directorySearch)
    vi.spyOn(directorySearch, 'listings').mockImplementationOnce(async (ids) => {
      bodyOf(await reviews.remove(gone.id))
      return read(ids)
    })
    expect(bodyOf(await everyone.search(ada, { query: 'pangolins' }))).toMatchObject({
      guilds: [{ id: kept.id }],
      total: 1,
      category_counts: [{ count: 1 }],
    })
  })

  it('shows no guild that nobody let in', async () => {
    const guild = await found(guildhall, ada, 'Axolotls')
    bodyOf(await directory.apply(ada, guild.id, { ...chess, description: 'All about axolotls' }))
    expect(bodyOf(await everyone.search(ada, { query: 'axolotls' }))['total']).toBe(0)
    bodyOf(await reviews.review(guild.id, { status: 'rejected', reason: 'too small' }))
    expect(bodyOf(await everyone.search(ada, { query: 'axolotls' }))['total']).toBe(0)
  })

  it.each([
    ['category', '9', 'INVALID_FORMAT'],
    ['language', 'en-us', 'INVALID_FORMAT'],
    ['sort_by', 'age', 'INVALID_FORMAT'],
    ['query', 'x'.repeat(101), 'STRING_LENGTH_INVALID'],
    ['tag', 'x'.repeat(31), 'STRING_LENGTH_INVALID'],
    ['limit', '0', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['limit', '49', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['offset', '-1', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
  ] as const)('refuses a wrong %s: %s', async (member, value, code) => {
    expectFields(await everyone.search(ada, { [member]: value }), field(member, code))
  })
})

describe('List public discovery categories', () => {
  it('has the nine categories', async () => {
    const answer = await everyone.categories(ada)
    expect(answer.status).toBe(200)
    expect(answer.body).toStrictEqual((await reviews.categories()).body)
  })
})

describe('where the Gateways do not answer', () => {
  it('nobody is counted as online, and the search waits no longer than a moment', async () => {
    const guild = await listed('Silent Gateways')
    const { presence } = guildhall.ports
    vi.spyOn(presence, 'onlineCounts').mockReturnValueOnce(new Promise(() => undefined))
    expect(bodyOf(await everyone.search(carol, { query: 'silent gateways' }))['guilds']).toMatchObject([
      { id: guild.id, member_count: 1, online_count: 0 },
    ])
  })
})
