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

/** Purchases in the stores, by when each is to be read again. */
export const storePurchasesProjection = projection<StorePurchaseEvent>({
  name: 'store_purchases',
  answers: 'Which purchases are due to be read from their stores again.',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { purchases: ['purchase'] },
  on: {
    StorePurchaseSeen: ({ data: { purchase, provider } }) => [put('purchases', { purchase, provider })],
    StorePurchaseRead: (event) => [changed(event, readColumns(event.data))],
    StorePurchaseLinked: (event) => [changed(event, { has_owner: true })],
    StorePurchaseReleased: (event) => [changed(event, { has_owner: false })],
    StorePurchaseSuperseded: (event) => [changed(event, { superseded: true })],
    StorePurchaseVoided: (event) => [changed(event, { voided_order: event.data.orderHash })],
    StorePurchaseCodeMinted: (event) => [changed(event, { has_code: true })],
    StorePurchaseFulfilled: (event) => [changed(event, { fulfilled: true })],
    StorePurchaseRefunded: (event) => (event.data.byService ? [changed(event, { sent_back: true })] : []),
  },
})

/** A reading has only what it changed. */
function readColumns({ readAt, facts, hashes }: StorePurchaseRead): Row {
  const { environment, slot, state, acknowledged, expiresAt } = facts
  return {
    read_at: readAt,
    ...(environment !== undefined && { environment }),
    ...(slot !== undefined && { is_gift: kindOf(slot) === 'gift' }),
    ...(state !== undefined && { state }),
    ...(acknowledged !== undefined && { acknowledged }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(hashes.latestOrder !== undefined && { latest_order: hashes.latestOrder }),
  }
}
