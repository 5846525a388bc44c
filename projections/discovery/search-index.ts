import type {
  CategoryCount,
  DirectorySearch,
  FoundListings,
} from '../../application/ports/queries/directory-search-queries.js'
import type { OffsetPage } from '../../application/ports/queries/account-search-queries.js'
import type { GuildId } from '../../domain/ids/ids.js'
import { guildColumns, notFound, type SearchedGuild } from './guild-columns.js'
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

/** Makes an empty index. It takes 8 to 16 bytes a word in one array, and about 150 bytes a guild beside it. */
export function searchIndex(): SearchIndex {
  const guilds = guildColumns()
  /** The places of guilds, those with the most members first, then by id. */
  let ordered: readonly number[] = []
  let added = new Set<number>()
  let removed = new Set<number>()

  function remove(id: GuildId): void {
    const place = guilds.remove(id)
    if (place === undefined) return
    added.delete(place)
    removed.add(place)
  }

  /** Takes in what was put and removed since the last search. */
  function settle(): void {
    if (added.size === 0 && removed.size === 0) return
    const others = removed.size === 0 ? ordered : ordered.filter((place) => !removed.has(place))
    ordered = merged(others, [...added].toSorted(guilds.byMembers), guilds.byMembers)
    added = new Set()
    removed = new Set()
  }

  return {
    put(guild) {
      remove(guild.id)
      added.add(guilds.add(guild))
    },
    remove,
    search({ words = [], language, tag, categoryType, byMembers }, { limit, offset }, except) {
      settle()
      const hashed = { words: words.map(hashOf), tag: tag === undefined ? undefined : hashOf(tag), language }
      const tierOf = guilds.tiers(hashed)
      const counts: number[] = []
      const tiers = Array.from({ length: tiers_count }, (): GuildId[] => [])
      for (const place of ordered) {
        const tier = tierOf[place] ?? notFound
        if (tier === notFound || (except.size > 0 && except.has(guilds.idOf(place)))) continue
        const category = guilds.categoryOf(place)
        counts[category] = (counts[category] ?? 0) + 1
        if (categoryType !== undefined && category !== categoryType) continue
        const found = tiers[byMembers ? 0 : tier]
        if (found && found.length < offset + limit) found.push(guilds.idOf(place))
      }
      return { ids: tiers.flat().slice(offset, offset + limit), counts: ascending(counts) }
    },
  }
}

/** The counts by category, of which those without one have none. */
function ascending(counts: readonly (number | undefined)[]): readonly CategoryCount[] {
  return Array.from(counts, (count, categoryType) => ({ categoryType, count: count ?? 0 })).filter(
    ({ count }) => count > 0,
  )
}

/** Both lists in order, each of which is. */
function merged(
  some: readonly number[],
  others: readonly number[],
  order: (a: number, b: number) => number,
): readonly number[] {
  const both: number[] = []
  let next = 0
  for (const one of some) {
    for (let other = others[next]; other !== undefined && order(other, one) < 0; other = others[next]) {
      both.push(other)
      next += 1
    }
    both.push(one)
  }
  return both.concat(others.slice(next))
}
