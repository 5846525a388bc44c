import type { GiftEvent } from '../../domain/gift/events.ts'
import { patch, projection, put, type Row, type RowChange } from '../runner/projection.ts'

const changed = ({ gift }: { readonly gift: string }, columns: Row): RowChange => patch('gifts', { gift }, columns)

/** Gift codes, for the list of those who bought them. */
export const giftsProjection = projection<GiftEvent>({
  name: 'gifts',
  answers: 'The gift codes that an account bought, and who redeemed them.',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { gifts: ['gift'] },
  on: {
    GiftMinted: ({ data }) => [
      put('gifts', {
        gift: data.gift,
        code: data.code,
        unit: data.unit,
        quantity: data.quantity,
        created_by: data.createdBy,
        created_at: data.mintedAt,
      }),
    ],
    GiftRedemptionBegan: ({ data }) => [changed(data, { redeemed_by: data.accountId, redeemed_at: data.beganAt })],
    GiftRedemptionUndone: ({ data }) => [changed(data, { redeemed_by: null, redeemed_at: null })],
    GiftRedeemed: ({ data }) => [changed(data, { redeemed_by: data.accountId, redeemed_at: data.redeemedAt })],
    GiftRevoked: ({ data }) => [changed(data, { revoked: true })],
    GiftReinstated: ({ data }) => [changed(data, { revoked: false })],
  },
})
