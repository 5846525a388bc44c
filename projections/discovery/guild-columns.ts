import type { DirectoryLanguage } from '../../domain/discovery-application/listing.js'
import type { GuildId } from '../../domain/ids/ids.js'
import { packedNumbers, type PackedNumbers } from './packed-numbers.js'

/** A listed guild as it is searched. Words and tags are hashes (word-hashes.ts). */
export interface SearchedGuild {
  readonly id: GuildId
  readonly memberCount: number
  readonly categoryType: number
  readonly language: DirectoryLanguage
  readonly nameWords: readonly number[]
  readonly tagWords: readonly number[]
  readonly descriptionWords: readonly number[]
  readonly tags: readonly number[]
}

/** What is looked for, as hashes. */
export interface WantedHashes {
  readonly words: readonly number[]
  readonly tag: number | undefined
  readonly language: DirectoryLanguage | undefined
}

/** The tier of a guild that is not found. */
export const notFound = 255

/** Listed guilds, each at a place that it keeps while it is there. */
export interface GuildColumns {
  /** Adds a guild that is not there. Gives its place. */
  add(guild: SearchedGuild): number
  /** The place of a guild; undefined if it is not there. */
  placeOf(id: GuildId): number | undefined
  /** The next one may get its place. */
  remove(id: GuildId): void
  idOf(place: number): GuildId
  categoryOf(place: number): number
  /** The order of two places: the guild with more members first, then by id. */
  readonly byMembers: (a: number, b: number) => number
  /** By place, `notFound` for places without a guild: 0 if all words are in the name, 1 if they are in name and tags, 2 if the description is needed, or `notFound`. */
  tiers(wanted: WantedHashes): Uint8Array
}

/** So much that is gone does not matter. */
const repacked_min = 1024
/** The bounds of a guild's hashes: where name, tags, description and whole tags begin, and where they end. */
const bounds_count = 5
/** Of a place without a guild. */
const noCategory = -1

/**
 * Makes an empty one. Each search looks at every guild, so each member of a guild has an array of its own: memory is read in the
 * order in which it lies.
 */
export function guildColumns(): GuildColumns {
  let hashes = packedNumbers()
  /** How many of the hashes are of guilds that are still there. */
  let used_count = 0
  const places = new Map<GuildId, number>()
  const free: number[] = []
  const ids: GuildId[] = []
  const members: number[] = []
  const categories: number[] = []
  const languages: DirectoryLanguage[] = []
  const bounds: number[] = []
  const boundOf = (place: number, index: number): number => bounds[place * bounds_count + index] ?? 0

  return {
    add({ id, memberCount, categoryType, language, nameWords, tagWords, descriptionWords, tags }) {
      // What is gone still takes memory.
      if (hashes.count() > 2 * used_count + repacked_min) hashes = repacked(hashes, bounds, places.values())
      const place = free.pop() ?? ids.length
      places.set(id, place)
      ids[place] = id
      members[place] = memberCount
      categories[place] = categoryType
      languages[place] = language
      let bound = hashes.count()
      bounds[place * bounds_count] = bound
      for (const [index, part] of [nameWords, tagWords, descriptionWords, tags].entries()) {
        hashes.add(part)
        bound += part.length
        used_count += part.length
        bounds[place * bounds_count + index + 1] = bound
      }
      return place
    },
    placeOf: (id) => places.get(id),
    remove(id) {
      const place = places.get(id)
      if (place === undefined) return
      places.delete(id)
      categories[place] = noCategory
      free.push(place)
      used_count -= boundOf(place, bounds_count - 1) - boundOf(place, 0)
    },
    idOf: (place) => ids[place] ?? never(place),
    categoryOf: (place) => categories[place] ?? never(place),
    byMembers: (a, b) => (members[b] ?? 0) - (members[a] ?? 0) || byId(ids[a] ?? never(a), ids[b] ?? never(b)),
    tiers(wanted) {
      const tiers = new Uint8Array(ids.length)
      for (let place = 0; place < tiers.length; place += 1) {
        const isOther = wanted.language !== undefined && languages[place] !== wanted.language
        tiers[place] = isOther || categories[place] === noCategory ? notFound : tierOf(hashes, bounds, place, wanted)
      }
      return tiers
    },
  }
}

/** The same hashes without those of guilds that are gone. Moves the bounds of these places. */
function repacked(hashes: PackedNumbers, bounds: number[], places: Iterable<number>): PackedNumbers {
  const packed = packedNumbers()
  for (const place of places) {
    const own = bounds.slice(place * bounds_count, (place + 1) * bounds_count)
    const from = own[0] ?? 0
    const moved = packed.add(hashes.run(from, own.at(-1) ?? from)) - from
    for (const [index, bound] of own.entries()) bounds[place * bounds_count + index] = bound + moved
  }
  return packed
}

/** The tier by words and tag, of the guild at a place. */
function tierOf(
  hashes: PackedNumbers,
  bounds: readonly number[],
  place: number,
  { words, tag }: Pick<WantedHashes, 'words' | 'tag'>,
): number {
  const at = place * bounds_count
  const from = bounds[at] ?? 0
  const tagsAt = bounds[at + 3] ?? 0
  if (tag !== undefined && hashes.placeOf(tag, tagsAt, bounds[at + 4] ?? 0) < 0) return notFound
  let last = -1
  for (const word of words) {
    const found = hashes.placeOf(word, from, tagsAt)
    if (found < 0) return notFound
    last = Math.max(last, found)
  }
  if (last < (bounds[at + 1] ?? 0)) return 0
  return last < (bounds[at + 2] ?? 0) ? 1 : 2
}

/** Snowflakes: the one with fewer digits is the lower. */
function byId(a: GuildId, b: GuildId): number {
  return a.length - b.length || (a < b ? -1 : 1)
}

function never(place: number): never {
  throw new Error(`No guild is at place ${place} of the index`)
}
