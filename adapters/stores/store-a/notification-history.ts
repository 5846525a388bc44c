import type { NotificationHistoryQuery } from '../../../application/ports/stores.ts'
import { msOf } from '../../../domain/kernel/timestamp.ts'
import { historyPage } from './payloads.ts'
import type { AskStoreA } from './store-a-api.ts'

/** The signed payloads of production's past notifications, at most `pages_max` pages. Throws StoreFailed. */
export function notificationHistory(ask: AskStoreA) {
  return async (
    { bundleId, from, to, of }: NotificationHistoryQuery,
    pages_max: number,
  ): Promise<readonly string[]> => {
    const body = {
      startDate: msOf(from),
      endDate: msOf(to),
      ...(of === 'failures' ? { onlyFailures: true } : { notificationType: of }),
    }
    const payloads: string[] = []
    let token: string | null = null
    for (let page = 0; page < pages_max; page += 1) {
      const query: string = token === null ? '' : `?paginationToken=${encodeURIComponent(token)}`
      const answer = await ask({
        environment: 'production',
        bundleId,
        method: 'POST',
        path: `/inApps/v1/notifications/history${query}`,
        body,
        reply: historyPage,
      })
      payloads.push(...answer.notificationHistory.map(({ signedPayload }) => signedPayload))
      token = answer.hasMore ? (answer.paginationToken ?? null) : null
      if (token === null) break
    }
    return payloads
  }
}
