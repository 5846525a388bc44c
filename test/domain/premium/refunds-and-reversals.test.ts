import { describe, expect, it } from 'vitest'
import type { AppliedPurchase } from '../../../domain/premium/premium-commands.ts'
import { at, life, linked, purchaseId, subscription } from './premium-story.ts'

/** What refunds take, and what their reversal gives back (decision 119). `p1` and `p2` came to the account on 1 January. */

const ends = (purchase: string, end: string, more: Partial<AppliedPurchase> = {}): AppliedPurchase =>
  subscription({ purchase, expiresAt: at(end), ...more })
const refunded = (purchase: AppliedPurchase, day: string | null): AppliedPurchase => ({
  ...purchase,
  entitled: false,
  state: 'revoked',
  revokedAt: day === null ? null : at(day),
})
const stopped = (purchase: AppliedPurchase, state: AppliedPurchase['state'] = 'expired'): AppliedPurchase => ({
  ...purchase,
  entitled: false,
  state,
})

/** Somebody with ten days of gift time since 1 March. */
function payer() {
  const person = life(linked('p1'), linked('p2'))
  person.does({ type: 'AddGiftTime', gift: 'g', duration: { unit: 'days', quantity: 10 }, now: at('2027-03-01') })
  const reads = (day: string, ...purchases: readonly AppliedPurchase[]) =>
    person.does({ type: 'ApplyPurchases', purchases, now: at(day) })
  return { person, reads, giftUntil: () => person.premium.giftUntil }
}

const may = ends('p1', '2027-05-01')
const april = ends('p2', '2027-04-01')

