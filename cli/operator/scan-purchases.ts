import { z } from 'zod'
import { notificationRequest } from '../../application/identity/purchases/take-notification.ts'
import { beforeAll } from '../../domain/kernel/position.ts'
import type { StoredEvents } from '../../application/ports/stored-events.ts'
import { categoryOf, idOf } from '../../domain/streams.ts'

/** A purchase, by the id of its stream and by the id that the API shows. */
export interface SeenPurchase {
  readonly purchase: string
  readonly purchaseId: string
}

type History = Pick<StoredEvents, 'readAll'>

const seen = z.object({ purchase: z.string(), purchaseId: z.string() })
const withRequest = z.object({ correlationId: z.string() })

/** Every purchase that a store ever told of, in the order in which they were first seen. Reads the whole history. */
export async function* everyPurchase(stored: History): AsyncIterable<SeenPurchase> {
  for await (const page of stored.readAll(beforeAll))
    for (const { type, data } of page) if (type === 'StorePurchaseSeen') yield seen.parse(data)
}

/** The purchase with an id that the API shows. Reads the history up to it, or all of it. */
export async function purchaseWithId(stored: History, id: string): Promise<string | undefined> {
  for await (const { purchase, purchaseId } of everyPurchase(stored)) if (purchaseId === id) return purchase
  return undefined
}

const stores = ['store_a', 'store_b'] as const

/** The names that a notification may have here, given the id that its store gave it. */
export function namesOfNotification(id: string): readonly string[] {
  return stores.map((store) => `${store} ${id}`)
}

/** The purchase that a notification told of, if its reading is in history. Reads the history up to it, or all of it. */
export async function purchaseToldOf(stored: History, notification: string): Promise<string | undefined> {
  const requests = namesOfNotification(notification).map(notificationRequest)
  for await (const page of stored.readAll(beforeAll))
    for (const { stream, metadata } of page)
      if (categoryOf(stream) === 'store_purchase' && requests.includes(withRequest.parse(metadata).correlationId))
        return idOf(stream)
  return undefined
}
