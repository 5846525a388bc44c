import type { GuildId } from '../../../domain/ids/ids.ts'
import type { OffsetPage } from './account-search-queries.ts'

export interface FoundGuilds {
  /** Those of the page, oldest first. */
  readonly ids: readonly GuildId[]
  /** How many there are on all pages. */
  readonly total: number
}

export interface SearchedGuildText {
  /** In lower case, not empty. */
  readonly text: string
  /** A guild that is left out, and not counted. */
  readonly except: GuildId | undefined
}

/** Finds guilds that are not deleted. */
export interface GuildSearchQueries {
  /** False where Postgres has no index for parts of texts: then nothing may be asked of `matching`. */
  canSearch(): Promise<boolean>
  /** Every guild. */
  oldest(page: OffsetPage): Promise<FoundGuilds>
  /**
   * By a part of the name, of the custom code, or of a tag or the description of its application to the directory; by the
   * beginning of the name or the code if the text has fewer than `partOfText_characters_min` characters.
   */
  matching(searched: SearchedGuildText, page: OffsetPage): Promise<FoundGuilds>
}
