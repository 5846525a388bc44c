import { Counter, Histogram, type Registry } from 'prom-client'
import type { StoreAnswer, Stores } from '../../application/ports/stores.ts'

const duration_seconds = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

/**
 * The same stores, whose answers are counted. Labels are words of our own and of the stores' enumerations: no name of a purchase, no
 * token and no text of a client is among them.
 */
export function observedStores(stores: Stores, registry: Registry): Stores {
  const { reads, failures, notifications } = storeMetrics(registry)
  async function counted<Value>(
    store: 'store_a' | 'store_b',
    act: string,
    asked: Promise<StoreAnswer<Value>>,
  ): Promise<StoreAnswer<Value>> {
    const answer = await asked
    if (!answer.ok) failures.inc({ store, act, kind: answer.failure.kind, detail: answer.failure.detail })
    return answer
  }
  const { storeA, storeB } = stores
  return {
    ...stores,
    async read(key) {
      const began = performance.now()
      const answer = await counted(key.provider, 'read', stores.read(key))
      const outcome = answer.ok ? 'read' : answer.failure.kind
      reads.observe({ store: key.provider, outcome }, (performance.now() - began) / 1000)
      return answer
    },
    storeA: {
      ...storeA,
      verifyTransaction: (signed) => counted('store_a', 'verify_transaction', storeA.verifyTransaction(signed)),
      async verifyNotification(signed) {
        const answer = await counted('store_a', 'verify_notification', storeA.verifyNotification(signed))
        if (answer.ok) notifications.inc({ store: 'store_a', type: typeOf(answer.value) })
        return answer
      },
      setAccountToken: (key, token) => counted('store_a', 'set_token', storeA.setAccountToken(key, token)),
      notificationHistory: (query, pages_max) =>
        counted('store_a', 'read_history', storeA.notificationHistory(query, pages_max)),
    },
    storeB: {
      ...storeB,
      async verifyPush(authorization, body) {
        const answer = await counted('store_b', 'verify_notification', storeB.verifyPush(authorization, body))
        if (answer.ok) notifications.inc({ store: 'store_b', type: answer.value?.type ?? 'nonsense' })
        return answer
      },
      acknowledge: (key, productId) => counted('store_b', 'acknowledge', storeB.acknowledge(key, productId)),
      consume: (key, productId) => counted('store_b', 'consume', storeB.consume(key, productId)),
      refund: (packageName, orderId) => counted('store_b', 'refund', storeB.refund(packageName, orderId)),
      cancel: (key) => counted('store_b', 'cancel', storeB.cancel(key)),
      revoke: (key) => counted('store_b', 'revoke', storeB.revoke(key)),
      voidedPurchases: (packageName, since, pages_max) =>
        counted('store_b', 'read_voided', storeB.voidedPurchases(packageName, since, pages_max)),
    },
  }
}

/** Adds the metrics of the stores to a registry. */
export function storeMetrics(registry: Registry) {
  return {
    reads: new Histogram({
      name: 'guildhall_store_read_duration_seconds',
      help: 'How long the stores took to say what a purchase is, by store and outcome.',
      labelNames: ['store', 'outcome'] as const,
      buckets: duration_seconds,
      registers: [registry],
    }),
    failures: new Counter({
      name: 'guildhall_store_failures_total',
      help: 'What the stores or their signatures did not give, by store, act, kind and detail, since the start.',
      labelNames: ['store', 'act', 'kind', 'detail'] as const,
      registers: [registry],
    }),
    notifications: new Counter({
      name: 'guildhall_store_notifications_total',
      help: "Notifications that the stores have signed, by type, since the start; those read from store A's history too.",
      labelNames: ['store', 'type'] as const,
      registers: [registry],
    }),
  }
}

function typeOf({ type, subtype }: { readonly type: string; readonly subtype: string | null }): string {
  return subtype === null ? type : `${type}:${subtype}`
}
