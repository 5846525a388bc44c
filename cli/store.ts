import { openPostgresEventStore } from '../adapters/event-store/postgres/open-event-store.js'
import { openPostgresSnapshots } from '../adapters/event-store/postgres/open-snapshots.js'
import { openPersonalDataKeys } from '../adapters/personal-data/open-keys.js'
import { openDatabase, type PostgresConnection, type PostgresDatabase } from '../adapters/postgres/database.js'
import type { EventStore } from '../application/ports/event-store.js'
import type { PersonalDataKeys } from '../application/ports/personal-data-keys.js'
import type { SnapshotStore } from '../application/ports/snapshots.js'

/** The history, and what is needed to read it. */
export interface Store {
  readonly database: PostgresDatabase
  readonly events: EventStore
  readonly snapshots: SnapshotStore
  readonly keys: PersonalDataKeys
  readonly personalDataKey: Uint8Array
  close(): Promise<void>
}

export interface StoreSettings {
  readonly connection: PostgresConnection
  readonly personalDataKey: Uint8Array
  readonly onError: (error: unknown) => void
}

/** Opens the event store of one instance on its Postgres, with the keys and the snapshots beside it. */
export async function openStore({ connection, personalDataKey, onError }: StoreSettings): Promise<Store> {
  const database = openDatabase(connection, { onError })
  const keys = await openPersonalDataKeys({ database, personalDataKey })
  const events = await openPostgresEventStore({ database, connection, keys, onError })
  const snapshots = await openPostgresSnapshots({ database, keys, onUnreadable: (_stream, error) => onError(error) })
  return {
    database,
    events,
    snapshots,
    keys,
    personalDataKey,
    close: async () => {
      await events.close()
      await database.close()
    },
  }
}
