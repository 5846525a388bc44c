import { memoryEventStore } from '../../support/memory/memory-event-store.ts'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.ts'
import { beforeAll } from '../../../domain/kernel/position.ts'
import { eventStoreContract } from '../../contract/event-store-contract.ts'

eventStoreContract('the memory store', async () => {
  const keys = memoryPersonalDataKeys()
  const store = memoryEventStore({ keys })
  return {
    store,
    keys,
    before: beforeAll,
    knowsEventIdsOf: 'all streams',
    storedText: async () => JSON.stringify(store.rows, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    close: async () => undefined,
  }
})
