import type { EntryDetails } from './events.js'
import type { Blocklist } from './lists.js'

export type BlocklistEntryState = { readonly status: 'absent' } | ({ readonly status: 'listed' } & ListedEntry)

export interface ListedEntry {
  readonly entryId: string
  readonly list: Blocklist
  readonly details: EntryDetails
}
