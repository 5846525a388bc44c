import type { Position, Revision } from '../../domain/kernel/position.ts'

/** An event in its stored form: personal members sealed, in the version it was written in, data and metadata as parsed JSON. */
export interface StoredEvent {
  readonly stream: string
  readonly revision: Revision
  readonly position: Position
  readonly eventId: string
  readonly type: string
  readonly data: unknown
  readonly metadata: unknown
}

/**
 * Raw access to the events of a store, for moving a whole history from one store to another. Nothing is decrypted, upcast,
 * announced or published here.
 */
export interface StoredEvents {
  /** The kind of store, such as `postgres`. */
  readonly kind: string
  /** Whether events from another store keep their positions. If not, they keep their order. */
  readonly keepsPositions: boolean
  /** The position of the newest event; `beforeAll` for an empty store. */
  end(): Promise<Position>
  /** All events after a position, oldest first, in pages. */
  readAll(after: Position): AsyncIterable<readonly StoredEvent[]>
  /** The event at a position, if there is one. */
  at(position: Position): Promise<StoredEvent | undefined>
  /** The event of a stream at a revision, if it is there. */
  find(stream: string, revision: Revision): Promise<StoredEvent | undefined>
  /**
   * Writes 1-1000 events of another store after the newest event, which is at `newest`. Gives the position of the last event
   * written. Writes all of them in one step; a store that can't write several streams at once writes the first of them, in order.
   * Rejects with HistoryNotContinued if they are not the next events.
   */
  append(newest: Position, events: readonly StoredEvent[]): Promise<Position>
}
