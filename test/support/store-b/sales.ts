/** The app that the double sells for. */
export const packageName = 'example.chat.android'
export const storeBProducts = {
  'premium:monthly-plan': 'monthly',
  'premium:yearly-plan': 'yearly',
  gift_month: 'gift_1_month',
  gift_year: 'gift_1_year',
} as const

/** A purchase as the store has it. Members of `answer` and `line` replace those that the double makes. */
export interface StoreBSale {
  readonly token: string
  readonly productId: string
  /** Undefined for a gift. */
  readonly basePlanId: string | undefined
  orderId: string
  expires_ms: number
  acknowledged: boolean
  consumed: boolean
  canceled: boolean
  /** Refunded or revoked. */
  ended: boolean
  answer: Readonly<Record<string, unknown>>
  line: Readonly<Record<string, unknown>>
}

/** SubscriptionPurchaseV2, with its state by the clock. */
export function subscriptionAnswer(sale: StoreBSale, now_ms: number): object {
  const expiryTime = new Date(sale.expires_ms).toISOString()
  return {
    kind: 'androidpublisher#subscriptionPurchaseV2',
    regionCode: 'US',
    startTime: '2026-01-02T03:04:05.678901Z',
    subscriptionState: stateOf(sale, now_ms),
    lineItems: [
      {
        productId: sale.productId,
        expiryTime,
        latestSuccessfulOrderId: sale.orderId,
        autoRenewingPlan: { autoRenewEnabled: !sale.canceled },
        offerDetails: { basePlanId: sale.basePlanId },
        ...sale.line,
      },
    ],
    acknowledgementState: `ACKNOWLEDGEMENT_STATE_${sale.acknowledged ? 'ACKNOWLEDGED' : 'PENDING'}`,
    ...sale.answer,
  }
}

function stateOf({ ended, canceled, expires_ms }: StoreBSale, now_ms: number): string {
  if (ended || expires_ms <= now_ms) return 'SUBSCRIPTION_STATE_EXPIRED'
  return canceled ? 'SUBSCRIPTION_STATE_CANCELED' : 'SUBSCRIPTION_STATE_ACTIVE'
}

/** ProductPurchaseV2. */
export function productAnswer(sale: StoreBSale): object {
  const consumptionState = `CONSUMPTION_STATE_${sale.consumed ? 'CONSUMED' : 'YET_TO_BE_CONSUMED'}`
  return {
    kind: 'androidpublisher#productPurchaseV2',
    orderId: sale.orderId,
    regionCode: 'US',
    purchaseCompletionTime: '2026-01-02T03:04:05Z',
    purchaseStateContext: { purchaseState: sale.ended ? 'CANCELLED' : 'PURCHASED' },
    productLineItem: [
      { productId: sale.productId, productOfferDetails: { quantity: 1, consumptionState, ...sale.line } },
    ],
    ...sale.answer,
  }
}
