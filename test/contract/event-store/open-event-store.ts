import type { EventStore } from '../../../application/ports/event-store.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import type { PersonalDataKeys } from '../../../application/ports/personal-data-keys.ts'

/** An event store that nobody else writes to meanwhile, and what the contract needs around it. */
export interface OpenEventStore {
  readonly store: EventStore
  /** The end of its log when the test begins: `beforeAll`, unless it is a server that already contains other events. */
  readonly before: Position
  /**
   * Where the store recognises the event ids of an append: in all streams, or, without an index of ids, only in the same stream.
   */
  readonly knowsEventIdsOf: 'all streams' | 'the same stream'
  /** The keys that the store encrypts personal data with. */
  readonly keys: PersonalDataKeys
  /** Everything that the store keeps, as text: sealed data must not be found in it. */
  readonly storedText: () => Promise<string>
  readonly close: () => Promise<void>
}
