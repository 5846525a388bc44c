import type { BlocklistEntryAdded } from '../../../domain/blocklist-entry/events.ts'
import type { Blocklist, ProfileScope } from '../../../domain/blocklist-entry/lists.ts'

/** An entry as the read model holds it: e-mail addresses are sealed. */
export type BlocklistRecord = BlocklistEntryAdded

/** The last entry of a page. */
export type EntryCursor = Readonly<Pick<BlocklistRecord, 'addedAt' | 'entryId'>>

export interface EntryPage {
  readonly list: Blocklist
  readonly scope: ProfileScope | null
  readonly after: EntryCursor | null
  readonly limit: number
}

export interface BlocklistQueries {
  /** The entries of a list, the newest first. */
  page(page: EntryPage): Promise<readonly BlocklistRecord[]>
  /** Those of the given entries that are listed, in no order. */
  findMany(entryIds: readonly string[]): Promise<readonly BlocklistRecord[]>
  /** The newest entries of some lists, at most `limit`. */
  newestOf(lists: readonly Blocklist[], limit: number): Promise<readonly BlocklistRecord[]>
  /** The number of changes to entries so far. A different number means that something changed. */
  changes(): Promise<number>
}
