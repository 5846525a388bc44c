import { describe, expect, it } from 'vitest'
import type { AppliedPurchase } from '../../../domain/premium/premium-commands.ts'
import { at, life, linked, purchaseId, subscription } from './premium-story.ts'

/** What premium counts where an account pays in both stores (decision 119). Both subscriptions came to it on 1 January. */

const [april, may] = [
  subscription({ purchase: 'p1', expiresAt: at('2027-04-01') }),
  subscription({ purchase: 'p2', expiresAt: at('2027-05-01') }),
]
const refundedOn = (purchase: AppliedPurchase, day: string): AppliedPurchase => ({
  ...purchase,
  entitled: false,
  state: 'revoked',
  revokedAt: at(day),
})
const over = (purchase: AppliedPurchase): AppliedPurchase => ({ ...purchase, entitled: false, state: 'expired' })

/** Somebody with 10 days of gift time since 1 March who pays in both stores. */
function payer() {
  const person = life(linked('p1'), linked('p2'))
  const apply = (day: string, ...purchases: readonly AppliedPurchase[]) =>
    person.does({ type: 'ApplyPurchases', purchases, now: at(day) })
  const duration = { unit: 'days', quantity: 10 } as const
  person.does({ type: 'AddGiftTime', gift: 'g', duration, now: at('2027-03-01') })
  apply('2027-03-01', april, may)
  return { apply, endOfGift: () => person.premium.giftUntil, premium: () => person.premium }
}

describe('an account with two subscriptions', () => {
  it('keeps the days that the other one paid for when one is refunded, also those that are past', () => {
    const { apply, endOfGift, premium } = payer()
    expect(endOfGift()).toBe(at('2027-05-11'))
    apply('2027-03-20', april, refundedOn(may, '2027-03-10'))
    expect(premium()).toMatchObject({ until: at('2027-04-01'), paidBy: 'p1', giftUntil: at('2027-04-11') })
    expect(apply('2027-03-20', april, refundedOn(may, '2027-03-10'))).toEqual([])
  })

  it('keeps them even if the other one is over when the refund becomes known', () => {
    const { apply, premium } = payer()
    apply('2027-04-20', over(april), refundedOn(may, '2027-03-10'))
    expect(premium()).toMatchObject({ type: 1, until: at('2027-03-10'), giftUntil: at('2027-04-11') })
  })

  it('gets back what a refund took if the store takes it back, even after the other one has ended', () => {
    const { apply, endOfGift } = payer()
    apply('2027-03-20', april, refundedOn(may, '2027-03-20'))
    expect(endOfGift()).toBe(at('2027-04-11'))
    apply('2027-04-06', over(april), may)
    expect(endOfGift()).toBe(at('2027-05-11'))
  })

  it('loses no day that is past when the one that pays is replaced by one that ends sooner', () => {
    const { apply, endOfGift } = payer()
    apply('2027-04-02', april, { ...over(may), state: 'superseded' })
    // The renewal of the first one may be read late: it counts, and what the other paid until now stays paid.
    expect(endOfGift()).toBe(at('2027-04-12'))
  })

  it('has no days of a subscription that came to it after they were over', () => {
    const person = life(linked('p2'))
    const duration = { unit: 'days', quantity: 10 } as const
    person.does({ type: 'AddGiftTime', gift: 'g', duration, now: at('2027-03-01') })
    person.does({ type: 'ApplyPurchases', purchases: [may], now: at('2027-03-01') })
    person.does({ type: 'LinkPurchase', purchase: 'p1', purchaseId, kind: 'subscription', now: at('2027-03-15') })
    const purchases = [april, refundedOn(may, '2027-03-10')]
    person.does({ type: 'ApplyPurchases', purchases, now: at('2027-03-20') })
    // Five days between the refund and the other subscription used up gift time.
    expect(person.premium.giftUntil).toBe(at('2027-04-06'))
  })
})
