import type { CategoryCount, DirectorySearch } from '../../../application/ports/queries/directory-search-queries.ts'
import type { OffsetPage } from '../../../application/ports/queries/account-search-queries.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { HeldGuilds } from './held-guilds.ts'
import type { OrderedPlaces } from './ordered-places.ts'
import { ranks_max, type Found } from './ranks.ts'

/** So many matches are rather sorted than looked for among all. */
const sorted_max = 200

/** Those that all filters but the category let through, without some guilds. */
export function filtered(
  found: Found,
  { language, tag }: DirectorySearch,
  { guilds, except }: { readonly guilds: HeldGuilds; readonly except: ReadonlySet<GuildId> },
): Found {
  if (language === undefined && tag === undefined && except.size === 0) return found
  return kept(found, (place) => {
    const guild = guilds.at(place)
    return (
      (language === undefined || guild.language === language) &&
      (tag === undefined || guild.tags.includes(tag)) &&
      !except.has(guild.id)
    )
  })
}

export function ofCategory(found: Found, category: number | undefined, guilds: HeldGuilds): Found {
  return category === undefined ? found : kept(found, (place) => guilds.categoryOf(place) === category)
}

/** How many of each category there are, ascending, without those of none. */
export function countsOf({ places }: Found, guilds: HeldGuilds): readonly CategoryCount[] {
  const counts = [...countedBy(places, guilds.categoryOf).entries()]
  return counts.flatMap(([categoryType, count = 0]) => (count > 0 ? [{ categoryType, count }] : []))
}

/** The places of a page, one rank after another, each in the order of all. */
export function pageOf(found: Found, { limit, offset }: OffsetPage, order: Ordered): readonly number[] {
  const page: number[] = []
  const counts = countedBy(found.places, (place) => found.ranks[place] ?? 0)
  let skipped = offset
  for (let rank = 1; rank <= ranks_max && page.length < limit; rank += 1) {
    const count = counts[rank] ?? 0
    if (skipped < count) {
      const end = Math.min(count, skipped + limit - page.length)
      const first = count <= sorted_max ? sorted(found, rank, order) : met(found, rank, { order, end })
      page.push(...first.slice(skipped, end))
    }
    skipped = Math.max(0, skipped - count)
  }
  return page
}

interface Ordered extends Pick<OrderedPlaces, 'all'>, Pick<HeldGuilds, 'byMembers'> {}

function sorted({ places, ranks }: Found, rank: number, { byMembers }: Ordered): readonly number[] {
  return Array.from(places.filter((place) => ranks[place] === rank)).toSorted(byMembers)
}

/** Of many, the first ones are soon met in the order of all. */
function met(
  { ranks }: Found,
  rank: number,
  { order, end }: { readonly order: Ordered; readonly end: number },
): readonly number[] {
  const places: number[] = []
  for (const place of order.all()) {
    if (ranks[place] === rank) places.push(place)
    if (places.length === end) break
  }
  return places
}

/** Takes the others away. */
function kept({ places, ranks }: Found, isKept: (place: number) => boolean): Found {
  return {
    ranks,
    places: places.filter((place) => {
      if (isKept(place)) return true
      ranks[place] = 0
      return false
    }),
  }
}

/** How many places have each small number. */
function countedBy(places: Uint32Array, numberOf: (place: number) => number): readonly (number | undefined)[] {
  const counts: number[] = []
  for (const place of places) {
    const number = numberOf(place)
    counts[number] = (counts[number] ?? 0) + 1
  }
  return counts
}
