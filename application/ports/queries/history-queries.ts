import type { EntryId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { StreamName } from '../../../domain/streams.ts'
import type { Position, Revision } from '../../../domain/kernel/position.ts'

/** What is known of an event without reading it: where it is, who caused it, and what led to it. */
export interface IndexedEvent {
  readonly position: Position
  readonly eventId: string
  readonly stream: StreamName
  readonly revision: Revision
  readonly type: string
  readonly at: Timestamp
  /** The id of the account that acted, itself or by an Admin key, or the name of the part of the system. */
  readonly actor: string
  readonly correlationId: string
  readonly causationId: string
  /** The entry of the admin audit log that the event belongs to; null for none. */
  readonly entryId: EntryId | null
}

/** Which events are wanted. What is left out bounds nothing. */
export interface EventFilter {
  /** Any of these. */
  readonly types?: readonly string[] | undefined
  readonly actor?: string | undefined
  readonly correlationId?: string | undefined
  /** At this time or later. */
  readonly since?: Timestamp | undefined
  /** Before this time. */
  readonly until?: Timestamp | undefined
}

/** The page after a position, oldest first, or before it, newest first. */
export interface EventPage {
  readonly order: 'oldest' | 'newest'
  /** Where the page before ended; undefined for the first page. */
  readonly from?: Position | undefined
  readonly limit: number
}

/** A stream that concerns a subject. */
export interface SubjectStream {
  readonly stream: StreamName
  /** Of the newest event that named the subject there: where the next page begins. */
  readonly named: Position
  readonly first: IndexedEvent
  readonly newest: IndexedEvent
}

/** Queries over the index of all events. */
export interface HistoryQueries {
  search(filter: EventFilter, page: EventPage): Promise<readonly IndexedEvent[]>
  find(eventId: string): Promise<IndexedEvent | undefined>
  /** The events of one request and of all that followed from it, oldest first, at most `limit`. */
  ofCorrelation(correlationId: string, limit: number): Promise<readonly IndexedEvent[]>
  /** The events of an administrator's action, and the one that records it, oldest first, at most `limit`. */
  ofEntry(entryId: EntryId, limit: number): Promise<readonly IndexedEvent[]>
  /** The names of the read models that take events of a type. */
  readModelsOf(type: string): readonly string[]
  /** The streams that concern what an id or a code names, in the order of `named`, after a position. One that came to it twice is there twice. */
  streamsOf(subject: string, after: Position, limit: number): Promise<readonly SubjectStream[]>
}
