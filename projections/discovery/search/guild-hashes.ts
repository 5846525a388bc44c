import { packedNumbers, type PackedNumbers } from './packed-numbers.js'

/** What a guild is searched by. Words and tags are hashes (word-hashes.ts). */
export interface GuildHashes {
  readonly nameWords: readonly number[]
  readonly tagWords: readonly number[]
  readonly descriptionWords: readonly number[]
  readonly tags: readonly number[]
}

/**
 * How a guild has a hash, a bit each: as a word of its name; of name or tags; of name, tags or description; as a whole tag. 0 if it has
 * it in no way.
 */
export type HashUses = number

export const uses_count = 4
export const tagUse = 3

/** The tier of a guild that is not found. */
export const notFound = 255

/** The hashes of the guilds at some places. */
export interface HashColumns {
  /** For a place without hashes. */
  add(place: number, guild: GuildHashes): void
  remove(place: number): void
  /** Each once. */
  of(place: number): readonly number[]
  usesOf(place: number, hash: number): HashUses
  /** 0 if all words are in the name, 1 if they are in name and tags, 2 if the description is needed; `notFound` without one of them or the tag. */
  tierOf(place: number, words: readonly number[], tag: number | undefined): number
}

/** So much that is gone does not matter. */
const repacked_min = 1024
/** The bounds of a guild's hashes: where name, tags, description and whole tags begin, and where they end. */
const bounds_count = 5

/** Makes an empty one, with all hashes in one array. */
export function hashColumns(): HashColumns {
  let hashes = packedNumbers()
  /** How many of the hashes are still somewhere. */
  let used_count = 0
  /** Of a place without hashes, all alike. */
  const bounds: number[] = []
  const boundOf = (place: number, index: number): number => bounds[place * bounds_count + index] ?? 0

  return {
    add(place, { nameWords, tagWords, descriptionWords, tags }) {
      // What is gone still takes memory.
      if (hashes.count() > 2 * used_count + repacked_min) hashes = repacked(hashes, bounds)
      let bound = hashes.count()
      bounds[place * bounds_count] = bound
      for (const [index, part] of [nameWords, tagWords, descriptionWords, tags].entries()) {
        hashes.add(part)
        bound += part.length
        used_count += part.length
        bounds[place * bounds_count + index + 1] = bound
      }
    },
    remove(place) {
      const [from, to] = [boundOf(place, 0), boundOf(place, bounds_count - 1)]
      used_count -= to - from
      bounds.fill(from, place * bounds_count, (place + 1) * bounds_count)
    },
    of(place) {
      const [from, to] = [boundOf(place, 0), boundOf(place, bounds_count - 1)]
      const run = hashes.run(from, to)
      const own: number[] = []
      for (let index = 0; index < run.length; index += 1) {
        const hash = run[index] ?? 0
        if (hashes.placeOf(hash, from, to) === from + index) own.push(hash)
      }
      return own
    },
    usesOf(place, hash) {
      const tagsAt = boundOf(place, 3)
      const found = hashes.placeOf(hash, boundOf(place, 0), tagsAt)
      let uses = hashes.placeOf(hash, tagsAt, boundOf(place, 4)) < 0 ? 0 : 1 << tagUse
      // What is in the name is in name or tags as well, and so on.
      for (let part = 1; part <= tagUse; part += 1)
        if (found >= 0 && found < boundOf(place, part)) uses |= 1 << (part - 1)
      return uses
    },
    tierOf(place, words, tag) {
      const [from, tagsAt] = [boundOf(place, 0), boundOf(place, 3)]
      if (tag !== undefined && hashes.placeOf(tag, tagsAt, boundOf(place, 4)) < 0) return notFound
      let last = -1
      for (const word of words) {
        const found = hashes.placeOf(word, from, tagsAt)
        if (found < 0) return notFound
        last = Math.max(last, found)
      }
      if (last < boundOf(place, 1)) return 0
      return last < boundOf(place, 2) ? 1 : 2
    },
  }
}

/** The same hashes without those of guilds that are gone. Moves the bounds of all places. */
function repacked(hashes: PackedNumbers, bounds: number[]): PackedNumbers {
  const packed = packedNumbers()
  for (let at = 0; at < bounds.length; at += bounds_count) {
    const own = bounds.slice(at, at + bounds_count)
    const from = own[0] ?? 0
    const moved = packed.add(hashes.run(from, own.at(-1) ?? from)) - from
    for (const [index, bound] of own.entries()) bounds[at + index] = bound + moved
  }
  return packed
}
