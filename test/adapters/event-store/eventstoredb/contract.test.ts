import { openEventStoreDb } from '../../../../adapters/event-store/eventstoredb/open-event-store.ts'
import { memoryPersonalDataKeys } from '../../../support/memory/memory-keys.ts'
import { eventStoreContract } from '../../../contract/event-store-contract.ts'
import { startEventStoreDouble } from '../../../support/eventstoredb-double/double.ts'
import { storedText } from './open-stores.ts'

/** The connection string of a real server: then the suite runs against that one, whatever it contains already. */
const realServer = process.env['EVENTSTORE_URL']

eventStoreContract(realServer ? 'the store on a real EventStoreDB' : 'the store on EventStoreDB', async () => {
  const double = realServer ? undefined : await startEventStoreDouble()
  const url = realServer ?? double?.url ?? ''
  const keys = memoryPersonalDataKeys()
  const store = await openEventStoreDb({ url, keys })
  const before = await store.end()
  return {
    store,
    keys,
    before,
    knowsEventIdsOf: 'the same stream',
    storedText: () => storedText(url, before),
    async close() {
      await store.close()
      await double?.close()
    },
  }
})
