import { wrappedKeys, type WrappedKeys } from '../adapters/personal-data/wrapped-keys.ts'
import type { StoredEvents } from '../application/ports/stored-events.ts'
import type { Store } from '../process/store.ts'

/** The stored events and keys of a store, for commands that move them. */
export function storedParts({ stored, database, personalDataKey }: Store): {
  readonly stored: StoredEvents
  readonly keys: WrappedKeys
} {
  return { stored, keys: wrappedKeys(database, personalDataKey) }
}
