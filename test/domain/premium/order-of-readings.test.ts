import { expect, it } from 'vitest'
import { storePurchaseId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import type { PurchaseFacts } from '../../../domain/store-purchase/purchase-facts.ts'
import { appliedPurchase } from '../../../domain/store-purchase/shown-purchase.ts'
import type { StorePurchaseState } from '../../../domain/store-purchase/state.ts'
import { storePurchase } from '../../../domain/store-purchase/store-purchase.ts'
import { fieldsOf } from '../../../domain/premium/premium.ts'
import { ada } from '../../../domain/testing/people.ts'
import { readFacts } from '../../../domain/testing/commands/store-purchase-commands.ts'
import { at, life } from './premium-story.ts'

const now = at('2027-03-13')
const renewed: Partial<PurchaseFacts> = { expiresAt: at('2027-05-01') }

/** What the store says one after another: bought, renewed, refunded, and the refund taken back. */
const readings: readonly Partial<PurchaseFacts>[] = [
  { expiresAt: at('2027-04-01') },
  renewed,
  { ...renewed, state: 'revoked', grants: false, revokedAt: at('2027-03-11') },
  renewed,
]

/** The premium after the readings arrived in this order, each followed by a computation, and some twice. */
function after(order: readonly number[]) {
  let purchase: StorePurchaseState = storePurchase.initial
  const person = life()
  const duration = { unit: 'days', quantity: 28 } as const
  person.does({ type: 'AddGiftTime', gift: 'g', duration, now: at('2027-03-01') })
  for (const index of [...order, ...order.slice(0, 2)]) {
    const owner = purchase.status === 'seen' && purchase.owner !== null
    const possible = { accountId: ada, isLive: true, mayUseSandbox: false }
    const decision = storePurchase.decide(purchase, {
      type: 'TakeReading',
      purchase: 'p1',
      newId: storePurchaseId(snowflake('600001')),
      provider: 'store_a',
      storeKey: 'secret',
      asOf: at(`2027-03-12 0${index}:00`),
      facts: { ...readFacts, ...readings[index] },
      hashes: { token: null, latestOrder: 'o' },
      secrets: { latestTransactionId: 'o' },
      owners: { present: owner ? possible : null, claimer: possible, ofToken: null, inherited: null },
      now,
    })
    if (decision.outcome === 'accepted') purchase = fold(storePurchase, decision.events, purchase)
    const applied =
      purchase.status === 'seen' ? appliedPurchase(purchase, { mayUseSandbox: false, hasLifetime: false }) : undefined
    person.does({ type: 'ApplyPurchases', purchases: applied ? [applied] : [], now })
  }
  return fieldsOf(person.premium)
}

function ordersOf(left: readonly number[]): readonly (readonly number[])[] {
  if (left.length === 0) return [[]]
  return left.flatMap((first) => ordersOf(left.filter((other) => other !== first)).map((rest) => [first, ...rest]))
}

it('premium is the same in whatever order claim, renewal, refund and reversal are read (F25)', () => {
  const orders = ordersOf([0, 1, 2, 3])
  expect(orders).toHaveLength(24)
  const ends = new Set(orders.map((order) => JSON.stringify(after(order))))
  expect([...ends].map((end): unknown => JSON.parse(end))).toMatchObject([
    { type: 1, until: at('2027-05-01'), giftUntil: at('2027-05-17'), graceEndsAt: null },
  ])
})
