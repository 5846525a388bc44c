import type { Requester } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { StoreAnswer, StoreKey, VoidedOrder } from '../../ports/stores.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'jobs' | 'storeBox' | 'stores'>

/** What a notification says, as its job keeps it: sealed, because it names a purchase. */
export interface SealedNotification {
  readonly key: StoreKey
  readonly voided: VoidedOrder | null
}

/** The purpose of the sealed box of notifications. */
export const storeSecrets = 'store notifications'

/** What all seals of notifications are bound to. */
export const notificationSeal = ['notification'] as const

/** The request that the events of a notification name: `store_a` or `store_b`, and the id that the store gave it. */
export function notificationRequest(id: string): string {
  return `notification ${id}`
}

/**
 * Takes a notification of store A: it is verified, and in the queue when this resolves. Refuses with STORE_BILLING_UNAVAILABLE, and
 * with STORE_NOTIFICATION_UNAUTHORIZED for any body that the store has not signed.
 */
export function takeStoreANotification(ports: Needs) {
  return async (_: Requester, body: unknown): Promise<void> => {
    const { storeA } = ports.stores
    if (!storeA.settings.enabled) reject('STORE_BILLING_UNAVAILABLE')
    const signed = typeof body === 'object' && body !== null && 'signedPayload' in body ? body.signedPayload : undefined
    if (typeof signed !== 'string') return reject('STORE_NOTIFICATION_UNAUTHORIZED')
    const { id, purchase } = verified(await storeA.verifyNotification(signed))
    if (purchase !== null) await queue(ports, `store_a ${id}`, { key: purchase, voided: null })
  }
}

/**
 * The same for store B. Its body is looked at only after the token of the request, and what is no push message is dropped. Refuses
 * with STORE_BILLING_UNAVAILABLE and STORE_NOTIFICATION_UNAUTHORIZED.
 */
export function takeStoreBNotification(ports: Needs) {
  return async ({ authorization }: Requester, body: unknown): Promise<void> => {
    const { storeB } = ports.stores
    if (!storeB.settings.enabled) reject('STORE_BILLING_UNAVAILABLE')
    const pushed = verified(await storeB.verifyPush(authorization ?? undefined, body))
    if (pushed?.purchase) await queue(ports, `store_b ${pushed.id}`, { key: pushed.purchase, voided: pushed.voided })
  }
}

function verified<Value>(answer: StoreAnswer<Value>): Value {
  if (answer.ok) return answer.value
  return reject(answer.failure.kind === 'rejected' ? 'STORE_NOTIFICATION_UNAUTHORIZED' : 'STORE_BILLING_UNAVAILABLE')
}

/** A notification that is delivered again while it waits is one job; later it only leads to one more reading. */
async function queue({ jobs, storeBox }: Needs, id: string, notification: SealedNotification): Promise<void> {
  const sealed = storeBox.seal(notificationSeal, JSON.stringify(notification)).toString('base64')
  const key = `store notification ${id}`
  await jobs.add('store_notification', { sealed, id, failures: 0 }, { key })
}
