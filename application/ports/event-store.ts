import type { AdminCredential } from '../../domain/admin-audit/events.ts'
import type { AccountId, EntryId } from '../../domain/ids/ids.ts'
import type { DomainEvent } from '../../domain/kernel/decider.ts'
import type { Position, Revision } from '../../domain/kernel/position.ts'
import type { StreamName } from '../../domain/streams.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'

/** The one who caused an event. */
export type Actor =
  | { readonly kind: 'account'; readonly id: AccountId }
  | { readonly kind: 'admin_key'; readonly id: string; readonly accountId: AccountId }
  | { readonly kind: 'system'; readonly name: string }

export interface EventMetadata {
  /** UUIDv7, derived from the command's id: a repeated command makes the same ids. */
  readonly eventId: string
  /** When the command was decided. */
  readonly at: Timestamp
  readonly actor: Actor
  /** The request at the start of the whole chain. */
  readonly correlationId: string
  /** The command, or the event, that led to this one. */
  readonly causationId: string
  /** X-Request-ID of the request, where its client chose one. In older events that is the correlation id. Missing for the system. */
  readonly clientRequestId?: string
  /** The name of the operation that the request at the start of the chain asked for. Missing without one, and in older events. */
  readonly operation?: string
  /** X-Audit-Log-Reason, at most 512 characters. */
  readonly reason?: string
  /** The administrator's action that the event is part of. An entry in the admin audit log must follow. */
  readonly adminAction?: AdminAction
}

/** An administrator's action, as known before it is carried out. */
export interface AdminAction {
  /** The action's entry in the admin audit log. */
  readonly entryId: EntryId
  /** The command of the request. The id of the entry's event derives from it. */
  readonly commandId: string
  readonly adminId: AccountId
  readonly credential: AdminCredential
  readonly action: string
  /** The target in the request's path. */
  readonly target: { readonly type: string; readonly id: string }
}

/** An event to append. */
export interface NewEvent {
  readonly type: string
  readonly data: object
  readonly metadata: EventMetadata
}

/** An event as the store returns it: in the current version of its type, with personal members in the clear or null. */
export interface RecordedEvent<Event extends DomainEvent = DomainEvent> {
  readonly stream: StreamName
  readonly revision: Revision
  readonly position: Position
  readonly type: Event['type']
  readonly data: Event['data']
  readonly metadata: EventMetadata
}

/** A stream and its newest event, when somebody looked at it. */
export interface StreamAsOf {
  readonly stream: StreamName
  readonly revision: Revision
}

export type AppendResult =
  /** `repeated`: an earlier try of the same command had already written these same events; nothing was written. */
  | { readonly outcome: 'appended' | 'repeated'; readonly revision: Revision; readonly position: Position }
  /** The stream is at `revision` instead of the expected revision; nothing was written. */
  | { readonly outcome: 'conflict'; readonly revision: Revision }

/**
 * Keeps events for good. Every adapter passes test/contract/event-store-contract.ts.
 *
 * - An append is all or nothing, and durable once it resolves. After a rejection, the events may or may not be there. If they
 *   are, the same append again answers `repeated`.
 * - Reading all events gives them in the order of their positions, without gaps: no event appears later at a position below one
 *   already read.
 * - Reading all events gives `Unreadable` instead of an event that this program cannot read. Reading its stream, or finding that
 *   event, rejects with `UnreadableEvent`, so that nothing is decided on a partly known history.
 */
export interface EventStore {
  /**
   * Appends 1-1000 events with together at most `appendBytes_max` to a stream that is at revision `expected` (`noStream` if the
   * stream must not exist yet). Rejects with AppendTooLarge if they have more bytes.
   */
  append(stream: StreamName, expected: Revision, events: readonly NewEvent[]): Promise<AppendResult>
  /** The events of a stream after a revision, oldest first, in pages of at most `readPageEvents`. */
  readStream(stream: StreamName, after: Revision): AsyncIterable<readonly RecordedEvent[]>
  /** The event of a stream at a revision from 0 on, if it is there. */
  eventAt(stream: StreamName, revision: Revision): Promise<RecordedEvent | undefined>
  /** All events after a position, oldest first, up to the end of the store when the last page is read. */
  readAll(after: Position): AsyncIterable<readonly RecordedEvent[]>
  /** The same as readAll, then continues with new events until `signal` aborts. Batches hold 1 to `maxEvents` events. */
  follow(
    after: Position,
    options: { readonly signal: AbortSignal; readonly maxEvents: number },
  ): AsyncIterable<readonly RecordedEvent[]>
  /** The position of the newest event; `beforeAll` for an empty store. */
  end(): Promise<Position>
  /** The event of a stream that has this id, if it is there. */
  findEvent(stream: StreamName, eventId: string): Promise<RecordedEvent | undefined>
  /**
   * The id of the event at a position. Undefined if no event begins there, for example in a store that the position is not from.
   * Rejects with a subclass of Unavailable if the store gives no answer.
   */
  eventIdAt(position: Position): Promise<string | undefined>
}
