import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { found_max, wordFinder } from '../../../domain/text/word-finder.ts'

const finderOf = (...words: readonly string[]) => wordFinder(words.map((word) => ({ word, mark: word })))

describe('a word finder', () => {
  it('finds words within, before and after each other', () => {
    const finder = finderOf('he', 'she', 'his', 'hers', '😀x')
    expect(finder.find('ushers').toSorted()).toEqual(['he', 'hers', 'she'])
    expect(finder.find('a 😀x')).toEqual(['😀x'])
    expect(finder.find('')).toEqual([])
    expect(finderOf().find('ushers')).toEqual([])
  })
  it('finds what a search for each word finds, whatever the words have in common', () => {
    const letters = (min: number, max: number) =>
      fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\ud83d', '\ude00'), minLength: min, maxLength: max })
    fc.assert(
      fc.property(fc.uniqueArray(letters(1, 6), { maxLength: 12 }), letters(0, 40), (words, text) => {
        const expected = words.filter((word) => text.includes(word))
        expect(
          finderOf(...words)
            .find(text)
            .toSorted(),
        ).toEqual(expected.toSorted())
      }),
      { numRuns: 500 },
    )
  })
  it('shows every place of every word', () => {
    const places: unknown[] = []
    finderOf('he', 'she', 'hers').visit('ushers she', (...place) => places.push(place) < 4)
    expect(places).toEqual([
      ['she', 1, 4],
      ['he', 2, 4],
      ['hers', 2, 6],
      ['she', 7, 10],
    ])
  })
  it('ends after enough', () => {
    const words = Array.from({ length: 500 }, (_, length) => 'a'.repeat(length + 1))
    const found = finderOf(...words).find('a'.repeat(100_000))
    expect(found.length).toBeGreaterThanOrEqual(found_max)
    expect(found.length).toBeLessThan(2 * words.length)
  })
})
