import type {
  CategoryCount,
  DirectorySearch,
  FoundListings,
} from '../../application/ports/queries/directory-search-queries.js'
import type { OffsetPage } from '../../application/ports/queries/account-search-queries.js'
import type { GuildId } from '../../domain/ids/ids.js'
import { guildColumns, notFound, type SearchedGuild } from './guild-columns.js'
import { orderedPlaces } from './ordered-places.js'
import { hashOf } from './word-hashes.js'

/** The listed guilds in memory, to be searched by looking at each. */
export interface SearchIndex {
  /** Adds a guild, or replaces what it was searched by. */
  put(guild: SearchedGuild): void
  remove(id: GuildId): void
  /** As `DirectorySearchQueries.search`, without the guilds in `except`. */
  search(wanted: DirectorySearch, page: OffsetPage, except: ReadonlySet<GuildId>): FoundListings
}

const tiers_count = 3
/** So many matches are rather sorted than looked for among all. */
const sorted_max = 1000

/** Makes an empty index. It takes 8 to 16 bytes a word in one array, and about 150 bytes a guild beside it. */
export function searchIndex(): SearchIndex {
  const guilds = guildColumns()
  const order = orderedPlaces(guilds.byMembers)

  function remove(id: GuildId): void {
    const place = guilds.placeOf(id)
    if (place === undefined) return
    // Its place in the order is found by what it still has.
    order.remove(place)
    guilds.remove(id)
  }

  return {
    put(guild) {
      remove(guild.id)
      order.add(guilds.add(guild))
    },
    remove,
    search({ words = [], language, tag, categoryType, byMembers }, { limit, offset }, except) {
      const hashed = { words: words.map(hashOf), tag: tag === undefined ? undefined : hashOf(tag), language }
      const tierOf = guilds.tiers(hashed)
      const counts: number[] = []
      /** Of each tier, how many the page is cut from. */
      const inTier = Array.from({ length: tiers_count }, () => 0)
      const matches: number[] = []
      for (let place = 0; place < tierOf.length; place += 1) {
        const tier = tierOf[place] ?? notFound
        if (tier === notFound) continue
        const category = guilds.categoryOf(place)
        const isLeftOut = except.size > 0 && except.has(guilds.idOf(place))
        if (!isLeftOut) counts[category] = (counts[category] ?? 0) + 1
        if (isLeftOut || (categoryType !== undefined && category !== categoryType)) {
          tierOf[place] = notFound
          continue
        }
        if (byMembers) tierOf[place] = 0
        inTier[byMembers ? 0 : tier] = (inTier[byMembers ? 0 : tier] ?? 0) + 1
        if (matches.length <= sorted_max) matches.push(place)
      }
      // Few are sorted; of many, the first ones are soon met in the order of all.
      const inOrder = matches.length > sorted_max ? order.all() : matches.toSorted(guilds.byMembers)
      const places = cut(inOrder, { tierOf, inTier, end: offset + limit }).slice(offset)
      return { ids: places.map((place) => guilds.idOf(place)), counts: ascending(counts) }
    },
  }
}

/** The counts by category, of which those without one have none. */
function ascending(counts: readonly (number | undefined)[]): readonly CategoryCount[] {
  return Array.from(counts, (count, categoryType) => ({ categoryType, count: count ?? 0 })).filter(
    ({ count }) => count > 0,
  )
}

interface Tiers {
  /** By place. */
  readonly tierOf: Uint8Array
  readonly inTier: readonly number[]
  /** How many are wanted. */
  readonly end: number
}

/** The first places, one tier after another. Looks no further than it needs to. */
function cut(inOrder: Iterable<number>, { tierOf, inTier, end }: Tiers): readonly number[] {
  let left = end
  const wanted = inTier.map((count) => {
    const most = Math.min(count, left)
    left -= most
    return most
  })
  let missing = end - left
  const tiers = inTier.map((): number[] => [])
  for (const place of inOrder) {
    if (missing === 0) break
    const tier = tierOf[place] ?? notFound
    const found = tiers[tier]
    if (!found || found.length >= (wanted[tier] ?? 0)) continue
    found.push(place)
    missing -= 1
  }
  return tiers.flat()
}
