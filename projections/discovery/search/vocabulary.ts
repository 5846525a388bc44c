import type { DirectoryLanguage } from '../../../domain/discovery-application/listing.ts'
import { foldedWord } from '../../../domain/text/folded-word.ts'
import { stemmingOf, stemmingsOf, stemsBy, type Stemming } from './stems.ts'
import { isOneTypo } from './typos.ts'

/** A word of some listed guilds. */
export interface Word {
  readonly text: string
  readonly folded: string
  readonly stemming: Stemming
  /** Who has it, and where (`use`), in no order. */
  uses: number[]
}

/** All words of the listed guilds, each once for each way in which it is stemmed. */
export interface Vocabulary {
  /** The word with this text in a listing of this language, found or made. */
  take(text: string, language: DirectoryLanguage): Word
  /** Adds a guild that uses a word. */
  addUse(word: Word, use: number): void
  /** Forgets a word that no guild uses any more. */
  drop(word: Word): void
  /** The words that are written so. */
  written(text: string): readonly Word[]
  /** The words that are folded so. */
  folded(folded: string): readonly Word[]
  /** The words with this stem (`stemsBy`). */
  stemmed(stem: string): readonly Word[]
  /** At least all words of three letters or more that begin with this folded part of three letters or more. */
  beginning(part: string): readonly Word[]
  /** At least all words of three letters or more that have this folded part of three letters or more in them. */
  around(part: string): readonly Word[]
  /** The words that are this folded one, of five letters or more, but for one typo. */
  near(folded: string): Iterable<Word>
}

const gram_letters = 3
/** Lists have no room to spare up to this length. */
const exact_max = 8
const [start, end] = ['\u0002', '\u0003']
/** So many of the trigrams of a word may change with one typo, when two neighbours are changed over. */
const changed_max = 4

/** Makes an empty one. A word takes about 400 bytes, and 8 for each guild that has it. */
export function vocabulary(): Vocabulary {
  const words = new Map<string, Word>()
  /** Those that are folded differently from how they are written. */
  const byFolded = new Map<string, Word[]>()
  const byStem = new Map<string, Word[]>()
  const byGram = new Map<string, Word[]>()
  const countOf = (gram: string): number => byGram.get(gram)?.length ?? 0

  function make(text: string, stemming: Stemming): Word {
    const folded = foldedWord(text)
    // Most are folded already: one text in memory serves.
    const word = { text, folded: folded === text ? text : folded, stemming, uses: [] }
    words.set(keyOf(stemming, text), word)
    for (const [lists, keys] of formsOf(word)) for (const key of keys) addTo(lists, key, word)
    return word
  }

  /** All keys under which a word is found, in addition to its text. */
  function formsOf({ text, folded, stemming }: Word): readonly (readonly [Map<string, Word[]>, Iterable<string>])[] {
    return [
      [byFolded, folded === text ? [] : [folded]],
      [byStem, stemsBy(stemming, text)],
      [byGram, new Set(gramsOf(folded))],
    ]
  }

  function written(text: string): readonly Word[] {
    return stemmingsOf(text)
      .map((stemming) => words.get(keyOf(stemming, text)))
      .filter((word) => word !== undefined)
  }

  function rarestFirst(grams: readonly string[]): readonly string[] {
    return grams.toSorted((a, b) => countOf(a) - countOf(b))
  }

  function withRarest(grams: readonly string[]): readonly Word[] {
    const [rarest] = rarestFirst(grams)
    return rarest === undefined ? [] : (byGram.get(rarest) ?? [])
  }

  return {
    take(text, language) {
      const stemming = stemmingOf(text, language)
      return words.get(keyOf(stemming, text)) ?? make(text, stemming)
    },
    addUse(word, use) {
      word.uses = appended(word.uses, use)
    },
    drop(word) {
      if (!words.delete(keyOf(word.stemming, word.text))) return
      for (const [lists, keys] of formsOf(word)) for (const key of keys) takeFrom(lists, key, word)
    },
    written,
    folded: (folded) => [...written(folded), ...(byFolded.get(folded) ?? [])],
    stemmed: (stem) => byStem.get(stem) ?? [],
    beginning: (part) => withRarest(gramsOf(part).slice(0, -1)),
    around: (part) => withRarest(gramsOf(part).slice(1, -1)),
    near(folded) {
      // Whichever change, one of these is left.
      const grams = rarestFirst([...new Set(gramsOf(folded))]).slice(0, changed_max + 1)
      const found = new Set<Word>()
      for (const gram of grams)
        for (const word of byGram.get(gram) ?? []) if (isOneTypo(folded, word.folded)) found.add(word)
      return found
    },
  }
}

function keyOf(stemming: Stemming, text: string): string {
  return `${stemming} ${text}`
}

/** The trigrams of a word with its start and end; none of a shorter one. */
function gramsOf(folded: string): readonly string[] {
  if (folded.length < gram_letters) return []
  const bounded = `${start}${folded}${end}`
  return Array.from({ length: folded.length }, (_gram, at) => bounded.slice(at, at + gram_letters))
}

function addTo(lists: Map<string, Word[]>, key: string, word: Word): void {
  lists.set(key, appended(lists.get(key) ?? [], word))
}

/** The list with one more. Most lists are short, and pushing to one makes room for many more. */
function appended<Item>(list: Item[], item: Item): Item[] {
  if (list.length < exact_max) return list.concat(item)
  list.push(item)
  return list
}

function takeFrom(lists: Map<string, Word[]>, key: string, word: Word): void {
  const list = lists.get(key) ?? []
  const at = list.indexOf(word)
  const last = list.pop()
  if (list.length === 0) lists.delete(key)
  if (last && last !== word && at >= 0) list[at] = last
}
