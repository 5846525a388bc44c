import { wrappedKeys, type WrappedKeys } from '../adapters/personal-data/wrapped-keys.js'
import type { StoredEvents } from '../application/ports/stored-events.js'
import type { Store } from './store.js'

/** The events and keys of a store as they are kept, for commands that move them. */
export function storedParts({ stored, database, personalDataKey }: Store): {
  readonly stored: StoredEvents
  readonly keys: WrappedKeys
} {
  return { stored, keys: wrappedKeys(database, personalDataKey) }
}
