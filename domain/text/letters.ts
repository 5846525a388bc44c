import { between, withShortMarks } from './folded.ts'
import { lookAlike, withoutBoxes } from './look-alikes.ts'

/** A text reduced to its letters and digits, which is searched for phrases. Both forms have the same length. */
export interface Letters {
  /** What the text says: lower case, without symbols, punctuation, blanks and stray marks. */
  readonly said: string
  /** The same, with letters of other scripts replaced by the Latin letters that they look like. */
  readonly seen: string
  /**
   * Whether a reader of `[start, end)` of `seen` reads the phrase, whose own letters are `said`. True if the text says so, if
   * scripts mix within it, or if letters that all look Latin stand for Latin ones. False if part of an ordinary word of another
   * script only happens to look like the phrase: "cop" is not in the Russian word for magpie.
   */
  reads(said: string, start: number, end: number): boolean
}

/** A whole text in look-alikes of one script is a disguise from this many letters on: shorter ones are ordinary words. */
const alone_chars_min = 5

/** Reads a text's letters, in linear time. */
export function lettersOf(text: string): Letters {
  if (isAscii(text)) return plainLetters(text)
  const characters = Array.from(strippedOf(text), unitOf)
  const said = characters.map((each) => each.said).join('')
  const seen = characters.map((each) => each.seen).join('')
  let spans: Spans | undefined
  return {
    said,
    seen,
    reads: (phrase, start, end) => {
      if (said.startsWith(phrase, start) && phrase.length === end - start) return true
      spans ??= spansOf(characters.flatMap((each) => (each.seen.length > 1 ? [each, each] : each)))
      return spans.isMixed(start, end) || spans.isDisguised(start, end)
    },
  }
}

function isAscii(text: string): boolean {
  return !/\P{ASCII}/u.test(text)
}

/** For an ASCII text, where no letter looks like another. */
function plainLetters(text: string): Letters {
  const said = text.toLowerCase().replace(/[^a-z0-9]+/g, '')
  return { said, seen: said, reads: (phrase, start, end) => said.slice(start, end) === phrase }
}

/** Whether a text has symbols that it needs for its meaning, such as "c++". */
export function hasSymbols(text: string): boolean {
  return /\p{S}/u.test(withoutBoxes(text).normalize('NFKC'))
}

function strippedOf(text: string): string {
  const shown = withShortMarks(withoutBoxes(text))
    .normalize('NFKC')
    .replace(between, '')
    .replace(/\p{S}+/gu, '')
  return /\p{M}/u.test(shown) ? shown.replace(strayMarks, '') : shown
}

/**
 * Stray marks after letters of scripts that need none beyond composed characters, and marks of no script. Other marks are part of
 * their word, like the vowel signs of Hindi.
 */
const strayMarks =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}])\p{M}+|[\p{Script=Inherited}\p{Me}]+|^\p{M}+/gu

/** Weak: a disguise only next to other scripts. Any: a digit. */
type Kind = 'latin' | 'foreign' | 'disguise' | 'weak' | 'any'

type Script = 'latin' | 'greek' | 'cyrillic' | 'other' | 'any'

/** A character in both forms, which have the same length. */
interface Unit {
  readonly said: string
  readonly seen: string
  readonly kind: Kind
  readonly script: Script
}

/** Cached characters of the basic plane: some 6 MB for all of them. */
const known: (Unit | undefined)[] = []

function unitOf(character: string): Unit {
  const point = character.codePointAt(0) ?? 0
  if (point > 0xffff) return unitAt(point, character)
  return (known[point] ??= unitAt(point, character))
}

function unitAt(point: number, character: string): Unit {
  const alike = point < 0x80 ? undefined : lookAlike(point)
  const script = scriptOf(point, alike !== undefined)
  if (!alike) {
    const lower = lowerOf(character)
    return { said: lower, seen: lower, kind: kindOf(script), script }
  }
  // A letter beyond the basic plane takes two code units; the letter that it looks like takes one.
  const said = character.length > 1 ? alike.letter : lowerOf(character)
  return { said, seen: alike.letter, kind: alike.isStrong ? 'disguise' : 'weak', script }
}

/** Lower case, without the mark that a capital I with a dot leaves. A final Greek sigma becomes a normal one. */
function lowerOf(character: string): string {
  if (character === 'ς') return 'σ'
  const lower = character.toLowerCase()
  return lower.length > character.length ? lower.slice(0, character.length) : lower
}

function kindOf(script: Script): Kind {
  return script === 'latin' || script === 'any' ? script : 'foreign'
}

function scriptOf(point: number, isAlike: boolean): Script {
  if (point < 0x80) return point < 0x3a ? 'any' : 'latin'
  if (point >= 0x370 && point <= 0x3ff) return 'greek'
  if (point >= 0x400 && point <= 0x52f) return 'cyrillic'
  if (isAlike) return 'other'
  const character = String.fromCodePoint(point)
  if (/\p{N}/u.test(character)) return 'any'
  return /\p{Script=Latin}/u.test(character) ? 'latin' : /\p{Script=Greek}/u.test(character) ? 'greek' : 'other'
}

/** Answers questions about spans of a text in constant time. */
interface Spans {
  /** Whether it contains letters of more than one script. */
  isMixed(start: number, end: number): boolean
  /** Whether all its letters look Latin, and so do the surrounding letters of its script. */
  isDisguised(start: number, end: number): boolean
}

function spansOf(units: readonly Unit[]): Spans {
  const hasLatin = units.some(({ kind }) => kind === 'latin')
  const runs = runsOf(units)
  const changes = changesOf(units)
  return {
    isMixed: (start: number, end: number) => (changes[end - 1] ?? 0) > start,
    isDisguised: (start: number, end: number) => {
      const run = runs[start]
      if (run === undefined || !run.isDisguise || run !== runs[end - 1]) return false
      return hasLatin || end - start >= alone_chars_min
    },
  }
}

/** For each code unit, the index of the latest change of script, at it or before. */
function changesOf(units: readonly Unit[]): Uint32Array {
  const changes = new Uint32Array(units.length)
  let script: Script = 'any'
  let changed = 0
  for (const [at, unit] of units.entries()) {
    if (unit.script !== 'any' && unit.script !== script) {
      if (script !== 'any') changed = at
      script = unit.script
    }
    changes[at] = changed
  }
  return changes
}

interface Run {
  isDisguise: boolean
}

/** For each code unit, its run of letters that are not Latin; undefined for Latin ones. */
function runsOf(units: readonly Unit[]): readonly (Run | undefined)[] {
  let run: Run | undefined
  return units.map(({ kind }) => {
    run = kind === 'latin' ? undefined : (run ?? { isDisguise: true })
    if (run && (kind === 'foreign' || kind === 'weak')) run.isDisguise = false
    return run
  })
}
