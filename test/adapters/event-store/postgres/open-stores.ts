import {
  openPostgresEventStore,
  type PostgresEventStore,
  type PostgresEventStoreSettings,
} from '../../../../adapters/event-store/postgres/open-event-store.ts'
import { memoryPersonalDataKeys } from '../../../support/memory/memory-keys.ts'
import { openDatabase, type PostgresDatabase } from '../../../../adapters/postgres/database.ts'
import { openNotifier } from '../../../../adapters/postgres/notifier.ts'
import { migratedDatabase, type TestDatabase } from '../../../support/test-database.ts'

/** A database, and stores on it that know nothing of each other, like those of several processes. */
export interface OpenStores extends TestDatabase {
  open(settings?: Partial<PostgresEventStoreSettings>): Promise<PostgresEventStore>
}

export async function openStores(): Promise<OpenStores> {
  const base = await migratedDatabase()
  const closings: (() => Promise<void>)[] = []
  return {
    ...base,
    async open(settings) {
      const database = openDatabase(base.connection)
      const notifier = openNotifier({ connection: base.connection, onError: settings?.onError ?? (() => undefined) })
      const store = openPostgresEventStore({
        database,
        connection: base.connection,
        notifier,
        keys: memoryPersonalDataKeys(),
        ...settings,
      })
      closings.push(async () => {
        await store.close()
        await notifier.close()
        await database.close()
      })
      return store
    },
    async close() {
      await Promise.all(closings.map((close) => close()))
      await base.close()
    },
  }
}

/** The same database, with a count of the answered reads of events by position. */
export function countingReads(database: PostgresDatabase): PostgresDatabase & { readonly reads: () => number } {
  let reads = 0
  return {
    ...database,
    async any(query) {
      try {
        return await database.any(query)
      } finally {
        if (query.sql.includes('where position >')) reads += 1
      }
    },
    reads: () => reads,
  }
}
