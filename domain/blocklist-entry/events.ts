import type { AccountId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { Blocklist, EntryCategory, ProfileScope, Severity } from './lists.ts'

/** The events of a blocklist entry. Kept forever: members are added, never renamed or reused. */
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

/** The details of a listed value. */
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
