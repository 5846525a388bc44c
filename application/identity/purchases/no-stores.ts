import type { StoreAnswer, Stores } from '../../ports/stores.ts'

const notSetUp = async (): Promise<StoreAnswer<never>> => ({
  ok: false,
  failure: { kind: 'not set up', detail: 'no_settings' },
})

/** The stores of an instance without settings for any: each answers that it is not set up. */
export const noStores: Stores = {
  storeA: {
    settings: { enabled: false, bundleIds: [], products: [] },
    verifyTransaction: notSetUp,
    verifyNotification: notSetUp,
    setAccountToken: notSetUp,
    notificationHistory: notSetUp,
  },
  storeB: {
    settings: { enabled: false, packageNames: [], products: [] },
    verifyPush: notSetUp,
    acknowledge: notSetUp,
    consume: notSetUp,
    refund: notSetUp,
    cancel: notSetUp,
    revoke: notSetUp,
    voidedPurchases: notSetUp,
  },
  read: notSetUp,
  mayUseSandbox: () => false,
}
