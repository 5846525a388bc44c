import type { Position, Revision } from './event-store.js'

/** An event in the form that stores keep it in: personal members sealed, the shape it was written in, data and metadata as parsed. */
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
 * The events of a store below everything that knows what they mean: for moving a whole history from one store to another.
 * Nothing is opened, upcast, announced or published here.
 */
export interface StoredEvents {
  /** What kind of store it is, such as `postgres`. */
  readonly kind: string
  /** Whether events that come from another store keep their positions; where not, they keep their order. */
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
   * Writes 1-1000 events of another store behind the newest one, which is at `newest`, and gives the position of the last:
   * all of them in one step, or in a store that can't write several streams at once the first of them in order. Rejects with
   * HistoryNotContinued where they are not what comes next.
   */
  append(newest: Position, events: readonly StoredEvent[]): Promise<Position>
}

/** Events that don't come next after what a store holds. */
export class HistoryNotContinued extends Error {
  override readonly name = 'HistoryNotContinued'
}
