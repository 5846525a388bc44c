import type { AdminCredential } from '../../domain/admin-audit/events.js'
import type { AccountId, EntryId } from '../../domain/ids/ids.js'
import type { DomainEvent } from '../../domain/kernel/decider.js'
import type { StreamName } from '../../domain/streams.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'

/** Where an event stands among all events of the store: grows with every event, not always by one. */
export type Position = bigint

/** Where an event stands in its stream: 0 for the first, then one more each. */
export type Revision = number

/** Before the first event of the store, or of a stream. */
export const beforeAll: Position = -1n
export const noStream: Revision = -1

/** Who caused an event. */
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
  /** The request that everything in its wake goes back to. */
  readonly correlationId: string
  /** The command, or the event, that led to this one. */
  readonly causationId: string
  /** X-Audit-Log-Reason, at most 512 characters. */
  readonly reason?: string
  /** The action of an administrator that the event is part of, on which an entry of the admin audit log has to follow. */
  readonly adminAction?: AdminAction
}

/** An action of an administrator, as it is known before it is done. */
export interface AdminAction {
  /** The entry of the admin audit log that tells of it. */
  readonly entryId: EntryId
  /** The command of the request: what the id of the entry's event follows from. */
  readonly commandId: string
  readonly adminId: AccountId
  readonly credential: AdminCredential
  readonly action: string
  /** What the path of the request names. */
  readonly target: { readonly type: string; readonly id: string }
}

/** An event on its way into the store. */
export interface NewEvent {
  readonly type: string
  readonly data: object
  readonly metadata: EventMetadata
}

/** An event as the store gives it back: the current version of its type, personal members in the clear or null. */
export interface RecordedEvent<Event extends DomainEvent = DomainEvent> {
  readonly stream: StreamName
  readonly revision: Revision
  readonly position: Position
  readonly type: Event['type']
  readonly data: Event['data']
  readonly metadata: EventMetadata
}

export type AppendResult =
  /** `repeated`: these very events were there already, from an earlier try of the same command; nothing was written. */
  | { readonly outcome: 'appended' | 'repeated'; readonly revision: Revision; readonly position: Position }
  /** The stream does not stand at the expected revision, but at `revision`; nothing was written. */
  | { readonly outcome: 'conflict'; readonly revision: Revision }

/**
 * The bytes that one append may have: of each event its data and metadata as JSON in UTF-8, its type twice, and
 * `idBytes`. EventStoreDB as it is delivered counts so, and takes no more.
 */
export const appendBytes_max = 1024 * 1024

/** What the id of an event counts in an append, in whatever form a store keeps it. */
export const idBytes = 64

/** Refuses an append of more than `appendBytes_max`: nothing was written, and the same append is always refused. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge'
}

/**
 * Keeps events for good. Every adapter passes test/contract/event-store-contract.ts.
 *
 * - An append is all or nothing, and durable once it resolves. When it rejects, the events may or may not be there: the
 *   same append again answers `repeated` where they are.
 * - Reading all events gives them in the order of their positions, without gaps: an event that shows later never has a
 *   position below one that was given already.
 * - An event that this program can't read is given as `Unreadable` in its place where all events are read. Reading its
 *   stream, or finding it, rejects with `UnreadableEvent`: nothing is decided on a history that is known in part.
 */
export interface EventStore {
  /**
   * Appends 1-1000 events of `appendBytes_max` together to a stream that stands at `expected` (`noStream` for one that must
   * not exist yet). Rejects with AppendTooLarge where they have more bytes.
   */
  append(stream: StreamName, expected: Revision, events: readonly NewEvent[]): Promise<AppendResult>
  /** The events of a stream after a revision, oldest first, in pages of at most `readPageEvents`. */
  readStream(stream: StreamName, after: Revision): AsyncIterable<readonly RecordedEvent[]>
  /** All events after a position, oldest first, up to the end that the store has when the last page is read. */
  readAll(after: Position): AsyncIterable<readonly RecordedEvent[]>
  /** As readAll, and on from there as events arrive, until `signal` aborts. Batches hold 1 to `maxEvents` events. */
  follow(
    after: Position,
    options: { readonly signal: AbortSignal; readonly maxEvents: number },
  ): AsyncIterable<readonly RecordedEvent[]>
  /** The position of the newest event; `beforeAll` for an empty store. */
  end(): Promise<Position>
  /** The event of a stream that has this id, if it is there. */
  findEvent(stream: StreamName, eventId: string): Promise<RecordedEvent | undefined>
  /**
   * The id of the event at a position; undefined where no event begins there, as in a store that the position is not of.
   * Rejects, with what extends Unavailable, where the store gives no answer.
   */
  eventIdAt(position: Position): Promise<string | undefined>
}

export const readPageEvents = 500
