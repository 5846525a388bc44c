import type { EntryDetails } from './events.ts'
import type { Blocklist } from './lists.ts'

export type BlocklistEntryState = { readonly status: 'absent' } | ({ readonly status: 'listed' } & ListedEntry)

export interface ListedEntry {
  readonly entryId: string
  readonly list: Blocklist
  readonly details: EntryDetails
}
