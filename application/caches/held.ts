import type { RecordedEvent } from '../ports/event-store.js'

/** Queries that are answered from memory where they can be. */
export interface Held<Queries> {
  readonly queries: Queries
  /** Told of every event once the read models hold it, before whoever waits for that: what it may change is forgotten. */
  forget(event: RecordedEvent): void
  forgetAll(): void
}
