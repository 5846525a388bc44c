import { meanings_count, type Meanings } from './meanings.ts'

/** Where a guild has a word: in its name, its tags or its description. */
export const parts = { name: 0, tags: 1, description: 2 } as const
export type Part = (typeof parts)[keyof typeof parts]

const parts_count = 3
/** From 1, the best, to this one. A guild that is not found has the rank 0. */
export const ranks_max = meanings_count * parts_count
const partBits = 2
const partMask = 2 ** partBits - 1

/** That the guild at a slot has a word in a part, as one number. */
export function use(slot: number, part: Part): number {
  return (slot << partBits) | part
}

export function slotOfUse(packed: number): number {
  return packed >>> partBits
}

/** Guilds that are found. */
export interface Found {
  readonly slots: Uint32Array
  /** The rank of each slot, found or not. */
  readonly ranks: Uint8Array
}

/**
 * Finds the slots that have all words, and ranks them. A slot that has each word as it is written ranks above one
 * that has another form of it; among these, all words in the name rank above words in the tags, and those above words
 * in the description. The result is right until the next search: all searches share the same arrays, so that a search
 * costs as much as it finds.
 */
export function ranker(): (words: readonly Meanings[], slots_count: number) => Found {
  let [reached, ofWord, ranks] = [new Uint16Array(0), new Uint16Array(0), new Uint8Array(0)]
  let before: Uint32Array = new Uint32Array(0)

  function makeRoom(slots_count: number): void {
    for (const slot of before) ranks[slot] = 0
    if (slots_count <= ranks.length) return
    const length = 2 * slots_count
    ;[reached, ofWord, ranks] = [new Uint16Array(length), new Uint16Array(length), new Uint8Array(length)]
  }

  function keepCommon(slots: Uint32Array, meanings: Meanings): Uint32Array {
    const others = mark(meanings, ofWord)
    const common = slots.filter((slot) => ofWord[slot] !== 0)
    for (const slot of slots) reached[slot] = (reached[slot] ?? 0) & (ofWord[slot] ?? 0)
    for (const slot of others) ofWord[slot] = 0
    return common
  }

  return (words, slots_count) => {
    makeRoom(slots_count)
    const [rarest, ...others] = words.toSorted((a, b) => countOf(a) - countOf(b))
    const first = rarest ? mark(rarest, reached) : new Uint32Array(0)
    let slots: Uint32Array = first
    for (const meanings of others) if (slots.length > 0) slots = keepCommon(slots, meanings)
    for (const slot of slots) ranks[slot] = firstIn(reached[slot] ?? 0)
    for (const slot of first) reached[slot] = 0
    before = slots
    return { slots, ranks }
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

/** Adds the ranks that one word reaches at each slot. Gives those slots: there were none before. */
function mark(meanings: Meanings, reached: Uint16Array): Uint32Array {
  const slots = new Uint32Array(Math.min(reached.length, countOf(meanings)))
  let count = 0
  for (const [meaning, words] of meanings.entries()) {
    const byPart = reachedBy[meaning] ?? []
    for (const { uses } of words)
      for (const packed of uses) {
        const slot = slotOfUse(packed)
        const before = reached[slot] ?? 0
        if (before === 0) {
          slots[count] = slot
          count += 1
        }
        reached[slot] = before | (byPart[packed & partMask] ?? 0)
      }
  }
  return slots.subarray(0, count)
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
