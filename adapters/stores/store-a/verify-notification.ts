import type { StoreANotification } from '../../../application/ports/stores.ts'
import type { StoreEnvironment } from '../../../domain/store-purchase/purchase-facts.ts'
import { StoreFailed } from '../store-failed.ts'
import type { StoreASetup } from '../store-settings.ts'
import { environmentOf, keyOf, requireEnvironment, slotOf } from './check-transaction.ts'
import { notificationPayload, renewalPayload, transactionPayload, type NotificationPayload } from './payloads.ts'
import type { VerifySigned } from './signed-data.ts'

/** Verifies a notification and what is signed within it. Throws StoreFailed, `rejected`. */
export function notificationVerifier(setup: StoreASetup, verify: VerifySigned) {
  return async (signedPayload: string): Promise<StoreANotification> => {
    const notification = await verify(signedPayload, notificationPayload)
    const identity = identityOf(notification)
    requireApp(setup, identity)
    return {
      id: notification.notificationUUID,
      type: notification.notificationType,
      subtype: notification.subtype ?? null,
      signedAt: notification.signedDate,
      purchase: await purchaseOf(setup, verify, notification, identity),
    }
  }
}

interface Identity {
  readonly bundleId: string
  readonly appId: number | null
  readonly environment: StoreEnvironment
}

/** From the first member that names one; a token of an outside purchase shows its environment in its id. */
function identityOf({ data, summary, appData, externalPurchaseToken: token }: NotificationPayload): Identity {
  const named = data ?? summary ?? appData
  if (named) {
    const { bundleId, appAppleId, environment } = named
    return { bundleId, appId: appAppleId ?? null, environment: requireEnvironment(environment) }
  }
  if (!token) throw new StoreFailed('rejected', 'invalid_payload')
  const environment = token.externalPurchaseId.startsWith('SANDBOX') ? 'sandbox' : 'production'
  return { bundleId: token.bundleId, appId: token.appAppleId ?? null, environment }
}

/** The numeric id of the app is absent in the sandbox. */
function requireApp({ apps }: StoreASetup, { bundleId, appId, environment }: Identity): void {
  const app = apps.find((configured) => configured.bundleId === bundleId)
  if (!app || (environment === 'production' && app.appId !== appId))
    throw new StoreFailed('rejected', 'invalid_app_identifier')
}

async function purchaseOf(
  setup: StoreASetup,
  verify: VerifySigned,
  { data }: NotificationPayload,
  { bundleId, environment }: Identity,
): Promise<StoreANotification['purchase']> {
  const [transaction, renewal] = [
    data?.signedTransactionInfo ? await verify(data.signedTransactionInfo, transactionPayload) : undefined,
    data?.signedRenewalInfo ? await verify(data.signedRenewalInfo, renewalPayload) : undefined,
  ]
  for (const nested of [transaction, renewal]) {
    if (nested && environmentOf(nested.environment) !== environment)
      throw new StoreFailed('rejected', 'invalid_environment')
  }
  if (!transaction) return null
  if (transaction.bundleId !== bundleId) throw new StoreFailed('rejected', 'invalid_app_identifier')
  if (renewal && renewal.originalTransactionId !== transaction.originalTransactionId)
    throw new StoreFailed('rejected', 'invalid_payload')
  const slot = slotOf(setup, transaction)
  return slot === undefined ? null : keyOf(transaction, slot, environment)
}
