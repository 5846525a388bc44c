import { z } from 'zod'
import type { StoreBKey, StoreBNotification, VoidedOrder } from '../../../application/ports/stores.ts'
import type { PurchaseKind } from '../../../domain/store-purchase/purchase-facts.ts'
import { isStorable } from '../../../domain/text/normalise.ts'
import { epochDigits } from '../instants.ts'
import { jsonIn } from '../json-in.ts'
import type { StoreBSetup } from '../store-settings.ts'

const messageId = z.string().min(1).max(256).refine(isStorable)
const purchaseToken = z.string().min(1).max(2048)
const messageData_chars_max = 65_536

/** A push of the queue by which the store notifies. */
const pushMessage = z.object({
  message: z.object({
    data: z.base64().max(messageData_chars_max),
    messageId: messageId.nullish(),
    message_id: messageId.nullish(),
  }),
})

const notice = z.object({
  packageName: z.string(),
  eventTimeMillis: epochDigits,
  subscriptionNotification: z.object({ notificationType: z.int(), purchaseToken }).nullish(),
  oneTimeProductNotification: z.object({ notificationType: z.int(), purchaseToken }).nullish(),
  voidedPurchaseNotification: z
    .object({ purchaseToken, orderId: z.string().min(1).max(256), productType: z.union([z.literal(1), z.literal(2)]) })
    .nullish(),
  testNotification: z.object({}).nullish(),
})
type Notice = z.output<typeof notice>

/** The types of 1.14. Types that are not known yet share a name, so that there are not more metrics than types. */
const subscriptionTypes: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 17, 18, 19, 20, 22]
const oneTimeTypes: readonly number[] = [1, 2]

/** What a push message says; null for a body that is none, and for data that does not decode. */
export function pushedNotification({ packages }: StoreBSetup, body: unknown): StoreBNotification | null {
  const push = pushMessage.safeParse(body).data?.message
  const id = push?.messageId ?? push?.message_id
  if (!push || !id) return null
  const said = notice.safeParse(jsonIn(Buffer.from(push.data, 'base64').toString('utf8'))).data
  if (!said) return null
  const { type, purchase, voided } = meaningOf(said)
  const isOurs = packages.includes(said.packageName)
  return {
    id,
    type,
    at: said.eventTimeMillis,
    purchase: isOurs ? purchase : null,
    voided: isOurs ? voided : null,
  }
}

type Meaning = Pick<StoreBNotification, 'type' | 'purchase' | 'voided'>

function meaningOf(said: Notice): Meaning {
  const {
    subscriptionNotification: subscription,
    oneTimeProductNotification: once,
    voidedPurchaseNotification: gone,
  } = said
  const key = (kind: PurchaseKind, token: string): StoreBKey => ({
    provider: 'store_b',
    packageName: said.packageName,
    kind,
    purchaseToken: token,
  })
  if (subscription) {
    const type = typeOf('subscription', subscription.notificationType, subscriptionTypes)
    return { type, purchase: key('subscription', subscription.purchaseToken), voided: null }
  }
  if (once) {
    const type = typeOf('one_time', once.notificationType, oneTimeTypes)
    return { type, purchase: key('gift', once.purchaseToken), voided: null }
  }
  if (gone) {
    const voided: VoidedOrder = { orderId: gone.orderId, voidedAt: said.eventTimeMillis }
    return {
      type: 'voided',
      purchase: key(gone.productType === 1 ? 'subscription' : 'gift', gone.purchaseToken),
      voided,
    }
  }
  return { type: said.testNotification ? 'test' : 'other', purchase: null, voided: null }
}

function typeOf(name: string, number: number, known: readonly number[]): string {
  return `${name}:${known.includes(number) ? number : 'other'}`
}
