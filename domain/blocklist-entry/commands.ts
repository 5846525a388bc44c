import type { Timestamp } from '../kernel/timestamp.ts'
import type { BlocklistEntryAdded, EntryDetails } from './events.ts'

export type BlocklistEntryCommand = AddBlocklistEntry | ChangeBlocklistEntry | RemoveBlocklistEntry

/** For an existing entry, replaces its details. */
export interface AddBlocklistEntry extends Omit<BlocklistEntryAdded, 'addedAt'> {
  readonly type: 'AddBlocklistEntry'
  readonly now: Timestamp
}

export interface ChangeBlocklistEntry {
  readonly type: 'ChangeBlocklistEntry'
  readonly changes: Partial<EntryDetails>
}

/** Removing a value that is not listed changes nothing. */
export interface RemoveBlocklistEntry {
  readonly type: 'RemoveBlocklistEntry'
}
