import { afterAll, beforeAll } from 'vitest'
import { openPostgresEventStore } from '../../../../adapters/event-store/postgres/open-event-store.ts'
import { memoryPersonalDataKeys } from '../../../support/memory/memory-keys.ts'
import { beforeAll as beforeAllEvents } from '../../../../domain/kernel/position.ts'
import { eventStoreContract } from '../../../contract/event-store-contract.ts'
import { migratedDatabase, type TestDatabase } from '../../../support/test-database.ts'

let opened: TestDatabase
beforeAll(async () => {
  opened = await migratedDatabase()
})
afterAll(() => opened.close())

eventStoreContract('the store on Postgres', async () => {
  const { connection, database, notifier } = opened
  await database.pool.query('truncate event_store.events, event_store.snapshots restart identity')
  const keys = memoryPersonalDataKeys()
  const store = openPostgresEventStore({ database, connection, notifier, keys })
  return {
    store,
    keys,
    before: beforeAllEvents,
    knowsEventIdsOf: 'all streams',
    storedText: async () => {
      const { rows } = await database.pool.query(
        'select jsonb_agg(to_jsonb(e))::text as text from event_store.events e',
      )
      return String(rows[0].text)
    },
    close: () => store.close(),
  }
})
