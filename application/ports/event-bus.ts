import type { RecordedEvent } from './event-store.ts'

/** Carries events that the read models already hold to their subscribers. The bus is a carrier, never the truth. */
export interface EventBus {
  /** Delivers events in the order of their positions. */
  publish(events: readonly RecordedEvent[]): Promise<void>
  /** Calls `handle` for every batch published from now on, one at a time and in order, until the returned function is called. */
  subscribe(handle: (events: readonly RecordedEvent[]) => void): () => void
}
