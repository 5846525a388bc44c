import { chainedText, personalText } from '../../../domain/admin-audit/chained-text.ts'
import type { AdminActionRecorded, AdminAuditEvent } from '../../../domain/admin-audit/events.ts'
import { entryId, type EntryId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { categoryOf } from '../../../domain/streams.ts'
import { msOf, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { EventStore, RecordedEvent } from '../../ports/event-store.ts'
import { beforeAll, type Position } from '../../../domain/kernel/position.ts'
import { isUnreadable } from '../../failures/unreadable-event.ts'

/** The first fault in the chain. */
export interface ChainFault {
  /** The entry or event with the fault. */
  readonly at: string
  readonly position: Position
  readonly what: 'changed' | 'out of place' | 'unreadable' | 'missing'
}

export interface ChainReport {
  readonly entries_count: number
  /** The hash of the newest entry; null for an empty log. */
  readonly newestHash: string | null
  /** Whether an entry has the wanted hash; true if none was given. */
  readonly holdsWanted: boolean
  readonly fault: ChainFault | undefined
}

export interface ChainQuestion {
  readonly store: Pick<EventStore, 'readAll'>
  readonly hashOf: (text: string) => string
  /** A hash, noted earlier, that some entry must have. */
  readonly wanted?: string
  /** Actions younger than `unsettled_ms` may still be waiting for their entry. */
  readonly now: Timestamp
}

/** An action whose entry has not come yet. */
type Unrecorded = ChainFault & { readonly since: Timestamp }

/** How long a request, and then a process manager, may work on an entry. */
export const unsettled_ms = 10 * 60_000

/**
 * Reads all events, including the admin audit log. Finds the first entry that was changed, or the first position where one is
 * missing or was added. If the chain holds, finds the first administrator's action without an entry. Entries of read-only actions
 * that were cut off the end only show when compared with a hash noted earlier.
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

/** The entry that an event of the log adds; undefined if it adds none. */
export function entryIn(event: RecordedEvent): AdminActionRecorded | 'unreadable' | undefined {
  if (isUnreadable(event)) return 'unreadable'
  // The codec has checked that the data matches the type.
  const { type, data } = event as unknown as AdminAuditEvent
  return type === 'AdminActionRecorded' ? data : undefined
}

function faultIn(
  entry: AdminActionRecorded | 'unreadable',
  event: RecordedEvent,
  end: string | null,
  hashOf: (text: string) => string,
): ChainFault | undefined {
  const { position, metadata } = event
  if (entry === 'unreadable') return { at: metadata.eventId, position, what: 'unreadable' }
  const fault = entryFaultIn(entry, event, end, hashOf)
  return fault && { at: fault.logId, position, what: fault.what }
}

/** What is wrong with an entry that follows one with the hash `end`; undefined if it holds. */
export function entryFaultIn(
  entry: AdminActionRecorded,
  { position }: RecordedEvent,
  end: string | null,
  hashOf: (text: string) => string,
): { readonly logId: EntryId; readonly position: Position; readonly what: 'changed' | 'out of place' } | undefined {
  const { entryId: logId, personalHash, previousHash, hash } = entry
  const personal = personalText(entry)
  // What is erased leaves its hash behind.
  const personalHolds = personal === null || hashOf(personal) === personalHash
  if (!personalHolds || hashOf(chainedText(entry, previousHash)) !== hash) return { logId, position, what: 'changed' }
  return previousHash === end ? undefined : { logId, position, what: 'out of place' }
}

/** Notes an action that an entry must follow, and removes one that was refused. */
function note({ type, data, position, metadata }: RecordedEvent, unrecorded: Map<EntryId, Unrecorded>): void {
  const { adminAction, at } = metadata
  if (adminAction && !unrecorded.has(adminAction.entryId))
    unrecorded.set(adminAction.entryId, { at: adminAction.entryId, position, what: 'missing', since: at })
  if (type === 'AdminActionRefused' && 'entryId' in data && typeof data.entryId === 'string')
    unrecorded.delete(entryId(snowflake(data.entryId)))
}
