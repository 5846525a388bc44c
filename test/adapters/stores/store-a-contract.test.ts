import type { StoreAKey, StoreKey } from '../../../application/ports/stores.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { storesContract, type StoreCalls } from '../../contract/stores-contract.ts'
import { startStoreA, type StoreADouble } from '../../support/store-a/double.ts'
import { bundleId } from '../../support/store-a/sales.ts'
import { storesOver } from '../../support/stores/stores-over.ts'

const products = {
  subscription: { productId: 'premium.monthly', slot: 'monthly' },
  gift: { productId: 'gift.year', slot: 'gift_1_year' },
} as const
const token = '0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d'

storesContract('store A', async () => {
  const double = await startStoreA()
  return {
    double,
    products,
    sell: (kind) => keyOf(kind, double.sell({ productId: products[kind].productId }).originalTransactionId),
    unknown: (kind) => keyOf(kind, '404'),
    ...callsOf(double),
    within: (answer_ms) => callsOf(double, { answer_ms }),
    close: () => double.close(),
  }
})

function keyOf(kind: StoreKey['kind'], originalTransactionId: string): StoreAKey {
  return { provider: 'store_a', environment: 'production', bundleId, kind, originalTransactionId }
}

function callsOf(double: StoreADouble, limit = {}): StoreCalls {
  const stores = storesOver({ storeA: double }, limit)
  return {
    stores,
    changes: (key) => (key.provider === 'store_a' ? [() => stores.storeA.setAccountToken(key, token)] : []),
    list: (pages_max) => {
      const now = double.clock.now()
      const query = { bundleId, from: timestamp(now - 1000), to: timestamp(now), of: 'failures' } as const
      return stores.storeA.notificationHistory(query, pages_max)
    },
  }
}
