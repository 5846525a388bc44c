import { chainedText, personalText } from '../../../domain/admin-audit/chained-text.js'
import type { AdminActionRecorded, AdminAuditEvent } from '../../../domain/admin-audit/events.js'
import { entryId, type EntryId } from '../../../domain/ids/ids.js'
import { snowflake } from '../../../domain/ids/snowflake.js'
import { categoryOf } from '../../../domain/streams.js'
import { msOf, type Timestamp } from '../../../domain/kernel/timestamp.js'
import { beforeAll, type EventStore, type Position, type RecordedEvent } from '../../ports/event-store.js'
import { isUnreadable } from '../../ports/unreadable-event.js'

/** What is wrong with the chain, where it first is. */
export interface ChainFault {
  /** The entry, or the event, that shows it. */
  readonly at: string
  readonly position: Position
  readonly what: 'changed' | 'out of place' | 'unreadable' | 'missing'
}

export interface ChainReport {
  readonly entries_count: number
  /** That of the newest entry; null without any. */
  readonly newestHash: string | null
  /** Whether an entry has the hash that was asked for; true where none was. */
  readonly holdsWanted: boolean
  readonly fault: ChainFault | undefined
}

export interface ChainQuestion {
  readonly store: Pick<EventStore, 'readAll'>
  readonly hashOf: (text: string) => string
  /** A hash that an entry has to have: one that somebody noted before. */
  readonly wanted?: string
  /** Acts younger than `unsettled_ms` may be waiting for their entry. */
  readonly now: Timestamp
}

/** An act whose entry has not come yet. */
type Unrecorded = ChainFault & { readonly since: Timestamp }

/** How long a request may be at work, and a process manager after it. */
export const unsettled_ms = 10 * 60_000

/**
 * Goes through all events, and through the admin audit log with them. Finds the first entry that was changed, and the first
 * place where one is missing or was added; where the chain holds, the first act of an administrator that has no entry.
 * Entries that were cut off the end, all of which only looked, show by a hash that was noted before alone.
 */
export async function verifyChain({ store, hashOf, wanted, now }: ChainQuestion): Promise<ChainReport> {
  const unrecorded = new Map<EntryId, Unrecorded>()
  let end: string | null = null
  let entries = 0
  let holdsWanted = wanted === undefined
  for await (const page of store.readAll(beforeAll)) {
    for (const event of page) {
      const recorded = categoryOf(event.stream) === 'admin_audit' ? entryIn(event) : undefined
      const fault = recorded && faultIn(recorded, event, end, hashOf)
      if (fault) return { entries_count: entries, newestHash: end, holdsWanted, fault }
      if (recorded === undefined) note(event, unrecorded)
      else if (recorded !== 'unreadable') {
        unrecorded.delete(recorded.entryId)
        end = recorded.hash
        entries += 1
        holdsWanted ||= recorded.hash === wanted
      }
    }
  }
  const missing = [...unrecorded.values()].find(({ since }) => msOf(now) - msOf(since) > unsettled_ms)
  const fault = missing && { at: missing.at, position: missing.position, what: missing.what }
  return { entries_count: entries, newestHash: end, holdsWanted, fault }
}

/** The entry that an event of the log adds; undefined for one that adds none. */
function entryIn(event: RecordedEvent): AdminActionRecorded | 'unreadable' | undefined {
  if (isUnreadable(event)) return 'unreadable'
  // The codec has checked that the data is what the type says.
  const { type, data } = event as unknown as AdminAuditEvent
  return type === 'AdminActionRecorded' ? data : undefined
}

function faultIn(
  entry: AdminActionRecorded | 'unreadable',
  { position, metadata }: RecordedEvent,
  end: string | null,
  hashOf: (text: string) => string,
): ChainFault | undefined {
  if (entry === 'unreadable') return { at: metadata.eventId, position, what: 'unreadable' }
  const { entryId, personalMetadata, personalHash, previousHash, hash } = entry
  // Personal metadata that is erased leaves its hash.
  const personalHolds = personalMetadata === null || hashOf(personalText(entryId, personalMetadata)) === personalHash
  if (!personalHolds || hashOf(chainedText(entry, previousHash)) !== hash)
    return { at: entryId, position, what: 'changed' }
  return previousHash === end ? undefined : { at: entryId, position, what: 'out of place' }
}

/** Notes an act that an entry has to follow on, and one that came to nothing. */
function note({ type, data, position, metadata }: RecordedEvent, unrecorded: Map<EntryId, Unrecorded>): void {
  const { adminAction, at } = metadata
  if (adminAction && !unrecorded.has(adminAction.entryId))
    unrecorded.set(adminAction.entryId, { at: adminAction.entryId, position, what: 'missing', since: at })
  if (type === 'AdminActionRefused' && 'entryId' in data && typeof data.entryId === 'string')
    unrecorded.delete(entryId(snowflake(data.entryId)))
}
