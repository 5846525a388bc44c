import type { BlocklistEntryAdded } from '../../../domain/blocklist-entry/events.js'
import type { Blocklist, ProfileScope } from '../../../domain/blocklist-entry/lists.js'

/** An entry as the read model holds it: an e-mail address is sealed. */
export type BlocklistRecord = BlocklistEntryAdded

/** Where a page ends: the entry that was the last of it. */
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
  /** Those of some entries that are listed, in no order. */
  findMany(entryIds: readonly string[]): Promise<readonly BlocklistRecord[]>
  /** Every entry of some lists, at most `limit`: the newest. */
  newestOf(lists: readonly Blocklist[], limit: number): Promise<readonly BlocklistRecord[]>
  /** How often any entry has become another: another number says that there is something new. */
  changes(): Promise<number>
}
