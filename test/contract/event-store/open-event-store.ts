import type { EventStore, Position } from '../../../application/ports/event-store.js'
import type { PersonalDataKeys } from '../../../application/ports/personal-data-keys.js'

/** An event store that nobody else writes to meanwhile, and what the contract needs around it. */
export interface OpenEventStore {
  readonly store: EventStore
  /** Where its log ends as the test begins: `beforeAll`, unless it is a server that has events of others already. */
  readonly before: Position
  /** Where the store knows an event id again that an append brings: everywhere, or only where it has no index of ids. */
  readonly knowsEventIdsOf: 'all streams' | 'the same stream'
  /** The keys that the store encrypts personal data with. */
  readonly keys: PersonalDataKeys
  /** Everything that the store keeps, as text: what is sealed must not be found in it. */
  readonly storedText: () => Promise<string>
  readonly close: () => Promise<void>
}
