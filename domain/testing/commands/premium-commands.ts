import fc from 'fast-check'
import { storePurchaseId } from '../../ids/ids.ts'
import { snowflake } from '../../ids/snowflake.ts'
import { secondsAfter } from '../../kernel/timestamp.ts'
import type { PremiumCommand } from '../../premium/premium-commands.ts'
import { instants, oneOf, record } from '../drawing.ts'

const purchases = oneOf('p1', 'p2')
const gifts = oneOf('g1', 'g2', 'g3')
const later = instants.map((instant) => secondsAfter(instant, 600))
const days = oneOf(0, 5).chain((count) => instants.map((instant) => secondsAfter(instant, count * 24 * 3600)))

const applied = record({
  purchase: purchases,
  entitled: fc.boolean(),
  state: oneOf('active', 'grace', 'revoked', 'expired'),
  expiresAt: later,
  graceEndsAt: fc.option(later),
  autoRenew: fc.boolean(),
  startedAt: fc.option(instants),
  revokedAt: fc.option(instants),
})

/** Commands about the premium of an account. */
export const premiumCommands: fc.Arbitrary<PremiumCommand> = fc.oneof(
  record({
    type: oneOf('LinkPurchase'),
    purchase: purchases,
    purchaseId: oneOf(storePurchaseId(snowflake('600001'))),
    kind: oneOf('subscription', 'gift'),
    now: instants,
  }),
  record({ type: oneOf('UnlinkPurchase'), purchase: purchases, now: instants }),
  record({ type: oneOf('MakeStoreToken'), token: oneOf('t1', 't2'), tokenHash: oneOf('h1', 'h2'), now: instants }),
  record({ type: oneOf('NoteGiftCode'), purchase: purchases }),
  record({ type: oneOf('SeeGiftCodes') }),
  record({
    type: oneOf('ApplyPurchases'),
    link: record({
      purchase: purchases,
      purchaseId: oneOf(storePurchaseId(snowflake('600001'))),
      kind: oneOf('subscription'),
    }),
    purchases: fc.uniqueArray(applied, { selector: ({ purchase }) => purchase, maxLength: 2 }),
    now: days,
  }),
  record({
    type: oneOf('ApplyPurchases'),
    purchases: fc.uniqueArray(applied, { selector: ({ purchase }) => purchase, maxLength: 2 }),
    now: days,
  }),
  record({ type: oneOf('EndPremiumGrace'), now: days }),
  record({ type: oneOf('EndExpiredPremium'), now: days }),
  record({
    type: oneOf('AddGiftTime'),
    gift: gifts,
    duration: record({ unit: oneOf('days', 'months'), quantity: oneOf(1, 2) }),
    now: instants,
  }),
  record({
    type: oneOf('AddGiftTime'),
    gift: oneOf('g4'),
    duration: oneOf({ unit: 'years', quantity: 0 } as const),
    lifetimeNumber: oneOf(1),
    now: instants,
  }),
  record({ type: oneOf('TakeGiftTime'), gift: gifts, now: days }),
  record({ type: oneOf('ReturnGiftTime'), gift: gifts, now: days }),
  record({ type: oneOf('SetLifetimePremium'), lifetimeNumber: oneOf(1, 2), now: instants }),
  record({ type: oneOf('RemovePremium'), now: instants }),
)
