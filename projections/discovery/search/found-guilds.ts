import type { CategoryCount, DirectorySearch } from '../../../application/ports/queries/directory-search-queries.ts'
import type { OffsetPage } from '../../../application/ports/queries/account-search-queries.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { HeldGuilds } from './held-guilds.ts'
import type { OrderedSlots } from './ordered-slots.ts'
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
  return kept(found, (slot) => {
    const guild = guilds.at(slot)
    return (
      (language === undefined || guild.language === language) &&
      (tag === undefined || guild.tags.includes(tag)) &&
      !except.has(guild.id)
    )
  })
}

export function ofCategory(found: Found, category: number | undefined, guilds: HeldGuilds): Found {
  return category === undefined ? found : kept(found, (slot) => guilds.categoryOf(slot) === category)
}

/** How many of each category there are, ascending, without those of none. */
export function countsOf({ slots }: Found, guilds: HeldGuilds): readonly CategoryCount[] {
  const counts = [...countedBy(slots, guilds.categoryOf).entries()]
  return counts.flatMap(([categoryType, count = 0]) => (count > 0 ? [{ categoryType, count }] : []))
}

/** The slots of a page, one rank after another, each in the order of all. */
export function pageOf(found: Found, { limit, offset }: OffsetPage, order: Ordered): readonly number[] {
  const page: number[] = []
  const counts = countedBy(found.slots, (slot) => found.ranks[slot] ?? 0)
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

interface Ordered extends Pick<OrderedSlots, 'all'>, Pick<HeldGuilds, 'byMembers'> {}

function sorted({ slots, ranks }: Found, rank: number, { byMembers }: Ordered): readonly number[] {
  return Array.from(slots.filter((slot) => ranks[slot] === rank)).toSorted(byMembers)
}

/** Of many, the first ones are soon met in the order of all. */
function met(
  { ranks }: Found,
  rank: number,
  { order, end }: { readonly order: Ordered; readonly end: number },
): readonly number[] {
  const slots: number[] = []
  for (const slot of order.all()) {
    if (ranks[slot] === rank) slots.push(slot)
    if (slots.length === end) break
  }
  return slots
}

/** Takes the others away. */
function kept({ slots, ranks }: Found, isKept: (slot: number) => boolean): Found {
  return {
    ranks,
    slots: slots.filter((slot) => {
      if (isKept(slot)) return true
      ranks[slot] = 0
      return false
    }),
  }
}

/** How many slots have each small number. */
function countedBy(slots: Uint32Array, numberOf: (slot: number) => number): readonly (number | undefined)[] {
  const counts: number[] = []
  for (const slot of slots) {
    const number = numberOf(slot)
    counts[number] = (counts[number] ?? 0) + 1
  }
  return counts
}
