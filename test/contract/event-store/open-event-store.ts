import type { EventStore } from '../../../application/ports/event-store.js'
import type { PersonalDataKeys } from '../../../application/ports/personal-data-keys.js'

/** An empty event store, and what the contract needs around it. */
export interface OpenEventStore {
  readonly store: EventStore
  /** The keys that the store encrypts personal data with. */
  readonly keys: PersonalDataKeys
  /** Everything that the store keeps, as text: what is sealed must not be found in it. */
  readonly storedText: () => Promise<string>
  readonly close: () => Promise<void>
}
