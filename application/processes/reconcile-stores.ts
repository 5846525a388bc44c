import { secondsAfter, type Timestamp } from '../../domain/kernel/timestamp.ts'
import type { CommandContext } from '../commands/command-context.ts'
import { contextOfPart } from '../commands/following-context.ts'
import { systemContext } from '../commands/system-context.ts'
import { readPurchase } from '../identity/purchases/read-again.ts'
import type { TellNeeds } from '../identity/purchases/tell-store.ts'
import { answerOf } from '../identity/purchases/store-answers.ts'
import { keyTextOfToken } from '../identity/purchases/purchase-key.ts'
import type { Ports } from '../ports.ts'
import { orInvalid, voidOrder } from './apply-notification.ts'

type Needs = TellNeeds & Pick<Ports, 'readModels'>

/**
 * How far the looks at both stores go back, how much of a store they read at most, and which parts of store A's
 * history.
 */
const past_s = 2 * 86_400
const pages_max = 50
const histories = ['failures', 'REFUND', 'REFUND_REVERSED', 'REVOKE'] as const

/**
 * Notes what store B has voided in the last two days, so that a missed notification is still applied. Rejects if the store does not
 * answer: the next round asks again. Safe to repeat.
 */
export function noteVoidedPurchases(ports: Needs) {
  return async (now: Timestamp): Promise<void> => {
    const { storeB } = ports.stores
    const context = systemContext('voided purchases', now)
    for (const packageName of storeB.settings.packageNames) {
      const voided = answerOf(await storeB.voidedPurchases(packageName, secondsAfter(now, -past_s), pages_max))
      for (const [index, order] of voided.entries()) {
        const purchase = ports.storeHash(keyTextOfToken(order.purchaseToken))
        await voidOrder(ports, purchase, order, contextOfPart(context, `${packageName} ${index}`))
      }
    }
    await ports.readModels.reached(context.written)
  }
}

/**
 * Reads the purchases again that store A has told of in the last two days. Gives how many notifications of its history do not verify:
 * they are skipped. The rest is as for `noteVoidedPurchases`.
 */
export function readNotificationHistory(ports: Needs) {
  return async (now: Timestamp): Promise<number> => {
    let unverified_count = 0
    const context = systemContext('notification history', now)
    for (const bundleId of ports.stores.storeA.settings.bundleIds)
      for (const of of histories)
        unverified_count += await readHistory(ports, { bundleId, of }, contextOfPart(context, `${bundleId} ${of}`))
    await ports.readModels.reached(context.written)
    return unverified_count
  }
}

/** Gives how many do not verify. */
async function readHistory(
  ports: Needs,
  asked: { readonly bundleId: string; readonly of: (typeof histories)[number] },
  context: CommandContext,
): Promise<number> {
  const { storeA } = ports.stores
  const [from, to] = [secondsAfter(context.now, -past_s), context.now]
  const payloads = answerOf(await storeA.notificationHistory({ ...asked, from, to }, pages_max))
  let unverified_count = 0
  for (const [index, payload] of payloads.entries()) {
    const verified = await storeA.verifyNotification(payload)
    if (!verified.ok) unverified_count += 1
    const key = verified.ok ? verified.value.purchase : null
    if (key !== null) await orInvalid(readPurchase(ports, key, contextOfPart(context, String(index))))
  }
  return unverified_count
}
