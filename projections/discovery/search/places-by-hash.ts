import type { GuildColumns } from './guild-columns.js'
import { tagUse, uses_count, type HashUses } from './guild-hashes.js'
import { placesIn, placeSet, type PlaceBits, type PlaceSet } from './place-bits.js'
import { rarePlaces } from './rare-places.js'

/** The places that have a hash: few, among which may be others; or all, by each of their uses. */
export type FoundPlaces = { readonly few: readonly number[] } | { readonly byUse: readonly PlaceBits[] }

/** Which places have a hash. */
export interface PlacesByHash {
  /** Adds a hash of the guild at this place. */
  add(hash: number, place: number): void
  /** Takes it away. The guild still has it. */
  remove(hash: number, place: number): void
  of(hash: number): FoundPlaces
}

interface Frequent {
  readonly byUse: readonly PlaceSet[]
}

/** So many places of a hash lie in the table of all rare ones; more have a list. */
const rare_max = 16
/** So many have a list at least, and one in 64 guilds. More have bits. */
const listed_max = 256
const listedShift = 6

/**
 * Makes an empty one. A hash that few guilds have takes 10 to 14 bytes for each of them. One that more have takes 8 to 12, and one that
 * many have a bit for each guild and use. Each moves to the next form as it is added to, and back at half of its bound.
 */
export function placesByHash({ count, hashes }: Pick<GuildColumns, 'count' | 'hashes'>): PlacesByHash {
  const rare = rarePlaces()
  /** Lists are in no order. */
  const held = new Map<number, number[] | Frequent>()
  const listedMax = (): number => Math.max(listed_max, count() >>> listedShift)

  /** Out of the table of rare ones, where the beginning of another hash may be the same. */
  function list(hash: number): void {
    const places = [...new Set(rare.of(hash))].filter((place) => hashes.usesOf(place, hash) !== 0)
    if (places.length <= rare_max) return
    for (const place of places) rare.remove(hash, place)
    held.set(hash, places)
  }

  /** From bits to a list, or from a list to the table of rare ones. */
  function shrink(hash: number, places: readonly number[]): void {
    if (places.length > rare_max / 2) {
      held.set(hash, [...places])
      return
    }
    held.delete(hash)
    for (const place of places) rare.add(hash, place)
  }

  function spread(hash: number, places: readonly number[]): void {
    const byUse = Array.from({ length: uses_count }, placeSet)
    for (const place of places) addUses(byUse, place, hashes.usesOf(place, hash))
    held.set(hash, { byUse })
  }

  return {
    add(hash, place) {
      const found = held.get(hash)
      if (!found) {
        if (rare.add(hash, place) > rare_max) list(hash)
      } else if (Array.isArray(found)) {
        found.push(place)
        if (found.length > listedMax()) spread(hash, found)
      } else {
        addUses(found.byUse, place, hashes.usesOf(place, hash))
        // The others became so many that these are few.
        if (countOf(found) < listedMax() / 2) shrink(hash, placesOf(found))
      }
    },
    remove(hash, place) {
      const found = held.get(hash)
      if (!found) {
        rare.remove(hash, place)
      } else if (Array.isArray(found)) {
        const last = found.pop()
        const at = last === place ? -1 : found.indexOf(place)
        if (at >= 0 && last !== undefined) found[at] = last
        if (found.length <= rare_max / 2) shrink(hash, found)
      } else {
        for (const places of found.byUse) places.remove(place)
        if (countOf(found) < listedMax() / 2) shrink(hash, placesOf(found))
      }
    },
    of(hash) {
      const found = held.get(hash)
      if (!found) return { few: rare.of(hash) }
      return Array.isArray(found) ? { few: found } : { byUse: found.byUse.map((places) => places.bits()) }
    },
  }
}

function addUses(byUse: readonly PlaceSet[], place: number, uses: HashUses): void {
  for (const [use, places] of byUse.entries()) if (((uses >>> use) & 1) === 1) places.add(place)
}

/** At most: a whole tag may be a word too. */
function countOf({ byUse }: Frequent): number {
  return (byUse[tagUse - 1]?.count() ?? 0) + (byUse[tagUse]?.count() ?? 0)
}

function placesOf({ byUse }: Frequent): readonly number[] {
  return [...new Set(byUse.flatMap((places) => placesIn(places.bits())))]
}
