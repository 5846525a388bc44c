import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { DirectorySearch } from '../../application/ports/queries/directory-search-queries.js'
import { guildId, type GuildId } from '../../domain/ids/ids.js'
import { snowflake } from '../../domain/ids/snowflake.js'
import type { SearchedGuild } from '../../projections/discovery/search/guild-columns.js'
import { searchIndex } from '../../projections/discovery/search/search-index.js'
import { hashedWords, hashesIn, hashOf } from '../../projections/discovery/word-hashes.js'

const vocabulary = ['chess', 'шахматы', '将棋', 'go', 'club']
const some = fc.uniqueArray(fc.constantFrom(...vocabulary), { maxLength: 3 })
const languages = ['de', 'ja'] as const

interface Listed {
  readonly id: GuildId
  readonly memberCount: number
  readonly categoryType: number
  readonly language: (typeof languages)[number]
  readonly name: readonly string[]
  readonly tags: readonly string[]
  readonly description: readonly string[]
}

const ids = fc.integer({ min: 1, max: 12 }).map((number) => guildId(snowflake(String(number))))
const listed: fc.Arbitrary<Listed> = fc.record({
  id: ids,
  memberCount: fc.integer({ min: 0, max: 3 }),
  categoryType: fc.integer({ min: 0, max: 2 }),
  language: fc.constantFrom(...languages),
  name: some,
  tags: some,
  description: some,
})
const sometimes = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined })
const wanted: fc.Arbitrary<DirectorySearch> = fc.record({
  words: sometimes(some),
  categoryType: sometimes(fc.integer({ min: 0, max: 2 })),
  language: sometimes(fc.constantFrom(...languages)),
  tag: sometimes(fc.constantFrom(...vocabulary)),
  byMembers: fc.boolean(),
})
const page = fc.record({ limit: fc.integer({ min: 1, max: 5 }), offset: fc.integer({ min: 0, max: 5 }) })
const steps = fc.array(
  fc.oneof(
    fc.record({ put: listed }),
    fc.record({ remove: ids }),
    fc.record({ search: wanted, page, except: fc.uniqueArray(ids, { maxLength: 2 }) }),
  ),
  { maxLength: 60 },
)

const hashesOf = (words: readonly string[]): readonly number[] => words.map(hashOf)

function hashed({ name, tags, description, ...guild }: Listed): SearchedGuild {
  const words = { nameWords: hashesOf(name), tagWords: hashesOf(tags), descriptionWords: hashesOf(description) }
  return { ...guild, ...words, tags: hashesOf(tags) }
}

/** What the index answers, the slow way. */
function expected(guilds: readonly Listed[], { words = [], categoryType, language, tag, byMembers }: DirectorySearch) {
  const has = (texts: readonly string[]): boolean => words.every((word) => texts.includes(word))
  const tierOf = ({ name, tags }: Listed): number => (has(name) ? 0 : has([...name, ...tags]) ? 1 : 2)
  const found = guilds.filter(
    (guild) =>
      has([...guild.name, ...guild.tags, ...guild.description]) &&
      (language === undefined || guild.language === language) &&
      (tag === undefined || guild.tags.includes(tag)),
  )
  const inOrder = found
    .filter((guild) => categoryType === undefined || guild.categoryType === categoryType)
    .toSorted(
      (a, b) =>
        (byMembers ? 0 : tierOf(a) - tierOf(b)) || b.memberCount - a.memberCount || Number(BigInt(a.id) - BigInt(b.id)),
    )
  const counts = [0, 1, 2]
    .map((category) => ({
      categoryType: category,
      count: found.filter((guild) => guild.categoryType === category).length,
    }))
    .filter(({ count }) => count > 0)
  return { ids: inOrder.map(({ id }) => id), counts }
}

it('finds, orders and counts what it holds, whatever was added, replaced and removed before', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const index = searchIndex()
      const model = new Map<GuildId, Listed>()
      for (const step of all) {
        if ('put' in step) {
          index.put(hashed(step.put))
          model.set(step.put.id, step.put)
        } else if ('remove' in step) {
          index.remove(step.remove)
          model.delete(step.remove)
        } else {
          const { limit, offset } = step.page
          const there = [...model.values()].filter(({ id }) => !step.except.includes(id))
          const { ids: inOrder, counts } = expected(there, step.search)
          const found = index.search(step.search, step.page, new Set(step.except))
          expect(found).toStrictEqual({ ids: inOrder.slice(offset, offset + limit), counts })
        }
      }
    }),
  )
})

/** Of one guild in each of these numbers. */
const frequencies = [1, 2, 7, 40, 300] as const
/** So many ids that a word changes its form: from few guilds to a list to bits, and back. */
const many_ids = 700

