import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldedWord } from '../../../domain/text/folded-word.ts'

describe('a folded word', () => {
  it.each([
    ['Pokémon', 'pokemon'],
    ['Fußball', 'fussball'],
    ['Łódź', 'lodz'],
    ['smørrebrød', 'smorrebrod'],
    ['œuvre', 'oeuvre'],
    ['İstanbul', 'istanbul'],
    ['Iğdır', 'igdir'],
    ['Đà', 'da'],
    ['ёжик', 'ежик'],
    ['φίλος', 'φιλοσ'],
    ['שָׁלוֹם', 'שלומ'],
    ['أَهْلاً', 'اهلا'],
    ['ポケモン', 'ぽけもん'],
    ['ｹﾞｰﾑ', 'げーむ'],
    ['क्रिकेट', 'क्रिकेट'],
    ['เกม', 'เกม'],
  ])('of %j is %j', (word, folded) => {
    expect(foldedWord(word)).toBe(folded)
  })

  it('has a word of Hangul begin with one that ends within its syllables', () => {
    expect(foldedWord('체스클럽').startsWith(foldedWord('체스'))).toBe(true)
    expect(foldedWord('게임을').startsWith(foldedWord('게이'))).toBe(true)
  })

  it('is folded already', () => {
    const letters = fc.stringMatching(/^[\p{L}\p{M}\p{N}]{0,20}$/u)
    fc.assert(
      fc.property(fc.oneof(letters, fc.string({ unit: 'binary', maxLength: 20 })), (word) => {
        const folded = foldedWord(word)
        expect(foldedWord(folded)).toBe(folded)
      }),
      { numRuns: 500 },
    )
  })
})
