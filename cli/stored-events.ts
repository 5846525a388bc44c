import { postgresStoredEvents } from '../adapters/event-store/postgres/stored-events.js'
import { wrappedKeys, type WrappedKeys } from '../adapters/personal-data/wrapped-keys.js'
import type { StoredEvents } from '../application/ports/stored-events.js'
import type { Store } from './store.js'

/** The events and keys of a store as they are kept, for commands that move them. */
export function storedParts({ database, personalDataKey }: Pick<Store, 'database' | 'personalDataKey'>): {
  readonly stored: StoredEvents
  readonly keys: WrappedKeys
} {
  return { stored: postgresStoredEvents(database), keys: wrappedKeys(database, personalDataKey) }
}
