import type {
  SignedTransaction,
  StoreA,
  StoreAKey,
  StoreAnswer,
  StoreReading,
} from '../../../application/ports/stores.ts'
import { nothingToRead } from '../ask-store.ts'
import { answered, StoreFailed } from '../store-failed.ts'
import type { StoreASetup } from '../store-settings.ts'
import { keyOf, requireEnvironment, requireSlot } from './check-transaction.ts'
import { notificationHistory } from './notification-history.ts'
import { transactionPayload } from './payloads.ts'
import { inEnvironmentOf, purchaseReader } from './read-purchase.ts'
import { signedData, type VerifySigned } from './signed-data.ts'
import { storeAApi, type AskStoreA, type StoreATimes } from './store-a-api.ts'
import { notificationVerifier } from './verify-notification.ts'

/** Store A, without its settings, and how its purchases are read. */
export interface StoreAClient extends Omit<StoreA, 'settings'> {
  read(key: StoreAKey): Promise<StoreAnswer<StoreReading>>
}

/** Talks to store A over HTTPS. */
export function storeAClient(setup: StoreASetup, times: StoreATimes): StoreAClient {
  const ask = storeAApi(setup, times)
  const verify = signedData(setup.rootFingerprints)
  const verifyNotification = notificationVerifier(setup, verify)
  const read = purchaseReader({ setup, ask, verify })
  const history = notificationHistory(ask)
  return {
    verifyTransaction: (signed) => answered(() => verifyTransaction(setup, verify, signed)),
    verifyNotification: (signed) => answered(() => verifyNotification(signed)),
    read: (key) => answered(() => read(key)),
    setAccountToken: (key, token) => answered(() => setAccountToken(ask, key, token)),
    notificationHistory: (query, pages_max) => answered(() => history(query, pages_max)),
  }
}

async function verifyTransaction(setup: StoreASetup, verify: VerifySigned, signed: string): Promise<SignedTransaction> {
  const transaction = await verify(signed, transactionPayload)
  if (!setup.apps.some(({ bundleId }) => bundleId === transaction.bundleId))
    throw new StoreFailed('rejected', 'invalid_app_identifier')
  const environment = requireEnvironment(transaction.environment)
  const slot = requireSlot(setup, transaction)
  return {
    key: keyOf(transaction, slot, environment),
    productId: transaction.productId,
    slot,
    signedAt: transaction.signedDate,
  }
}

async function setAccountToken(ask: AskStoreA, key: StoreAKey, appAccountToken: string): Promise<null> {
  const path = `/inApps/v1/transactions/${encodeURIComponent(key.originalTransactionId)}/appAccountToken`
  await inEnvironmentOf(key, (environment) =>
    ask({ environment, bundleId: key.bundleId, method: 'PUT', path, body: { appAccountToken }, reply: nothingToRead }),
  )
  return null
}
