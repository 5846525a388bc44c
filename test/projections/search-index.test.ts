import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { DirectorySearch } from '../../application/ports/queries/directory-search-queries.ts'
import { guildId, type GuildId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { foldedWord } from '../../domain/text/folded-word.ts'
import { searchWords, searchWordsOfName, wantedWords } from '../../domain/text/search-words.ts'
import type { SearchedGuild } from '../../projections/discovery/search/held-guilds.ts'
import { searchIndex } from '../../projections/discovery/search/search-index.ts'
import { stemmingOf, stemmingsOf, stemsBy } from '../../projections/discovery/search/stems.ts'
import { isOneTypo } from '../../projections/discovery/search/typos.ts'

/** Many are beginnings, parts, endings or typos of others. */
const vocabulary =
  'chess chest chessboard clubs club schachclub pokémon pokemon pokemno go aaaaa aabaa шахматы шахмат книга книги ёжик ежик 将棋 棋 체스 체스클럽 2024년 12345 12346 🐉'.split(
    ' ',
  )
const some = fc.uniqueArray(fc.constantFrom(...vocabulary), { maxLength: 3 })
const languages = ['de', 'ja', 'ru'] as const

const ids = fc.integer({ min: 1, max: 12 }).map((number) => guildId(snowflake(String(number))))
const listed: fc.Arbitrary<SearchedGuild> = fc.record({
  id: ids,
  memberCount: fc.integer({ min: 0, max: 3 }),
  categoryType: fc.integer({ min: 0, max: 2 }),
  language: fc.constantFrom(...languages),
  name: some.map((words) => words.join(' ')),
  tags: some,
  description: some.map((words) => words.join(', ')),
})
const sometimes = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined })
const wanted: fc.Arbitrary<DirectorySearch> = fc.record({
  words: sometimes(some.map((words) => wantedWords(words.join(' ')))),
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

/** How freely a word must be meant to be this one of a listing; Infinity if it never is. */
function freedom(word: string, { language }: SearchedGuild, text: string): number {
  const [folded, other] = [foldedWord(word), foldedWord(text)]
  const stems = new Set(stemmingsOf(word).flatMap((stemming) => stemsBy(stemming, word)))
  if (word === text) return 0
  if (folded === other || stemsBy(stemmingOf(text, language), text).some((stem) => stems.has(stem))) return 1
  if (folded.length >= 3 && other.startsWith(folded)) return 2
  if (folded.length >= 4 && other.includes(folded, 3)) return 2
  const isLong = Array.from(word).length >= 5 && folded.length >= 5
  return isLong && !/\p{N}/u.test(word) && isOneTypo(folded, other) ? 3 : Infinity
}

/** Where a listing stands among others; Infinity if it is not found. */
function rankOf(guild: SearchedGuild, words: readonly string[]): number {
  const parts = [searchWordsOfName(guild.name), searchWordsOfName(guild.tags.join(' ')), searchWords(guild.description)]
  const ranks = [0, 1, 2, 3].flatMap((most) => [0, 1, 2].map((last) => ({ most, last })))
  const rank = ranks.findIndex(({ most, last }) => {
    const texts = parts.slice(0, last + 1).flat()
    return words.every((word) => texts.some((text) => freedom(word, guild, text) <= most))
  })
  return rank < 0 ? Infinity : rank
}

/** What the index answers, the slow way. */
function expected(
  guilds: readonly SearchedGuild[],
  { words = [], categoryType, language, tag, byMembers }: DirectorySearch,
) {
  const ranks = new Map(guilds.map((guild) => [guild, rankOf(guild, words)]))
  const rank = (guild: SearchedGuild): number => ranks.get(guild) ?? Infinity
  const found = guilds.filter(
    (guild) =>
      rank(guild) < Infinity &&
      (language === undefined || guild.language === language) &&
      (tag === undefined || guild.tags.includes(tag)),
  )
  const inOrder = found
    .filter((guild) => categoryType === undefined || guild.categoryType === categoryType)
    .toSorted(
      (a, b) =>
        (byMembers ? 0 : rank(a) - rank(b)) || b.memberCount - a.memberCount || Number(BigInt(a.id) - BigInt(b.id)),
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
      const model = new Map<GuildId, SearchedGuild>()
      for (const step of all) {
        if ('put' in step) {
          index.put(step.put)
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

const plain: SearchedGuild = {
  id: guildId(snowflake('1')),
  memberCount: 1,
  categoryType: 0,
  language: 'de',
  name: '',
  tags: [],
  description: '',
}
const anything: DirectorySearch = {
  words: undefined,
  categoryType: undefined,
  language: undefined,
  tag: undefined,
  byMembers: false,
}

it('finds every name by itself, before all that is not written so', () => {
  const letters = fc.stringMatching(/^[\p{L}\p{M}\p{N}\p{Emoji} '-]{1,30}$/u)
  fc.assert(
    fc.property(fc.oneof(letters, fc.string({ unit: 'grapheme', maxLength: 100 })), (name) => {
      const words = wantedWords(name)
      fc.pre(words.length > 0)
      const index = searchIndex()
      index.put({ ...plain, id: guildId(snowflake('2')), name: 'elsewhere', memberCount: 9 })
      index.put({ ...plain, name })
      expect(index.search({ ...anything, words }, { limit: 1, offset: 0 }, new Set()).ids).toStrictEqual(['1'])
    }),
    { numRuns: 500 },
  )
})

it('ranks by names however many guilds came after those with the word in their names', () => {
  const index = searchIndex()
  const named_count = 300
  for (let number = 1; number <= 1200; number += 1)
    index.put({
      ...plain,
      id: guildId(snowflake(String(number))),
      memberCount: number,
      name: number <= named_count ? 'club' : '',
      description: 'club',
    })
  const found = index.search({ ...anything, words: ['club'] }, { limit: 4, offset: named_count - 2 }, new Set())
  expect(found).toStrictEqual({ ids: ['2', '1', '1200', '1199'], counts: [{ categoryType: 0, count: 1200 }] })
})

it('holds one guild that changes again and again, and its neighbours, as they are', () => {
  const index = searchIndex()
  const guild = (number: number, memberCount: number, word: string): SearchedGuild => ({
    ...plain,
    id: guildId(snowflake(String(number))),
    memberCount,
    name: word,
    description: Array.from({ length: 40 }, (_none, place) => `${word}x${place}`).join(' '),
  })
  const idsOf = (...words: readonly string[]) =>
    index.search({ ...anything, words }, { limit: 10, offset: 0 }, new Set()).ids
  index.put(guild(1, 5, 'still'))
  for (let count = 0; count < 200; count += 1) index.put(guild(2, count, `turn${count}`))
  expect(idsOf('turn199', 'turn199x39')).toStrictEqual(['2'])
  expect(idsOf('turn198')).toStrictEqual([])
  expect(idsOf('still39')).toStrictEqual([])
  expect(idsOf('stillx39')).toStrictEqual(['1'])
  expect(idsOf()).toStrictEqual(['2', '1'])
})
