import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  searchWords,
  searchWords_max,
  searchWordsOfName,
  wantedWords,
  wantedWords_max,
} from '../../../domain/text/search-words.ts'

describe('the words of a text that is searched', () => {
  it.each([
    ['Chess & Go, for   everybody!', ['chess', 'go', 'for', 'everybody']],
    ['Привет, МИР', ['привет', 'мир']],
    ['Ｃｈｅｓｓ ﬁsh', ['chess', 'fish']],
    ['शतरंज खेल', ['शतरंज', 'खेल']],
    ['将棋部', ['将棋', '棋部']],
    ['茶', ['茶']],
    ['Go囲碁2', ['go', '囲碁', '2']],
    ['ｹﾞｰﾑ', ['ゲー', 'ーム']],
    ['เกม', ['เก', 'กม']],
    ['C++ c#', ['c']],
    ['!!! 🙂', ['🙂']],
    ['🐉🐉 👍🏽 ❤️', ['🐉', '👍', '❤']],
    ['🇩🇪 🇫🇷', ['🇩🇪', '🇫🇷']],
    ['K-Pop', ['k', 'pop', 'kpop']],
    ['go囲-a', ['go', '囲', 'a']],
    ['D&D', ['d', 'dd']],
    ['l’école', ['l', 'école', 'lécole']],
    ['', []],
  ])('of %j are %j', (text, words) => {
    expect(searchWords(text)).toStrictEqual(words)
  })

  it('of a name are also single characters of scripts without spaces', () => {
    expect(searchWordsOfName('将棋 club')).toStrictEqual(['将棋', '将', '棋', 'club'])
  })

  it('are few and short, whatever the text is', () => {
    expect(searchWords('ab '.repeat(3) + 'x'.repeat(100_000))).toStrictEqual(['ab', 'x'.repeat(64)])
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const words = searchWords(text)
        expect(words.length).toBeLessThanOrEqual(searchWords_max)
        expect(words.filter((word) => Array.from(word).length > 64)).toStrictEqual([])
      }),
    )
  })

  it('of each part of a name are found in the name', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'б', ' ', '将', '棋', 'ก', 'ü'), maxLength: 30 })
    fc.assert(
      fc.property(name, (text) => {
        const all = new Set(searchWordsOfName(text))
        for (const part of text.split(' '))
          for (const word of searchWords(part)) expect(all.has(word), `${word} of ${text}`).toBe(true)
      }),
    )
  })
})

describe('the words of a query', () => {
  it.each([
    ['Chess, please', ['chess', 'please']],
    ['🐉 dragons 🐉', ['dragons']],
    ['🐉', ['🐉']],
    ["l'école d’échecs", ['école', 'échecs']],
    ["player's", ['player']],
    ["o'clock", ['clock']],
    ["j'", ['j']],
    ['K-Pop', ['k', 'pop']],
    ['?!', []],
  ])('of %j are %j', (query, words) => {
    expect(wantedWords(query)).toStrictEqual(words)
  })

  it('are the first of many', () => {
    const many = Array.from({ length: 25 }, (_, index) => `w${index}`)
    expect(wantedWords(many.join(' '))).toStrictEqual(many.slice(0, wantedWords_max))
  })

  it('are among those by which the same text is found as a name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        const all = new Set(searchWordsOfName(text))
        for (const word of wantedWords(text)) expect(all.has(word), `${word} of ${text}`).toBe(true)
      }),
    )
  })
})
