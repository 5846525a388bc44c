import type { Heard } from './heard-events.ts'

/** Queries that are answered from memory when possible. */
export interface Cache<Queries> {
  readonly queries: Queries
  /**
   * Called with every event once the read models hold it, and before those who wait for that. Drops from memory what the event
   * may change.
   */
  forget(event: Heard): void
  forgetAll(): void
}
