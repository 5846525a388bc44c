import { z } from 'zod'
import {
  takeStoreANotification,
  takeStoreBNotification,
} from '../../../../application/identity/purchases/take-notification.ts'
import { perUser } from '../../bucket.ts'
import { anyone } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'

/** Whatever a store sends. The use case refuses what it does not accept. */
const anything = z.unknown()

const storeANotificationOperation = operation({
  name: 'Store A notification',
  description: 'Takes a notification of store A.',
  route: 'POST /webhooks/store-a',
  callers: anyone(),
  hostedOnly: true,
  fromStore: true,
  bucket: { ...perUser('store:webhook:store_a', { requests: 300, seconds: 60 }), beyondGlobal: true },
  body: anything,
  keepsNoText: true,
  replies: { 200: none },
  refuses: ['STORE_BILLING_UNAVAILABLE', 'STORE_NOTIFICATION_UNAUTHORIZED'],
  useCase: takeStoreANotification,
  handle: ({ caller, body }, run) => run(caller, body),
})

const storeBNotificationOperation = operation({
  name: 'Store B notification',
  description: 'Takes a notification of store B.',
  route: 'POST /webhooks/store-b',
  callers: anyone(),
  hostedOnly: true,
  fromStore: true,
  bucket: { ...perUser('store:webhook:store_b', { requests: 300, seconds: 60 }), beyondGlobal: true },
  body: anything,
  keepsNoText: true,
  replies: { 204: none },
  refuses: ['STORE_BILLING_UNAVAILABLE', 'STORE_NOTIFICATION_UNAUTHORIZED'],
  useCase: takeStoreBNotification,
  handle: ({ caller, body }, run) => run(caller, body),
})

/** What the stores tell by themselves. */
export const storeNotificationOperations: readonly Operation[] = [
  storeANotificationOperation,
  storeBNotificationOperation,
]
