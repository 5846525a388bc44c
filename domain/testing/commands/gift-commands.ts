import fc from 'fast-check'
import type { GiftCommand } from '../../gift/commands.ts'
import { instants, oneOf, record } from '../drawing.ts'
import { ada, grace } from '../people.ts'

export const giftCommands: fc.Arbitrary<GiftCommand> = fc.oneof(
  record({
    type: oneOf('MintGift'),
    gift: oneOf('g1'),
    code: oneOf('sealed'),
    unit: oneOf('months'),
    quantity: oneOf(1),
    createdBy: oneOf(null, ada),
    purchase: oneOf(null, 'p1'),
    now: instants,
  }),
  record({ type: oneOf('BeginRedemption'), accountId: oneOf(ada, grace), now: instants }),
  record({ type: oneOf('FinishRedemption'), accountId: oneOf(ada, grace), now: instants }),
  record({ type: oneOf('UndoRedemption'), accountId: oneOf(ada, grace) }),
  record({ type: oneOf('RevokeGift'), now: instants }),
  record({ type: oneOf('ReinstateGift'), now: instants }),
  record({ type: oneOf('NoteTimeTaken'), time_ms: oneOf(0, 1000) }),
  record({ type: oneOf('NoteTimeReturned'), time_ms: oneOf(0, 1000) }),
)
