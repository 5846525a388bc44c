import { kindOf } from '../../domain/store-purchase/purchase-facts.ts'
import type { StorePurchaseEvent, StorePurchaseRead } from '../../domain/store-purchase/events.ts'
import type { StorePurchaseId } from '../../domain/ids/ids.ts'
import { idOf } from '../../domain/streams.ts'
import type { RecordedEvent } from '../../application/ports/event-store.ts'
import { patch, projection, put, type Row, type RowChange } from '../runner/projection.ts'

type OfPurchase = Pick<
  RecordedEvent<{ readonly type: string; readonly data: { readonly purchaseId: StorePurchaseId } }>,
  'stream'
>

const changed = ({ stream }: OfPurchase, columns: Row): RowChange =>
  patch('purchases', { purchase: idOf(stream) }, columns)

/** Purchases in the stores: when each is to be read again, and what it is now. */
export const storePurchasesProjection = projection<StorePurchaseEvent>({
  name: 'store_purchases',
  answers:
    'Which purchases are due to be read from their stores again, and which there are, by account, store, state and time.',
  version: 2,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { purchases: ['purchase'] },
  on: {
    StorePurchaseSeen: ({ data: { purchase, purchaseId, provider, seenAt } }) => [
      put('purchases', { purchase, id: purchaseId, provider, seen_at: seenAt }),
    ],
    StorePurchaseRead: (event) => [changed(event, readColumns(event.data))],
    StorePurchaseLinked: (event) => [changed(event, { account_id: event.data.accountId })],
    StorePurchaseReleased: (event) => [changed(event, { account_id: null })],
    StorePurchaseSuperseded: (event) => [changed(event, { superseded: true })],
    StorePurchaseVoided: (event) => [
      changed(event, { voided_order: event.data.orderHash, voided_at: event.data.voidedAt }),
    ],
    StorePurchaseCodeMinted: (event) => [changed(event, { has_code: true })],
    StorePurchaseFulfilled: (event) => [changed(event, { fulfilled: true })],
    StorePurchaseRefunded: (event) =>
      event.data.byService ? [changed(event, { sent_back_at: event.data.refundedAt })] : [],
  },
})

/** A reading has only what it changed. */
function readColumns({ readAt, facts, hashes }: StorePurchaseRead): Row {
  const { environment, slot, state, acknowledged, quantity, productId } = facts
  const { startedAt, purchasedAt, expiresAt, revokedAt } = facts
  return {
    read_at: readAt,
    ...(environment !== undefined && { environment }),
    ...(slot !== undefined && { is_gift: kindOf(slot) === 'gift' }),
    ...(state !== undefined && { state }),
    ...(acknowledged !== undefined && { acknowledged }),
    ...(quantity !== undefined && { quantity }),
    ...(productId !== undefined && { product_id: productId }),
    ...(startedAt !== undefined && { started_at: startedAt }),
    ...(purchasedAt !== undefined && { purchased_at: purchasedAt }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(revokedAt !== undefined && { revoked_at: revokedAt }),
    ...(hashes.latestOrder !== undefined && { latest_order: hashes.latestOrder }),
  }
}
