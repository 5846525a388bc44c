import { openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open-event-store.ts'
import { memoryEventStore } from '../../support/memory/memory-event-store.ts'
import { openPostgresEventStore } from '../../../adapters/event-store/postgres/open-event-store.ts'
import { postgresStoredEvents } from '../../../adapters/event-store/postgres/stored-events.ts'
import { openPersonalDataKeys } from '../../../adapters/personal-data/open-keys.ts'
import { wrappedKeys, type WrappedKeys } from '../../../adapters/personal-data/wrapped-keys.ts'
import type { PostgresConnection, PostgresDatabase } from '../../../adapters/postgres/database.ts'
import type { EventStore } from '../../../application/ports/event-store.ts'
import type { PersonalDataKeys } from '../../../application/ports/personal-data-keys.ts'
import type { Notifier } from '../../../application/ports/notifier.ts'
import type { StoredEvents } from '../../../application/ports/stored-events.ts'
import { startEventStoreDouble } from '../../support/eventstoredb-double/double.ts'
import { laidDatabase } from '../../support/test-database.ts'

/** A store that a history is exported from or imported into, with its keys in a Postgres of its own. */
export interface End {
  readonly events: EventStore
  readonly stored: StoredEvents
  readonly keys: WrappedKeys
  /** Seals the personal data of its events. */
  readonly sealing: PersonalDataKeys
  close(): Promise<void>
}

export const kindsOfEnd = ['postgres', 'eventstoredb', 'memory'] as const
export type KindOfEnd = (typeof kindsOfEnd)[number]

/** Opens an empty store of a kind. */
export async function openEnd(kind: KindOfEnd, personalDataKey: Uint8Array): Promise<End> {
  const { connection, database, notifier, close } = await laidDatabase()
  const keys = openPersonalDataKeys({ database, personalDataKey })
  const opened = await openers[kind]({ connection, database, notifier, keys })
  return {
    ...opened,
    keys: wrappedKeys(database, personalDataKey),
    sealing: keys,
    async close() {
      await opened.close()
      await close()
    },
  }
}

interface Beside {
  readonly connection: PostgresConnection
  readonly database: PostgresDatabase
  readonly notifier: Notifier
  readonly keys: PersonalDataKeys
}

type Opened = Omit<End, 'keys' | 'sealing'>

const openers: Readonly<Record<KindOfEnd, (beside: Beside) => Promise<Opened>>> = {
  async postgres({ database, keys, ...beside }) {
    const events = openPostgresEventStore({ database, keys, ...beside, onError: () => undefined })
    return { events, stored: postgresStoredEvents(database), close: () => events.close() }
  },
  async eventstoredb({ keys }) {
    const double = await startEventStoreDouble()
    const events = await openEventStoreDb({ url: double.url, keys })
    const close = async (): Promise<void> => {
      await events.close()
      await double.close()
    }
    return { events, stored: events.stored, close }
  },
  async memory({ keys }) {
    const events = memoryEventStore({ keys })
    return { events, stored: events.stored, close: async () => undefined }
  },
}
