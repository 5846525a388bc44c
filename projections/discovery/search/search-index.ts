import type {
  CategoryCount,
  DirectorySearch,
  FoundListings,
} from '../../../application/ports/queries/directory-search-queries.js'
import type { OffsetPage } from '../../../application/ports/queries/account-search-queries.js'
import type { DirectoryLanguage } from '../../../domain/discovery-application/listing.js'
import type { GuildId } from '../../../domain/ids/ids.js'
import { hashOf } from '../word-hashes.js'
import { foundTiers, type FoundTiers } from './found-tiers.js'
import { guildColumns, type SearchedGuild } from './guild-columns.js'
import { orderedPlaces } from './ordered-places.js'
import {
  countCommon,
  hasPlace,
  keepCommon,
  keepOthers,
  placesIn,
  placeSet,
  removePlace,
  type PlaceBits,
  type PlaceSet,
} from './place-bits.js'
import { placesByHash } from './places-by-hash.js'

/** The listed guilds in memory, to be searched by words. */
export interface SearchIndex {
  /** Adds a guild, or replaces what it was searched by. */
  put(guild: SearchedGuild): void
  remove(id: GuildId): void
  /** As `DirectorySearchQueries.search`, without the guilds in `except`. */
  search(wanted: DirectorySearch, page: OffsetPage, except: ReadonlySet<GuildId>): FoundListings
}

/** So many matches are rather sorted than looked for among all. */
const sorted_max = 200

/** Makes an empty index. It takes about 22 bytes for each different word of a guild, and about 150 bytes a guild beside them. */
export function searchIndex(): SearchIndex {
  const guilds = guildColumns()
  const order = orderedPlaces(guilds.byMembers)
  const byHash = placesByHash(guilds)
  const listed = placeSet()
  const byCategory = new Map<number, PlaceSet>()
  const byLanguage = new Map<DirectoryLanguage, PlaceSet>()

  function remove(id: GuildId): void {
    const place = guilds.placeOf(id)
    if (place === undefined) return
    // It is found by what it still has.
    order.remove(place)
    for (const hash of guilds.hashes.of(place)) byHash.remove(hash, place)
    listed.remove(place)
    setOf(byCategory, guilds.categoryOf(place)).remove(place)
    setOf(byLanguage, guilds.languageOf(place)).remove(place)
    guilds.remove(id)
  }

  function countsOf(found: PlaceBits): readonly CategoryCount[] {
    return [...byCategory]
      .map(([categoryType, places]) => ({ categoryType, count: countCommon(found, places.bits()) }))
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => a.categoryType - b.categoryType)
  }

  /** The first places of a tier, in order. */
  function first(tier: PlaceBits, count: number, wanted_count: number): readonly number[] {
    if (count <= sorted_max) return placesIn(tier).toSorted(guilds.byMembers)
    // Of many, the first ones are soon met in the order of all.
    const places: number[] = []
    for (const place of order.all()) {
      if (hasPlace(tier, place)) places.push(place)
      if (places.length === wanted_count) break
    }
    return places
  }

  return {
    put(guild) {
      remove(guild.id)
      const place = guilds.add(guild)
      order.add(place)
      for (const hash of guilds.hashes.of(place)) byHash.add(hash, place)
      listed.add(place)
      setOf(byCategory, guild.categoryType).add(place)
      setOf(byLanguage, guild.language).add(place)
    },
    remove,
    search({ words = [], language, tag, categoryType, byMembers }, { limit, offset }, except) {
      const wanted = { words: words.map(hashOf), tag: tag === undefined ? undefined : hashOf(tag), language }
      const within = (language === undefined ? listed : setOf(byLanguage, language)).bits()
      const tiers = foundTiers({ guilds, byHash, within }, wanted)
      for (const id of except) {
        const place = guilds.placeOf(id)
        if (place !== undefined) for (const tier of tiers) removePlace(tier, place)
      }
      const counts = countsOf(tiers[2])
      if (categoryType !== undefined) for (const tier of tiers) keepCommon(tier, setOf(byCategory, categoryType).bits())
      const places = cut(byMembers ? [tiers[2]] : apart(tiers), { limit, offset }, first)
      return { ids: places.map((place) => guilds.idOf(place)), counts }
    },
  }
}

function setOf<Key>(sets: Map<Key, PlaceSet>, key: Key): PlaceSet {
  const found = sets.get(key) ?? placeSet()
  sets.set(key, found)
  return found
}

/** Each without the places of those before. */
function apart(tiers: FoundTiers): FoundTiers {
  keepOthers(tiers[2], tiers[1])
  keepOthers(tiers[1], tiers[0])
  return tiers
}

/** The places of a page, one tier after another. */
function cut(
  tiers: readonly PlaceBits[],
  { limit, offset }: OffsetPage,
  first: (tier: PlaceBits, count: number, wanted_count: number) => readonly number[],
): readonly number[] {
  const places: number[] = []
  let skipped = offset
  for (const tier of tiers) {
    if (places.length === limit) break
    const count = countCommon(tier, tier)
    if (skipped < count) {
      const end = Math.min(count, skipped + limit - places.length)
      places.push(...first(tier, count, end).slice(skipped, end))
    }
    skipped = Math.max(0, skipped - count)
  }
  return places
}
