import type { Category } from '../../../domain/aggregates.ts'
import type { EntryId } from '../../../domain/ids/ids.ts'
import type { Snowflake } from '../../../domain/ids/snowflake.ts'
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
  /** Events of any of these types. */
  readonly types?: readonly string[] | undefined
  readonly actor?: string | undefined
  /** All that belongs to a request, by its correlation id or by the id that its client chose, which several may have. */
  readonly request?: string | undefined
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

/**
 * Which streams are meant: those whose names are this beginning and a number, in the order of the numbers; or those of a category that
 * concern a subject, in the order in which they began to.
 */
export type StreamsMeant = { readonly beginning: string } | { readonly subject: string; readonly category: Category }

/** Which of those streams are wanted: those whose newest event of `types` at a time, or now, is one of `newest`. */
export interface NewestWanted {
  readonly types: readonly string[]
  readonly newest: readonly string[]
  readonly time: Timestamp | undefined
  /** The page: after a number, at most so many; all by default. */
  readonly after?: bigint | undefined
  readonly limit?: number | undefined
}

/** A page of streams, and how many there are in all. */
export interface StreamsFound {
  readonly streams: readonly StreamName[]
  readonly total_count: number
}

/** Between which times, from the first event on or until now without one, and after which position something changed last. */
export interface ChangesBetween {
  readonly from: Timestamp | undefined
  readonly to: Timestamp | undefined
  readonly after?: Position | undefined
}

/** A stream with the first event that may have changed it. */
export interface ChangedStream {
  readonly stream: StreamName
  readonly position: Position
}

/** Queries over the index of all events. */
export interface HistoryQueries {
  search(filter: EventFilter, page: EventPage): Promise<readonly IndexedEvent[]>
  find(eventId: string): Promise<IndexedEvent | undefined>
  /** The newest event of any of these types in a stream. */
  newestOf(stream: StreamName, types: readonly string[]): Promise<IndexedEvent | undefined>
  /** The events of one request and of all that followed from it, oldest first, at most `limit`. */
  ofCorrelation(correlationId: string, limit: number): Promise<readonly IndexedEvent[]>
  /** The correlation ids of the requests to which clients gave this id, the newest first, at most `limit`. */
  requestsOf(clientRequestId: string, limit: number): Promise<readonly string[]>
  /** The events of an administrator's action, and the one that records it, oldest first, at most `limit`. */
  ofEntry(entryId: EntryId, limit: number): Promise<readonly IndexedEvent[]>
  /** The names of the read models that take events of a type. */
  readModelsOf(type: string): readonly string[]
  /** The streams that concern what an id or a code names, in the order of `named`, after a position. One that came to it twice is there twice. */
  streamsOf(subject: string, after: Position, limit: number): Promise<readonly SubjectStream[]>
  /** Streams by what happened to them last. An event is after a time if it, or one before it in its stream, has a later one. */
  streamsByNewest(streams: StreamsMeant, wanted: NewestWanted): Promise<StreamsFound>
  /**
   * Streams that may differ between two times, in the order of the first event between them; of these, those whose last one between
   * them is after a position.
   */
  changedStreams(streams: StreamsMeant, between: ChangesBetween): Promise<readonly ChangedStream[]>
  /**
   * The events that by their types hold something personal of an account, or the secrets of a purchase.
   */
  personalOf(
    holder: Snowflake,
    page: EventPage,
  ): Promise<readonly Pick<IndexedEvent, 'position' | 'stream' | 'revision'>[]>
}
