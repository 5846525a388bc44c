import { inProcessLocks } from '../../adapters/locks/in-process-locks.ts'
import { systemContext } from '../../application/commands/system-context.ts'
import { applyReading, type ApplyNeeds } from '../../application/identity/purchases/apply-reading.ts'
import { keyText } from '../../application/identity/purchases/purchase-key.ts'
import { openAggregates } from '../../process/aggregates.ts'
import { portsKeyedBy } from '../../process/keyed-ports.ts'
import { personalDataKey } from '../../cli/personal-data-key.ts'
import { openStore } from '../../process/store.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { openQueries } from '../../projections/read-models.ts'
import { bundleId, type Sale } from '../../test/support/store-a/sales.ts'
import { storesOver } from '../../test/support/stores/stores-over.ts'
import type { StoreSite } from './store-site.ts'

const atOnce = 16

/** Has the double sell subscriptions that nobody has claimed, and reads each into history. Gives the ids of their streams. */
export async function layPurchases(site: StoreSite, count: number): Promise<readonly string[]> {
  const { storeA, connection, product } = site
  const keyOfInstance = await personalDataKey(undefined, product.dataDir)
  const store = await openStore({
    connection,
    personalDataKey: keyOfInstance,
    onError: (error) => console.error(error),
  })
  const stores = storesOver({ storeA })
  const ports: ApplyNeeds = {
    aggregates: openAggregates({ store: store.events, snapshots: store.snapshots }),
    queries: openQueries(store.database),
    stores,
    locks: inProcessLocks(),
    personalDataKeys: store.keys,
    ...portsKeyedBy(keyOfInstance),
  }
  const sold = storeA.sell({ productId: 'premium.monthly' })
  const read = await stores.read(keyOf(sold))
  if (!read.ok) throw new Error(`The double did not answer: ${read.failure.detail}`)
  const laid: string[] = []
  let next = 0
  const one = async (): Promise<void> => {
    while (next++ < count) {
      const key = keyOf(storeA.sell({ productId: 'premium.monthly' }))
      // What the store says of one, it says of all.
      const context = systemContext('command line', timestamp(Date.now()))
      await applyReading(ports, { ...read.value, key }, null, context)
      laid.push(ports.storeHash(keyText(key)))
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, one))
  } finally {
    await store.close()
  }
  return laid
}

function keyOf({ originalTransactionId }: Sale) {
  const environment = 'production' as const
  return { provider: 'store_a', environment, bundleId, kind: 'subscription', originalTransactionId } as const
}
