import { normalisedTag } from '../../../domain/discovery-application/tags.ts'
import type { DirectoryLanguage } from '../../../domain/discovery-application/listing.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import { wantedWords } from '../../../domain/text/search-words.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { answeredInTime, NoAnswer } from '../../health/answered-in-time.ts'
import type { OffsetPage } from '../../ports/queries/account-search-queries.ts'
import type { DirectorySearch, FoundListings, PublicListing } from '../../ports/queries/directory-search-queries.ts'
import type { Ports } from '../../ports.ts'
import { discoveryGuildObject } from '../../wire-objects/communities/discovery-guild-object.ts'

/** What a client asks for. */
export interface DirectoryQuestion {
  readonly query: string | undefined
  readonly category: number | undefined
  readonly language: DirectoryLanguage | undefined
  readonly tag: string | undefined
  readonly sortBy: 'member_count' | 'online_count' | 'relevance' | undefined
}

/** How long a search waits for the Gateways. */
const presences_ms_max = 200

/**
 * A page of listed guilds, how many there are, and how many of each category all filters but the category let through.
 * Members are counted when it is asked; who is online is 0 where the Gateways do not tell in time. The caller is
 * charged for the search. Refuses with DISCOVERY_DISABLED. See rules/directory#search.
 */
export function searchDirectory({
  instancePolicies,
  presence,
  queries,
}: Pick<Ports, 'instancePolicies' | 'presence' | 'queries'>) {
  return async ({ context }: Pick<Caller, 'context'>, question: DirectoryQuestion, page: OffsetPage) => {
    const { discovery } = await instancePolicies.current()
    if (!discovery.enabled) reject('DISCOVERY_DISABLED')
    const wanted = wantedBy(question)
    const { found, listings } = await shownBy({ queries }, { wanted, page, onSpent: context.noteSpent })
    const { ids, counts } = found
    const online = await onlineIn({ presence }, ids)
    const byId = new Map(listings.map((listing) => [listing.id, listing]))
    const inOrder = ids.map((id) => byId.get(id)).filter((listing): listing is PublicListing => listing !== undefined)
    return {
      guilds: inOrder.map((listing) => discoveryGuildObject(listing, online.get(listing.id) ?? 0)),
      total: totalOf(found, wanted),
      category_counts: counts.map(({ categoryType, count }) => ({ category_type: categoryType, count })),
    }
  }
}

/** How often a page is searched again because listings of it went meanwhile. */
const searches_max = 3

/**
 * A page with its listings. The listings are read after the search. If one of them went in between, the search is
 * repeated, so that the total counts what is shown.
 */
async function shownBy({ queries }: Pick<Ports, 'queries'>, { wanted, page, onSpent }: Wanted): Promise<Shown> {
  for (let search = 1; ; search += 1) {
    const found = wanted.words?.length === 0 ? nothing : await queries.directorySearch.search(wanted, page, onSpent)
    const listings = found.ids.length === 0 ? [] : await queries.directorySearch.listings(found.ids)
    if (listings.length === found.ids.length || search === searches_max) return { found, listings }
  }
}

interface Wanted {
  readonly wanted: DirectorySearch
  readonly page: OffsetPage
  readonly onSpent: Caller['context']['noteSpent']
}

interface Shown {
  readonly found: FoundListings
  readonly listings: readonly PublicListing[]
}

/** A text without a letter, a digit or an emoji is in no listing. */
const nothing: FoundListings = { ids: [], counts: [] }

function wantedBy({ query = '', category, language, tag = '', sortBy }: DirectoryQuestion): DirectorySearch {
  const wantedTag = normalisedTag(tag)
  return {
    words: query.trim() === '' ? undefined : wantedWords(query),
    categoryType: category,
    language,
    tag: wantedTag === '' ? undefined : wantedTag,
    byMembers: sortBy === 'member_count',
  }
}

function totalOf({ counts }: FoundListings, { categoryType: wanted }: DirectorySearch): number {
  const counted = counts.filter(({ categoryType }) => wanted === undefined || categoryType === wanted)
  return counted.reduce((total, { count }) => total + count, 0)
}

async function onlineIn(
  { presence }: Pick<Ports, 'presence'>,
  guilds: readonly GuildId[],
): Promise<ReadonlyMap<GuildId, number>> {
  try {
    return await answeredInTime('nats', presence.onlineCounts(guilds), presences_ms_max)
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return new Map()
  }
}
