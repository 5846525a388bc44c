import fc from 'fast-check'
import { storePurchaseId } from '../../ids/ids.ts'
import { snowflake } from '../../ids/snowflake.ts'
import type { PossibleOwner, StorePurchaseCommand } from '../../store-purchase/commands.ts'
import type { PurchaseFacts } from '../../store-purchase/purchase-facts.ts'
import { instants, oneOf, record } from '../drawing.ts'
import { ada, grace, start } from '../people.ts'

export const readFacts: PurchaseFacts = {
  appId: 'org.example',
  productId: 'monthly',
  basePlanId: null,
  slot: 'monthly',
  environment: 'production',
  state: 'active',
  grants: true,
  storeState: '1',
  expiresAt: start,
  graceEndsAt: null,
  autoRenew: true,
  startedAt: start,
  purchasedAt: start,
  revokedAt: null,
  revocationReason: null,
  ownershipType: null,
  region: null,
  acknowledged: true,
  quantity: 1,
}

const owner = (accountId: PossibleOwner['accountId']) =>
  record({ accountId: oneOf(accountId), isLive: fc.boolean(), mayUseSandbox: fc.boolean() })
const anyOwner = fc.option(fc.oneof(owner(ada), owner(grace)))
const facts = record({
  slot: oneOf('monthly', 'gift_1_month'),
  environment: oneOf('production', 'sandbox'),
  state: oneOf('active', 'revoked', 'purchased', 'refunded', 'pending'),
  grants: fc.boolean(),
  quantity: oneOf(1, 2),
}).map((drawn): PurchaseFacts => ({ ...readFacts, ...drawn }))

/** Commands of one purchase. */
export const storePurchaseCommands: fc.Arbitrary<StorePurchaseCommand> = fc.oneof(
  record({
    type: oneOf('TakeReading'),
    purchase: oneOf('p1'),
    newId: oneOf(storePurchaseId(snowflake('600001'))),
    provider: oneOf('store_a', 'store_b'),
    storeKey: oneOf('secret'),
    asOf: instants,
    facts,
    hashes: record({ token: oneOf(null, 'h1', 'h2'), latestOrder: oneOf(null, 'o1', 'o2') }),
    secrets: record({ latestTransactionId: oneOf(null, '1', '2') }),
    owners: record({
      present: anyOwner,
      claimer: anyOwner,
      ofToken: oneOf(null, ada, grace),
      inherited: oneOf(null, ada),
    }),
    now: instants,
  }),
  record({ type: oneOf('NoteUnknown'), asOf: instants, now: instants }),
  record({ type: oneOf('ReleasePurchase'), accountId: oneOf(ada, grace), now: instants }),
  record({
    type: oneOf('SupersedePurchase'),
    purchase: oneOf('p1'),
    newId: oneOf(storePurchaseId(snowflake('600001'))),
    storeKey: oneOf('secret'),
    by: oneOf('p2'),
    now: instants,
  }),
  record({ type: oneOf('VoidPurchase'), orderHash: oneOf('o1', 'o2'), voidedAt: instants, now: instants }),
  record({
    type: oneOf('MintCode'),
    gift: oneOf('g1'),
    rights: record({ mayUseSandbox: fc.boolean(), hasLifetime: fc.boolean() }),
    now: instants,
  }),
  record({ type: oneOf('FulfilPurchase'), now: instants }),
  record({ type: oneOf('NoteSentBack'), reason: oneOf('lifetime_refund'), now: instants }),
  record({ type: oneOf('SettlePurchase'), changes_count: fc.nat({ max: 9 }), now: instants }),
)