describe('a refund', () => {
  it('takes the days since the store gave the money back, or since it is known where the store does not say', () => {
    const told = payer()
    told.reads('2027-03-01', may)
    told.reads('2027-03-13', refunded(may, '2027-03-11'))
    expect(told.person.premium).toMatchObject({ until: at('2027-03-11'), giftUntil: at('2027-03-21') })
    const silent = payer()
    silent.reads('2027-03-01', may)
    silent.reads('2027-03-13', refunded(may, null))
    expect(silent.person.premium).toMatchObject({ until: at('2027-03-13'), giftUntil: at('2027-03-23') })
  })

  it('that is dated after the end takes nothing, nor does one that is dated ahead', () => {
    const { person, reads, giftUntil } = payer()
    reads('2027-03-01', may)
    reads('2027-05-03', refunded(may, '2027-05-02'))
    expect(person.premium.until).toBe(at('2027-05-01'))
    expect(giftUntil()).toBe(at('2027-05-11'))
    const ahead = payer()
    ahead.reads('2027-03-01', may)
    ahead.reads('2027-03-13', refunded(may, '2027-03-20'))
    expect(ahead.person.premium.until).toBe(at('2027-03-13'))
  })

  it('leaves what a renewal had paid for that is read together with it', () => {
    const { reads, giftUntil } = payer()
    reads('2027-03-01', may, april)
    reads('2027-04-02', stopped(may, 'superseded'), april)
    expect(giftUntil()).toBe(at('2027-04-12'))
    reads('2027-04-05', stopped(may, 'superseded'), refunded(ends('p2', '2027-05-01'), '2027-04-03'))
    expect(giftUntil()).toBe(at('2027-04-12'))
  })

  it('is noted where the subscription was over before, and its end moves to an earlier one', () => {
    const { person, reads, giftUntil } = payer()
    reads('2027-03-01', may)
    reads('2027-03-13', stopped(may))
    expect(reads('2027-03-14', refunded(may, '2027-03-13'))).toMatchObject([
      { type: 'PremiumCut', data: { refunded: true, premium: { until: at('2027-03-13') } } },
    ])
    expect(reads('2027-03-15', refunded(may, '2027-03-13'))).toEqual([])
    expect(reads('2027-03-16', stopped(may))).toMatchObject([{ type: 'PremiumReversed' }])
    reads('2027-03-17', refunded(may, '2027-03-11'))
    expect(person.premium.until).toBe(at('2027-03-16'))
    expect(giftUntil()).toBe(at('2027-03-26'))
  })

  it('moves the cut once more where the store says later that it was earlier', () => {
    const { person, reads } = payer()
    reads('2027-03-01', may)
    reads('2027-03-13', refunded(may, '2027-03-13'))
    expect(reads('2027-03-14', refunded(may, '2027-03-11'))).toHaveLength(1)
    expect(person.premium).toMatchObject({ until: at('2027-03-11'), giftUntil: at('2027-03-21') })
    const whole = { from: at('2027-03-11'), to: at('2027-05-01') }
    expect(person.premium.ledger.cuts).toEqual([{ ...whole, purchase: 'p1', refunded: true, paid: [whole] }])
    // All of it comes back, not only what the last cut took.
    reads('2027-03-20', may)
    expect(person.premium).toMatchObject({ until: at('2027-05-01'), giftUntil: at('2027-05-11') })
  })

  it('of each of two is remembered with what that one paid for alone', () => {
    const { person, reads } = payer()
    reads('2027-03-01', may, april)
    reads('2027-03-10', refunded(may, '2027-03-10'), april)
    reads('2027-03-20', refunded(may, '2027-03-10'), refunded(april, '2027-03-20'))
    const cut = (purchase: string, from: string, to: string, paidFrom: string) => ({
      purchase,
      refunded: true,
      from: at(from),
      to: at(to),
      paid: [{ from: at(paidFrom), to: at(to) }],
    })
    expect(person.premium.ledger.cuts).toEqual([
      cut('p1', '2027-03-10', '2027-05-01', '2027-04-01'),
      cut('p2', '2027-03-20', '2027-04-01', '2027-03-20'),
    ])
  })

  it('of a subscription that does not count for the account any more is neither taken back nor noted again', () => {
    const { reads } = payer()
    reads('2027-03-01', may)
    reads('2027-03-13', refunded(may, '2027-03-13'))
    expect(reads('2027-03-14')).toEqual([])
  })

  it('takes no day that another subscription paid for, up to its end, its refund, and the day that it was stopped', () => {
    const kept = (other: AppliedPurchase) => {
      const { reads, giftUntil } = payer()
      reads('2027-03-01', may, april)
      reads('2027-04-20', refunded(may, '2027-03-05'), other)
      return giftUntil()
    }
    const june = ends('p2', '2027-06-01')
    // Ten days after the last one that is kept, whoever pays.
    expect(kept(stopped(april))).toBe(at('2027-04-11'))
    expect(kept(refunded(april, '2027-03-15'))).toBe(at('2027-03-25'))
    expect(kept(stopped(june, 'paused'))).toBe(at('2027-04-30'))
    expect(kept(stopped(june, 'on_hold'))).toBe(at('2027-04-30'))
    expect(kept(stopped(june, 'billing_retry'))).toBe(at('2027-04-30'))
  })

  it('takes the days of one that was replaced or never paid, that has no end, or that has left the account', () => {
    const left = (other: AppliedPurchase) => {
      const { reads, giftUntil } = payer()
      reads('2027-03-01', may, april)
      reads('2027-04-20', refunded(may, '2027-03-05'), other)
      return giftUntil()
    }
    expect(left(stopped(april, 'superseded'))).toBe(at('2027-03-15'))
    expect(left(stopped(april, 'pending'))).toBe(at('2027-03-15'))
    expect(left({ ...stopped(april), expiresAt: null })).toBe(at('2027-03-15'))
    expect(left({ ...stopped(april), purchase: 'p3' })).toBe(at('2027-03-15'))
  })

  it('takes no day of another one that came to the account after they were over, nor gives it one', () => {
    const person = life(linked('p1'))
    person.does({ type: 'AddGiftTime', gift: 'g', duration: { unit: 'days', quantity: 10 }, now: at('2027-03-01') })
    person.does({ type: 'ApplyPurchases', purchases: [may], now: at('2027-03-01') })
    person.does({ type: 'LinkPurchase', purchase: 'p2', purchaseId, kind: 'subscription', now: at('2027-04-02') })
    const purchases = [refunded(may, '2027-03-05'), stopped(april)]
    person.does({ type: 'ApplyPurchases', purchases, now: at('2027-04-02') })
    expect(person.premium.giftUntil).toBe(at('2027-03-15'))
  })

  it('of one that premium does not follow any more takes no day', () => {
    const { person, reads } = payer()
    reads('2027-03-01', may, april)
    reads('2027-03-10', refunded(may, '2027-03-10'), april)
    reads('2027-04-20', refunded(may, '2027-03-10'), stopped(april))
    reads('2027-04-25', stopped(may), stopped(april))
    const before = person.premium
    expect(before.until).toBe(at('2027-04-25'))
    expect(reads('2027-04-26', stopped(may), refunded(april, '2027-03-20'))).toEqual([])
  })

  it('gives a renewal that is read late the days that it paid for while the other one was refunded', () => {
    const { reads, giftUntil } = payer()
    reads('2027-03-01', may, april)
    reads('2027-03-20', refunded(may, '2027-03-20'), april)
    expect(giftUntil()).toBe(at('2027-04-11'))
    const [event] = reads('2027-04-05', refunded(may, '2027-03-20'), ends('p2', '2027-05-01'))
    expect(event).toMatchObject({ data: { covers: [{ from: at('2027-04-01'), to: at('2027-05-01') }] } })
    expect(giftUntil()).toBe(at('2027-05-11'))
  })
})

