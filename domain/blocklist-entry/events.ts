import type { AccountId } from '../ids/ids.js'
import { event, type EventOf } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { Blocklist, EntryCategory, ProfileScope, Severity } from './lists.js'

/** What can happen to an entry of a blocklist. Kept forever: members are added, never renamed or reused. */
export const blocklistEntryEvents = {
  BlocklistEntryAdded: event<BlocklistEntryAdded>({
    entryId: 'text',
    list: 'text',
    scope: 'text or null',
    value: 'text',
    details: 'object',
    addedBy: 'text or null',
    addedAt: 'text',
  }),
  BlocklistEntryChanged: event<{ readonly entryId: string; readonly changes: Partial<EntryDetails> }>({
    entryId: 'text',
    changes: 'object',
  }),
  BlocklistEntryRemoved: event<{ readonly entryId: string; readonly list: Blocklist }>({
    entryId: 'text',
    list: 'text',
  }),
}

export type BlocklistEntryEvent = EventOf<typeof blocklistEntryEvents>

export interface BlocklistEntryAdded {
  /** A keyed hash of list, scope and value, as hex: one entry a value. */
  readonly entryId: string
  readonly list: Blocklist
  readonly scope: ProfileScope | null
  /**
   * As it was read from outside. An e-mail address is somebody's who may have no account, so that no account's key could
   * seal it: it stands here sealed with a key of the instance, as base64.
   */
  readonly value: string
  readonly details: EntryDetails
  /** Null for whoever was no account. */
  readonly addedBy: AccountId | null
  readonly addedAt: Timestamp
}

/** What is said of a value beside it (reference stores 4.13). */
export interface EntryDetails {
  readonly category: EntryCategory
  readonly severity: Severity
  /** Kept and shown; hosts are compared exactly all the same. */
  readonly matchSubdomains: boolean
  readonly sourceUrl: string | null
  readonly notes: string | null
  readonly contentType: string | null
  readonly reason: string | null
}
