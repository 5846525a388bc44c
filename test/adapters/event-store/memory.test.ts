import { memoryEventStore } from '../../../adapters/event-store/memory/memory-event-store.js'
import { memoryPersonalDataKeys } from '../../../adapters/personal-data/memory-keys.js'
import { eventStoreContract } from '../../contract/event-store-contract.js'

eventStoreContract('the memory store', async () => {
  const keys = memoryPersonalDataKeys()
  const store = memoryEventStore({ keys })
  return {
    store,
    keys,
    storedText: async () => JSON.stringify(store.rows, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    close: async () => undefined,
  }
})
