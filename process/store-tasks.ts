import type { Logger } from 'pino'
import { z } from 'zod'
import type { Round } from '../adapters/jobs/rounds.ts'
import type { Tasks } from '../adapters/jobs/task.ts'
import { applyNotification, type NotificationNeeds } from '../application/processes/apply-notification.ts'
import { queueDuePurchases, readDuePurchase } from '../application/processes/read-due-purchases.ts'
import { noteVoidedPurchases, readNotificationHistory } from '../application/processes/reconcile-stores.ts'
import type { JobPayloads } from '../application/ports/jobs.ts'
import type { Ports } from '../application/ports.ts'
import { timestamp } from '../domain/kernel/timestamp.ts'

interface Settings {
  readonly ports: NotificationNeeds & Pick<Ports, 'events' | 'queries'>
  readonly logger: Logger
}

/** Times of day are those of UTC (rules/stores#due-purchases). */
const refresh_ms = 300_000
const voidedPurchasesAt_s = (4 * 60 + 30) * 60
const notificationHistoryAt_s = (4 * 60 + 45) * 60
/** How often a worker looks whether it is time for a daily job. */
const daily_ms = 60_000

const notificationPayload = z.strictObject({ sealed: z.string(), id: z.string(), failures: z.int() })
const purchasePayload = z.strictObject({ purchase: z.string() })
const reconcilePayload = z.strictObject({ what: z.enum(['voided purchases', 'notification history']) })

/** The jobs about the stores. */
export function storeTasks({
  ports,
  logger,
}: Settings): Pick<Tasks<JobPayloads>, 'store_notification' | 'read_purchase' | 'reconcile_store'> {
  const notified = applyNotification(ports)
  const readAgain = readDuePurchase(ports)
  const noteVoided = noteVoidedPurchases(ports)
  const readHistory = readNotificationHistory(ports)
  return {
    store_notification: {
      payload: notificationPayload,
      run: async (notification) => {
        if (await notified(notification, timestamp(Date.now()))) return
        const { id, failures } = notification
        logger.warn({ notification: id, failures: failures + 1 }, 'a notification of a store could not be applied yet')
      },
    },
    read_purchase: {
      payload: purchasePayload,
      run: ({ purchase }, { attempt }) => readAgain(purchase, attempt, timestamp(Date.now())),
    },
    reconcile_store: {
      payload: reconcilePayload,
      run: async ({ what }) => {
        const now = timestamp(Date.now())
        if (what === 'voided purchases') return noteVoided(now)
        const unverified = await readHistory(now)
        if (unverified > 0)
          logger.warn({ unverified }, "notifications in store A's history do not verify and were skipped")
      },
    },
  }
}

/** The rounds that ask the stores without being notified; none without stores. */
export function storeRounds({ ports }: Settings, every_ms = refresh_ms): readonly Round[] {
  const queueDue = queueDuePurchases(ports)
  const { storeA, storeB } = ports.stores
  if (!storeA.settings.enabled && !storeB.settings.enabled) return []
  const daily = (what: JobPayloads['reconcile_store']['what'], dailyAt_s: number): Round => ({
    name: `ask for ${what}`,
    every_ms: daily_ms,
    dailyAt_s,
    // One job a day: one that failed for good stays in the queue, and holds no later one up.
    run: () => ports.jobs.add('reconcile_store', { what }, { key: `${what} ${timestamp(Date.now()).slice(0, 10)}` }),
  })
  return [
    { name: 'queue_due_purchases', every_ms, run: async () => void (await queueDue(timestamp(Date.now()))) },
    ...(storeB.settings.enabled ? [daily('voided purchases', voidedPurchasesAt_s)] : []),
    ...(storeA.settings.enabled ? [daily('notification history', notificationHistoryAt_s)] : []),
  ]
}
