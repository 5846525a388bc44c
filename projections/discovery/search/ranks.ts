import { meanings_count, type Meanings } from './meanings.ts'

/** Where a guild has a word: in its name, its tags or its description. */
export const parts = { name: 0, tags: 1, description: 2 } as const
export type Part = (typeof parts)[keyof typeof parts]

const parts_count = 3
/** From 1, the best, to this one. A guild that is not found has the rank 0. */
export const ranks_max = meanings_count * parts_count
const partBits = 2
const partMask = 2 ** partBits - 1

/** That the guild at a place has a word in a part, as one number. */
export function use(place: number, part: Part): number {
  return (place << partBits) | part
}

export function placeOfUse(packed: number): number {
  return packed >>> partBits
}

/** Guilds that are found. */
export interface Found {
  readonly places: Uint32Array
  /** The rank of each place, found or not. */
  readonly ranks: Uint8Array
}

/**
 * Finds the places that have all words, and ranks them. A place that has each word as it is written ranks above one
 * that has another form of it; among these, all words in the name rank above words in the tags, and those above words
 * in the description. The result is right until the next search: all searches share the same arrays, so that a search
 * costs as much as it finds.
 */
export function ranker(): (words: readonly Meanings[], places_count: number) => Found {
  let [reached, ofWord, ranks] = [new Uint16Array(0), new Uint16Array(0), new Uint8Array(0)]
  let before: Uint32Array = new Uint32Array(0)

  function makeRoom(places_count: number): void {
    for (const place of before) ranks[place] = 0
    if (places_count <= ranks.length) return
    const length = 2 * places_count
    ;[reached, ofWord, ranks] = [new Uint16Array(length), new Uint16Array(length), new Uint8Array(length)]
  }

  function keepCommon(places: Uint32Array, meanings: Meanings): Uint32Array {
    const others = mark(meanings, ofWord)
    const common = places.filter((place) => ofWord[place] !== 0)
    for (const place of places) reached[place] = (reached[place] ?? 0) & (ofWord[place] ?? 0)
    for (const place of others) ofWord[place] = 0
    return common
  }

  return (words, places_count) => {
    makeRoom(places_count)
    const [rarest, ...others] = words.toSorted((a, b) => countOf(a) - countOf(b))
    const first = rarest ? mark(rarest, reached) : new Uint32Array(0)
    let places: Uint32Array = first
    for (const meanings of others) if (places.length > 0) places = keepCommon(places, meanings)
    for (const place of places) ranks[place] = firstIn(reached[place] ?? 0)
    for (const place of first) reached[place] = 0
    before = places
    return { places, ranks }
  }
}

/** For each meaning and part the ranks that a word reaches by it, a bit each: by freer meanings and less good parts as well. */
const reachedBy: readonly (readonly number[])[] = Array.from({ length: meanings_count }, (_meaning, meaning) =>
  Array.from({ length: parts_count }, (_part, part) => ranksFrom(meaning, part)),
)

function ranksFrom(meaning: number, part: number): number {
  let bits = 0
  for (let freer = meaning; freer < meanings_count; freer += 1)
    for (let later = part; later < parts_count; later += 1) bits |= 1 << (freer * parts_count + later)
  return bits
}

/** Adds the ranks that one word reaches at each place. Gives those places: there were none before. */
function mark(meanings: Meanings, reached: Uint16Array): Uint32Array {
  const places = new Uint32Array(Math.min(reached.length, countOf(meanings)))
  let count = 0
  for (const [meaning, words] of meanings.entries()) {
    const byPart = reachedBy[meaning] ?? []
    for (const { uses } of words)
      for (const packed of uses) {
        const place = placeOfUse(packed)
        const before = reached[place] ?? 0
        if (before === 0) {
          places[count] = place
          count += 1
        }
        reached[place] = before | (byPart[packed & partMask] ?? 0)
      }
  }
  return places.subarray(0, count)
}

function countOf(meanings: Meanings): number {
  let count = 0
  for (const words of meanings) for (const { uses } of words) count += uses.length
  return count
}

/** The best of some ranks. */
function firstIn(bits: number): number {
  return 32 - Math.clz32(bits & -bits)
}
