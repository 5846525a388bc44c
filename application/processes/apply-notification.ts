import { secondsAfter, type Timestamp } from '../../domain/kernel/timestamp.ts'
import { Refused } from '../commands/refused.ts'
import { systemContext } from '../commands/system-context.ts'
import { contextOfPart, contextWith } from '../commands/following-context.ts'
import type { CommandContext } from '../commands/command-context.ts'
import { orderHashOf, type ApplyNeeds } from '../identity/purchases/apply-reading.ts'
import { readPurchase } from '../identity/purchases/read-again.ts'
import type { TellNeeds } from '../identity/purchases/tell-store.ts'
import { settlePurchase } from '../identity/purchases/settle-purchase.ts'
import {
  notificationRequest,
  notificationSeal,
  type SealedNotification,
} from '../identity/purchases/take-notification.ts'
import type { JobPayloads } from '../ports/jobs.ts'
import { JobGivenUp } from '../failures/job-given-up.ts'
import type { StoreKey } from '../ports/stores.ts'
import { keyText } from '../identity/purchases/purchase-key.ts'
import type { Ports } from '../ports.ts'

export type NotificationNeeds = TellNeeds & Pick<Ports, 'readModels' | 'storeBox'>

/**
 * A store that does not answer is asked again ever more rarely: after five minutes, then twice as long each time, up to
 * half a day.
 */
const tries_max = 12
const firstWait_s = 5 * 60
const wait_s_max = 12 * 3600

/**
 * Applies a notification: the purchase is read from the store again, whatever the notification says of it, and a voided order is
 * noted. A store that does not answer is asked again later, `tries_max` times in all. Gives whether it was applied. Rejects with
 * JobGivenUp after the last try: the job stays in the queue.
 */
export function applyNotification(ports: NotificationNeeds) {
  return async ({ sealed, id, failures }: JobPayloads['store_notification'], now: Timestamp): Promise<boolean> => {
    const context = contextWith(systemContext('store notification', now), { correlationId: notificationRequest(id) })
    try {
      await apply(ports, opened(ports, sealed), context)
    } catch (error) {
      if (!(error instanceof Refused) || error.refusal.code !== 'STORE_BILLING_UNAVAILABLE') throw error
      const again = failures + 1
      if (again >= tries_max) throw new JobGivenUp(`The store did not answer in ${tries_max} tries`)
      const runAt = secondsAfter(now, Math.min(firstWait_s * 2 ** failures, wait_s_max))
      // The key of this try is not free before its end.
      const key = `store notification ${id} ${again}`
      await ports.jobs.add('store_notification', { sealed, id, failures: again }, { key, runAt })
      return false
    }
    await ports.readModels.reached(context.written)
    return true
  }
}

function opened({ storeBox }: NotificationNeeds, sealed: string): SealedNotification {
  return JSON.parse(storeBox.open(notificationSeal, Buffer.from(sealed, 'base64'))) as SealedNotification
}

async function apply(ports: TellNeeds, { key, voided }: SealedNotification, context: CommandContext): Promise<void> {
  await orInvalid(readPurchase(ports, key, context))
  const purchase = purchaseOf(ports, key)
  if (voided && purchase !== undefined) await voidOrder(ports, purchase, voided, contextOfPart(context, 'void'))
}

/** Notes that the store has voided an order of a purchase, unless the purchase is unknown. Safe to repeat. */
export async function voidOrder(
  ports: ApplyNeeds,
  purchase: string,
  { orderId, voidedAt }: NonNullable<SealedNotification['voided']>,
  context: CommandContext,
): Promise<void> {
  const { storePurchase } = ports.aggregates
  const { state } = await storePurchase.load(purchase)
  if (state.status === 'absent') return
  const orderHash = orderHashOf(ports, orderId)
  const command = { type: 'VoidPurchase', orderHash, voidedAt, now: context.now } as const
  const { state: after } = await storePurchase.execute(purchase, command, context)
  await settlePurchase(ports, purchase, context, after)
}

/** The id of a purchase; undefined if the environment is not known. */
function purchaseOf({ storeHash }: ApplyNeeds, key: StoreKey): string | undefined {
  if (key.provider === 'store_b') return storeHash(keyText(key))
  return key.environment === null ? undefined : storeHash(keyText({ ...key, environment: key.environment }))
}

/** A notification of what the store does not know, or this instance does not sell, leads to nothing. */
export async function orInvalid(reading: Promise<unknown>): Promise<void> {
  try {
    await reading
  } catch (error) {
    if (!(error instanceof Refused) || error.refusal.code === 'STORE_BILLING_UNAVAILABLE') throw error
  }
}