describe('the end of a subscription that is no refund', () => {
  it('takes no day that is past, whoever paid for it', () => {
    const { person, reads, giftUntil } = payer()
    reads('2027-03-01', may, april)
    // The other one ended yesterday, and its renewal may be read late. What the replaced one paid until now stays paid.
    reads('2027-04-02', stopped(may, 'superseded'), april)
    expect(giftUntil()).toBe(at('2027-04-12'))
    reads('2027-04-05', stopped(may, 'superseded'), stopped(april))
    expect(person.premium).toMatchObject({ until: at('2027-04-01'), giftUntil: at('2027-04-12') })
  })

  it('gives a late renewal of another one only the days from now on: gift time was used meanwhile', () => {
    const { reads, giftUntil } = payer()
    reads('2027-03-01', may, april)
    reads('2027-03-20', stopped(may, 'paused'), april)
    reads('2027-04-05', stopped(may, 'paused'), ends('p2', '2027-05-01'))
    expect(giftUntil()).toBe(at('2027-05-07'))
  })
})

describe('a refund that is taken back', () => {
  it('makes its subscription the one that pays in one step, for exactly the days that it had lost', () => {
    const { reads, giftUntil } = payer()
    reads('2027-03-01', may, april)
    reads('2027-03-20', refunded(may, '2027-03-20'), april)
    expect(reads('2027-03-22', may, april)).toMatchObject([
      { type: 'PremiumPaid', data: { purchase: 'p1', covers: [{ from: at('2027-04-01'), to: at('2027-05-01') }] } },
    ])
    expect(giftUntil()).toBe(at('2027-05-11'))
  })

  it('gives the days of one that pays but ends sooner than another one, and those of one that is over', () => {
    const reversed = (again: AppliedPurchase) => {
      const person = life(linked('p1'))
      person.does({ type: 'AddGiftTime', gift: 'g', duration: { unit: 'days', quantity: 40 }, now: at('2027-03-01') })
      const reads = (day: string, ...purchases: readonly AppliedPurchase[]) =>
        person.does({ type: 'ApplyPurchases', purchases, now: at(day) })
      reads('2027-03-01', may)
      reads('2027-03-10', refunded(may, '2027-03-10'))
      person.does({ type: 'LinkPurchase', purchase: 'p2', purchaseId, kind: 'subscription', now: at('2027-03-15') })
      const june = ends('p2', '2027-06-01')
      reads('2027-03-15', refunded(may, '2027-03-10'), june)
      expect(person.premium.giftUntil).toBe(at('2027-07-06'))
      const events = reads('2027-03-20', again, june)
      expect(person.premium).toMatchObject({ until: at('2027-06-01'), paidBy: 'p2', giftUntil: at('2027-07-11') })
      return events
    }
    const covers = (to: string) => [{ from: at('2027-03-10'), to: at(to) }]
    expect(reversed(may)).toMatchObject([{ type: 'PremiumReversed', data: { covers: covers('2027-05-01') } }])
    expect(reversed(stopped(may, 'on_hold'))).toMatchObject([
      { data: { purchase: 'p1', covers: covers('2027-03-20') } },
    ])
  })

  it('begins premium again where gift time is left that had waited for it', () => {
    const { person, reads } = payer()
    reads('2027-03-01', april)
    reads('2027-03-13', refunded(april, '2027-03-05'))
    person.does({ type: 'EndExpiredPremium', now: at('2027-03-25') })
    expect(person.premium).toMatchObject({ type: 0, giftUntil: null })
    expect(reads('2027-04-02', stopped(april))).toMatchObject([
      { type: 'PremiumReversed', data: { covers: [{ from: at('2027-03-05'), to: at('2027-04-01') }] } },
    ])
    const again = { type: 1, since: at('2027-04-02'), until: null, giftUntil: at('2027-04-11') }
    expect(person.premium).toMatchObject(again)
  })

  it('begins no premium again where all of it is over', () => {
    const { person, reads } = payer()
    reads('2027-03-01', april)
    reads('2027-03-13', refunded(april, '2027-03-05'))
    person.does({ type: 'EndExpiredPremium', now: at('2027-03-25') })
    expect(reads('2027-04-20', stopped(april))).toMatchObject([{ type: 'PremiumReversed' }])
    expect(person.premium).toMatchObject({ type: 0, since: null, until: null, giftUntil: null })
  })

  it('begins nothing anew where premium still counts', () => {
    const { person, reads } = payer()
    reads('2027-03-01', april)
    reads('2027-03-13', refunded(april, '2027-03-05'))
    reads('2027-04-02', stopped(april))
    expect(person.premium).toMatchObject({ type: 1, since: at('2027-03-01'), until: at('2027-04-01') })
  })

  it('stays taken where the store says that it was replaced: what replaced it takes nothing back', () => {
    const { reads } = payer()
    reads('2027-03-01', may, april)
    reads('2027-03-10', refunded(may, '2027-03-10'), april)
    expect(reads('2027-03-12', stopped(may, 'superseded'), april)).toEqual([])
  })
})
