import type { DirectoryLanguage } from '../../../domain/discovery-application/listing.ts'
import type { GuildFeature } from '../../../domain/guild/features.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { OffsetPage } from './account-search-queries.ts'
import type { DiscoveryRecord } from './discovery-queries.ts'

type OnSpent = (processor_ms: number) => void

/** What is looked for in the directory. Each that is undefined lets every listing through. */
export interface DirectorySearch {
  /** As `wantedWords` makes them: a listing has words that may be meant by each in its name, tags and description together. */
  readonly words: readonly string[] | undefined
  readonly categoryType: number | undefined
  readonly language: DirectoryLanguage | undefined
  /** Normalised. */
  readonly tag: string | undefined
  /** By the number of members alone; otherwise by relevance first. */
  readonly byMembers: boolean
}

export interface CategoryCount {
  readonly categoryType: number
  readonly count: number
}

export interface FoundListings {
  /** Those of the page, in order. */
  readonly ids: readonly GuildId[]
  /** How many listings of each category all filters but the category let through; without those of none, ascending. */
  readonly counts: readonly CategoryCount[]
}

/** A listing as the public sees it. */
export interface PublicListing extends Pick<DiscoveryRecord, 'listing'> {
  readonly id: GuildId
  readonly name: string
  readonly icon: string | null
  /** The hash of its banner. */
  readonly banner: string | null
  readonly features: readonly GuildFeature[]
  readonly verificationLevel: number
  readonly memberCount: number
}

/** Searches listed guilds, and never others. */
export interface DirectorySearchQueries {
  /**
   * Relevance: listings that have all words as they are written, then those whose words differ in marks or endings, then those that
   * have words as beginnings or parts of others, then those with typos. Of each of these first all words in the name, then in name
   * and tags, then with the description; of equal ones those with the most members first, then by id. `onSpent` gets the milliseconds of
   * the event loop that it took.
   */
  search(wanted: DirectorySearch, page: OffsetPage, onSpent?: OnSpent): Promise<FoundListings>
  /** Reads what is searched, where anything is listed, so that the first search need not. */
  prepare(): Promise<void>
  /** These guilds, as far as they are listed, in no order. */
  listings(ids: readonly GuildId[]): Promise<readonly PublicListing[]>
}
