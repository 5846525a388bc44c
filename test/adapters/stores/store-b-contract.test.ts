import type { StoreBKey, StoreKey } from '../../../application/ports/stores.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { storesContract, type StoreCalls } from '../../contract/stores-contract.ts'
import { startStoreB, type StoreBDouble } from '../../support/store-b/double.ts'
import { packageName } from '../../support/store-b/sales.ts'
import { storesOver } from '../../support/stores/stores-over.ts'

const products = {
  subscription: { productId: 'premium', slot: 'monthly' },
  gift: { productId: 'gift_year', slot: 'gift_1_year' },
} as const

storesContract('store B', async () => {
  const double = await startStoreB()
  return {
    double,
    products,
    sell: (kind) => keyOf(kind, double.sell({ productId: products[kind].productId }).token),
    unknown: (kind) => keyOf(kind, 'nobody-has-it'),
    ...callsOf(double),
    within: (answer_ms) => callsOf(double, { answer_ms }),
    close: () => double.close(),
  }
})

function keyOf(kind: StoreKey['kind'], purchaseToken: string): StoreBKey {
  return { provider: 'store_b', packageName, kind, purchaseToken }
}

function callsOf(double: StoreBDouble, limit = {}): StoreCalls {
  const stores = storesOver({ storeB: double }, limit)
  const { acknowledge, consume, cancel, revoke } = stores.storeB
  return {
    stores,
    changes: (key) => {
      if (key.provider === 'store_a') return []
      const { productId } = products[key.kind]
      if (key.kind === 'gift') return [() => consume(key, productId)]
      return [() => acknowledge(key, productId), () => cancel(key), () => revoke(key)]
    },
    list: (pages_max) => stores.storeB.voidedPurchases(packageName, timestamp(double.clock.now() - 1000), pages_max),
  }
}
