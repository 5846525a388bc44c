import { noStores } from '../../application/identity/purchases/no-stores.ts'
import type { StoreA, StoreASettings, StoreB, StoreBSettings, Stores } from '../../application/ports/stores.ts'
import type { StoreAClient } from './store-a/store-a-client.ts'
import type { StoreBClient } from './store-b/store-b-client.ts'
import type { SandboxRules, StoreASetup, StoreBSetup } from './store-settings.ts'

export interface StoresSetup {
  /** Undefined if the store is not set up. */
  readonly storeA: StoreASetup | undefined
  readonly storeB: StoreBSetup | undefined
  readonly sandbox: SandboxRules
  /** For tests: another clock. */
  readonly now?: () => number
  /** For tests: a shorter time limit for every request. */
  readonly answer_ms?: number
}

/**
 * The stores that are set up. A client is loaded with the first call of its store (decision 45): it needs libraries for signatures
 * and certificates that nothing else of a start needs.
 */
export function openStores({ storeA, storeB, sandbox, now = Date.now, answer_ms }: StoresSetup): Stores {
  const times = { now, answer_ms }
  const clientA = storeA && once(async () => (await import('./store-a/store-a-client.ts')).storeAClient(storeA, times))
  const clientB = storeB && once(async () => (await import('./store-b/store-b-client.ts')).storeBClient(storeB, times))
  return {
    storeA: storeA && clientA ? lateStoreA(settingsOfA(storeA), clientA) : noStores.storeA,
    storeB: storeB && clientB ? lateStoreB(settingsOfB(storeB), clientB) : noStores.storeB,
    async read(key) {
      if (key.provider === 'store_a') return clientA ? (await clientA()).read(key) : noStores.read(key)
      return clientB ? (await clientB()).read(key) : noStores.read(key)
    },
    mayUseSandbox: (account) => sandbox.everyone || sandbox.accounts.has(account),
  }
}

/** A load that failed is tried again. */
function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}

function lateStoreA(settings: StoreASettings, client: () => Promise<StoreAClient>): StoreA {
  return {
    settings,
    verifyTransaction: async (signed) => (await client()).verifyTransaction(signed),
    verifyNotification: async (signed) => (await client()).verifyNotification(signed),
    setAccountToken: async (key, token) => (await client()).setAccountToken(key, token),
    notificationHistory: async (query, pages_max) => (await client()).notificationHistory(query, pages_max),
  }
}

function lateStoreB(settings: StoreBSettings, client: () => Promise<StoreBClient>): StoreB {
  return {
    settings,
    verifyPush: async (authorization, body) => (await client()).verifyPush(authorization, body),
    acknowledge: async (key, productId) => (await client()).acknowledge(key, productId),
    consume: async (key, productId) => (await client()).consume(key, productId),
    refund: async (packageName, orderId) => (await client()).refund(packageName, orderId),
    cancel: async (key) => (await client()).cancel(key),
    revoke: async (key) => (await client()).revoke(key),
    voidedPurchases: async (packageName, since, pages_max) =>
      (await client()).voidedPurchases(packageName, since, pages_max),
  }
}

function settingsOfA({ apps, products }: StoreASetup): StoreASettings {
  return {
    enabled: true,
    bundleIds: apps.map(({ bundleId }) => bundleId),
    products: [...products].map(([productId, slot]) => ({ productId, slot })),
  }
}

function settingsOfB({ packages, products }: StoreBSetup): StoreBSettings {
  return {
    enabled: true,
    packageNames: packages,
    products: [...products].map(([name, slot]) => {
      const [productId = name, basePlanId = null] = name.split(':')
      return { productId, basePlanId, slot }
    }),
  }
}
