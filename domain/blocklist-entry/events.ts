import type { AccountId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { Blocklist, EntryCategory, ProfileScope, Severity } from './lists.js'

/** The events of a blocklist entry. Kept forever: members are added, never renamed or reused. */
export type BlocklistEntryEvent =
  | { readonly type: 'BlocklistEntryAdded'; readonly data: BlocklistEntryAdded }
  | {
      readonly type: 'BlocklistEntryChanged'
      readonly data: { readonly entryId: string; readonly changes: Partial<EntryDetails> }
    }
  | {
      readonly type: 'BlocklistEntryRemoved'
      readonly data: { readonly entryId: string; readonly list: Blocklist }
    }

export interface BlocklistEntryAdded {
  /** A keyed hash of list, scope and value, in hex: each value has one entry. */
  readonly entryId: string
  readonly list: Blocklist
  readonly scope: ProfileScope | null
  /**
   * As parsed from outside. An e-mail address may belong to somebody without an account, whose key could not seal it. So it is
   * sealed with a key of the instance, as base64.
   */
  readonly value: string
  readonly details: EntryDetails
  /** Null if no account added it. */
  readonly addedBy: AccountId | null
  readonly addedAt: Timestamp
}

/** The details of a listed value (reference stores 4.13). */
export interface EntryDetails {
  readonly category: EntryCategory
  readonly severity: Severity
  /** Stored and shown; hosts are always compared exactly. */
  readonly matchSubdomains: boolean
  readonly sourceUrl: string | null
  readonly notes: string | null
  readonly contentType: string | null
  readonly reason: string | null
}

export const blocklistEntryEvents: EventCatalog<BlocklistEntryEvent> = {
  category: 'blocklist_entry',
  events: {
    BlocklistEntryAdded: { version: 1 },
    BlocklistEntryChanged: { version: 1 },
    BlocklistEntryRemoved: { version: 1 },
  },
}