/** A guild of many. The salt moves each word to other guilds and other parts of them. */
function oneOfMany(number: number, salt: number): Listed {
  const id = guildId(snowflake(String(number)))
  const wordsIn = (part: number): readonly string[] =>
    frequencies
      .filter((frequency, index) => (number + salt) % frequency === 0 && (number + salt + index) % 4 === part)
      .map((frequency) => `one in ${frequency}`)
  const [categoryType, language] = [(number + salt) % 3, (number + salt) % 5 === 0 ? 'ja' : 'de'] as const
  const parts = {
    name: [`number ${number}`, ...wordsIn(0)],
    tags: wordsIn(1),
    description: [...wordsIn(2), ...wordsIn(1)],
  }
  return { id, memberCount: number % 11, categoryType, language, ...parts }
}

const range = fc.record({
  from: fc.integer({ min: 1, max: many_ids }),
  count: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 100, max: many_ids })),
  /** Not put, but removed. */
  salt: fc.option(fc.nat(20), { nil: undefined, freq: 3 }),
})
const someFrequent = fc.uniqueArray(fc.constantFrom(...frequencies), { minLength: 1, maxLength: 2 })
const wantedOfMany = fc.record({
  words: sometimes(someFrequent.map((all) => all.map((frequency) => `one in ${frequency}`))),
  categoryType: sometimes(fc.integer({ min: 0, max: 2 })),
  language: sometimes(fc.constantFrom(...languages)),
  tag: sometimes(fc.constantFrom(...frequencies).map((frequency) => `one in ${frequency}`)),
  byMembers: fc.boolean(),
})
const turns = fc.array(
  fc.record({ range, searches: fc.array(wantedOfMany, { maxLength: 4 }), offset: fc.constantFrom(0, 5, 250) }),
  { minLength: 1, maxLength: 10 },
)

it('finds, orders and counts the same while words become frequent and rare again', () => {
  fc.assert(
    fc.property(turns, (all) => {
      const index = searchIndex()
      const model = new Map<GuildId, Listed>()
      for (const { range: changed, searches, offset } of all) {
        const { from, count, salt } = changed
        for (let number = from; number < Math.min(from + count, many_ids); number += 1) {
          const guild = oneOfMany(number, salt ?? 0)
          if (salt === undefined) index.remove(guild.id)
          else index.put(hashed(guild))
          if (salt === undefined) model.delete(guild.id)
          else model.set(guild.id, guild)
        }
        const except = [...model.keys()].slice(0, 2)
        const there = [...model.values()].filter(({ id }) => !except.includes(id))
        for (const search of searches) {
          const { ids: inOrder, counts } = expected(there, search)
          const found = index.search(search, { limit: 24, offset }, new Set(except))
          expect(found).toStrictEqual({ ids: inOrder.slice(offset, offset + 24), counts })
        }
      }
    }),
    { numRuns: 25 },
  )
})

it('ranks by names however many guilds came after those with the word in their names', () => {
  const index = searchIndex()
  const named_count = 300
  for (let number = 1; number <= 1200; number += 1)
    index.put(
      hashed({
        id: guildId(snowflake(String(number))),
        memberCount: number,
        categoryType: 0,
        language: 'de',
        name: number <= named_count ? ['club'] : [],
        tags: [],
        description: ['club'],
      }),
    )
  const wantedClubs = {
    words: ['club'],
    categoryType: undefined,
    language: undefined,
    tag: undefined,
    byMembers: false,
  }
  const found = index.search(wantedClubs, { limit: 4, offset: named_count - 2 }, new Set())
  expect(found).toStrictEqual({ ids: ['2', '1', '1200', '1199'], counts: [{ categoryType: 0, count: 1200 }] })
})

it('holds one guild that changes again and again, and its neighbours, as they are', () => {
  const index = searchIndex()
  const guild = (number: number, memberCount: number, word: string): SearchedGuild =>
    hashed({
      id: guildId(snowflake(String(number))),
      memberCount,
      categoryType: 0,
      language: 'de',
      name: [word],
      tags: [],
      description: Array.from({ length: 40 }, (_none, place) => `${word}${place}`),
    })
  const idsOf = (...words: readonly string[]) =>
    index.search(
      { words, categoryType: undefined, language: undefined, tag: undefined, byMembers: false },
      { limit: 10, offset: 0 },
      new Set(),
    ).ids
  index.put(guild(1, 5, 'still'))
  for (let count = 0; count < 200; count += 1) index.put(guild(2, count, `turn${count}`))
  expect(idsOf('turn199', 'turn19939')).toStrictEqual(['2'])
  expect(idsOf('turn198')).toStrictEqual([])
  expect(idsOf('still39')).toStrictEqual(['1'])
  expect(idsOf()).toStrictEqual(['2', '1'])
})

it('reads hashes as they are written', () => {
  const bytes = Buffer.from(hashedWords(vocabulary).slice(2), 'hex')
  expect(hashesIn(bytes)).toStrictEqual(hashesOf(vocabulary))
  expect(new Set(hashesOf(vocabulary)).size).toBe(vocabulary.length)
  expect(hashesIn(Buffer.alloc(0))).toStrictEqual([])
})
