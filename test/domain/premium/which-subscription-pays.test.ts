import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { accountFlags } from '../../../domain/account/flags.ts'
import type { AppliedPurchase } from '../../../domain/premium/premium-commands.ts'
import { fieldsOf, noPremiumFields } from '../../../domain/premium/premium.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { registered } from '../account/account-story.ts'
import { at, life, linked, registeredAccount, subscription } from './premium-story.ts'

/** Which subscription premium follows, as rules/stores#premium says, and what it takes from it. */

const { id: accountId } = registeredAccount()
const ends = (purchase: string, end: string, more: Partial<AppliedPurchase> = {}): AppliedPurchase =>
  subscription({ purchase, expiresAt: at(end), ...more })
const inGrace = (purchase: string, end: string, graceEnd: string | null): AppliedPurchase =>
  ends(purchase, end, { state: 'grace', graceEndsAt: graceEnd === null ? null : at(graceEnd) })
const over = (purchase: AppliedPurchase): AppliedPurchase => ({ ...purchase, entitled: false, state: 'expired' })

function payer() {
  const person = life(linked('p1'), linked('p2'))
  const reads = (day: string, ...purchases: readonly AppliedPurchase[]) =>
    person.does({ type: 'ApplyPurchases', purchases, now: at(day) })
  const gives = (day: string, quantity: number) =>
    person.does({ type: 'AddGiftTime', gift: 'g', duration: { unit: 'days', quantity }, now: at(day) })
  return { person, reads, gives }
}

const payerOf = (now: string, ...purchases: readonly AppliedPurchase[]): string | null => {
  const { person, reads } = payer()
  reads(now, ...purchases)
  return person.premium.paidBy
}

describe('premium follows the subscription that gives access longest', () => {
  it.each([
    ['the one that ends later', [ends('p1', '2027-05-01'), ends('p2', '2027-04-01')], 'p1'],
    ['the one whose grace ends later', [inGrace('p1', '2027-03-01', '2027-03-20'), ends('p2', '2027-03-15')], 'p1'],
    ['not a grace that ends sooner', [inGrace('p1', '2027-03-01', '2027-03-10'), ends('p2', '2027-03-15')], 'p2'],
    ['of two that end at the same instant always the same', [ends('p2', '2027-04-01'), ends('p1', '2027-04-01')], 'p2'],
    ['one that is canceled, until it ends', [ends('p1', '2027-04-01', { state: 'canceled', autoRenew: false })], 'p1'],
    ['none that grants nothing', [over(ends('p1', '2027-05-01')), ends('p2', '2027-04-01')], 'p2'],
    ['none without an end', [subscription({ purchase: 'p1' }), ends('p2', '2027-04-01')], 'p2'],
    ['none without an end, also if there is no other', [subscription({ purchase: 'p1' })], null],
  ] as const)('%s', (_, purchases, purchase) => {
    expect(payerOf('2027-03-02', ...purchases)).toBe(purchase)
    expect(payerOf('2027-03-02', ...purchases.toReversed())).toBe(purchase)
  })

  it('for three days after its end, as its renewal may be read late, and not in the instant after', () => {
    expect(payerOf('2027-04-03 23:59', ends('p1', '2027-04-01'))).toBe('p1')
    expect(payerOf('2027-04-04', ends('p1', '2027-04-01'))).toBeNull()
  })

  it('in grace until the grace ends, and no longer', () => {
    expect(payerOf('2027-04-01 23:59', inGrace('p1', '2027-03-20', '2027-04-02'))).toBe('p1')
    expect(payerOf('2027-04-02', inGrace('p1', '2027-03-20', '2027-04-02'))).toBeNull()
    expect(payerOf('2027-03-19', inGrace('p1', '2027-03-20', null))).toBe('p1')
    expect(payerOf('2027-03-20', inGrace('p1', '2027-03-20', null))).toBeNull()
  })
})

describe('the subscription that premium follows', () => {
  it('says since when, until when, whether it renews, and that something was bought', () => {
    const { person, reads } = payer()
    const bought = ends('p1', '2027-04-01', { startedAt: at('2027-02-20') })
    const [event, ...others] = reads('2027-03-01', bought)
    expect(others).toEqual([])
    expect(event).toEqual({
      type: 'PremiumPaid',
      data: {
        accountId,
        purchase: 'p1',
        premium: {
          ...noPremiumFields,
          type: 1,
          since: at('2027-02-20'),
          until: at('2027-04-01'),
          hasEverPurchased: true,
        },
        covers: [{ from: at('2027-03-01'), to: at('2027-04-01') }],
        paidAt: at('2027-03-01'),
      },
    })
    expect(reads('2027-03-02', bought)).toEqual([])
    expect(reads('2027-03-03', { ...bought, autoRenew: false })).toMatchObject([
      { data: { premium: { willCancel: true }, covers: [] } },
    ])
    expect(reads('2027-03-04', { ...bought, autoRenew: null })).toEqual([])
    expect(person.premium.since).toBe(at('2027-02-20'))
  })

  it('has premium since the first of several, or since its gift', () => {
    const { person, reads, gives } = payer()
    gives('2027-02-25', 3)
    reads('2027-03-01', ends('p1', '2027-04-01', { startedAt: at('2027-03-01') }))
    expect(person.premium.since).toBe(at('2027-02-25'))
    reads('2027-03-02', ends('p1', '2027-05-01', { startedAt: at('2027-02-20') }))
    expect(person.premium.since).toBe(at('2027-02-20'))
  })

  it('shows its grace, and none once it is renewed', () => {
    const { person, reads } = payer()
    reads('2027-03-01', ends('p1', '2027-04-01'))
    reads('2027-04-01', inGrace('p1', '2027-04-01', '2027-04-07'))
    expect(person.premium.graceEndsAt).toBe(at('2027-04-07'))
    reads('2027-04-05', ends('p1', '2027-05-01'))
    expect(person.premium.graceEndsAt).toBeNull()
  })

  it('gives way to another one that ends at the same instant', () => {
    const { person, reads } = payer()
    reads('2027-03-01', ends('p1', '2027-04-01'))
    expect(reads('2027-03-02', ends('p1', '2027-04-01'), ends('p2', '2027-04-01'))).toMatchObject([
      { type: 'PremiumPaid', data: { purchase: 'p2', covers: [] } },
    ])
    expect(person.premium.paidBy).toBe('p2')
  })

  it('is left without a cut where it expires and another one pays', () => {
    const { person, reads } = payer()
    reads('2027-03-01', ends('p1', '2027-05-01'), ends('p2', '2027-04-01'))
    const events = reads('2027-03-10', over(ends('p1', '2027-05-01')), ends('p2', '2027-04-01'))
    expect(events.map(({ type }) => type)).toEqual(['PremiumPaid'])
    expect(person.premium).toMatchObject({ paidBy: 'p2', until: at('2027-04-01') })
  })

  it('is not cut by a renewal that is read very late, though it has no access meanwhile', () => {
    const { person, reads } = payer()
    reads('2027-03-01', ends('p1', '2027-04-01'))
    expect(reads('2027-04-20', ends('p1', '2027-04-01'))).toEqual([])
    expect(person.premium).toMatchObject({ paidBy: 'p1', until: at('2027-04-01') })
  })

  it.each(['billing_retry', 'on_hold', 'paused', 'pending', 'superseded'] as const)(
    'gives no premium from the reading on that says %s, without a grace, and no refund is noted',
    (state) => {
      const { person, reads, gives } = payer()
      gives('2027-03-01', 10)
      reads('2027-03-01', ends('p1', '2027-05-01'))
      const stopped = ends('p1', '2027-05-01', { state, entitled: false })
      expect(reads('2027-03-10', stopped)).toMatchObject([
        { type: 'PremiumCut', data: { purchase: 'p1', refunded: false, cutAt: at('2027-03-10') } },
      ])
      const stop = at('2027-03-10')
      expect(person.premium).toMatchObject({
        until: stop,
        graceEndsAt: stop,
        paidBy: null,
        giftUntil: at('2027-03-20'),
      })
      expect(reads('2027-03-12', stopped)).toEqual([])
      // Paid again from then on: the days between are the gift's.
      reads('2027-03-13', ends('p1', '2027-05-01'))
      expect(person.premium).toMatchObject({ until: at('2027-05-01'), giftUntil: at('2027-05-08') })
    },
  )

  it('gives none from the instant on at which it leaves the account', () => {
    const { person, reads, gives } = payer()
    gives('2027-03-01', 10)
    reads('2027-03-01', ends('p1', '2027-05-01'))
    person.does({ type: 'UnlinkPurchase', purchase: 'p1', now: at('2027-03-10') })
    const [event, ...others] = reads('2027-03-10')
    expect(event).toMatchObject({ type: 'PremiumCut', data: { purchase: 'p1', refunded: false } })
    expect(others).toEqual([])
    expect(person.premium).toMatchObject({ until: at('2027-03-10'), giftUntil: at('2027-03-20') })
    expect(reads('2027-03-11')).toEqual([])
  })
})

describe('gift time that is over', () => {
  it('is shown until premium is cleared, and never again', () => {
    const { person, reads, gives } = payer()
    gives('2027-03-01', 10)
    reads('2027-03-12', ends('p1', '2027-04-01'))
    expect(person.premium.giftUntil).toBe(at('2027-03-11'))
    person.does({ type: 'EndExpiredPremium', now: at('2027-04-10') })
    reads('2027-04-20', ends('p1', '2027-05-20'))
    expect(person.premium.giftUntil).toBeNull()
  })

  it('is over at the instant of its end', () => {
    const { person, reads, gives } = payer()
    gives('2027-03-01', 10)
    person.does({ type: 'EndExpiredPremium', now: at('2027-03-20') })
    reads('2027-03-11', ends('p1', '2027-04-01'))
    expect(person.premium.giftUntil).toBeNull()
  })
})

describe('an account that is to be deleted', () => {
  const flags = accountFlags.DELETED.toString()
  const deleted: AccountEvent = { type: 'FlagsChanged', data: { accountId, flags } }
  const reads = (day: string, ...purchases: readonly AppliedPurchase[]) =>
    ({ type: 'ApplyPurchases', purchases, now: at(day) }) as const
  const refunded = (purchase: string, end: string) =>
    ends(purchase, end, { state: 'revoked', entitled: false, revokedAt: at('2027-03-10') })
  function deletedAfter(...commands: readonly ReturnType<typeof reads>[]) {
    const person = life(linked('p1'), linked('p2'))
    for (const command of commands) person.does(command)
    return given(account, [registered, linked('p1'), linked('p2'), ...person.events, deleted])
  }
  const both = [ends('p1', '2027-05-01'), ends('p2', '2027-04-01')] as const

  it('is given nothing, neither a payment nor a refund that was taken back', () => {
    deletedAfter()
      .when(reads('2027-03-01', ...both))
      .changesNothing()
    const refund = reads('2027-03-10', refunded('p1', '2027-05-01'))
    deletedAfter(reads('2027-03-01', ...both), refund)
      .when(reads('2027-03-11', over(ends('p1', '2027-05-01'))))
      .changesNothing()
  })

  it('loses what a subscription gave that is over', () => {
    const person = life(linked('p1'), linked('p2'))
    person.does(reads('2027-03-01', ...both))
    const stop = at('2027-03-12')
    deletedAfter(reads('2027-03-01', ...both))
      .when({ type: 'ApplyPurchases', purchases: both.map(over), now: stop })
      .then({
        type: 'PremiumCut',
        data: {
          accountId,
          premium: { ...fieldsOf(person.premium), until: stop, graceEndsAt: stop },
          purchase: 'p1',
          refunded: false,
          cutAt: stop,
        },
      })
  })

  it('loses what is refunded, also where another subscription pays', () => {
    const person = life(linked('p1'), linked('p2'))
    person.does(reads('2027-03-01', ...both))
    const past = [registered, linked('p1'), linked('p2'), ...person.events, deleted]
    for (const others of [[], [ends('p2', '2027-04-01')]]) {
      const kept = others.length > 0 ? { kept: [{ from: at('2027-03-10'), to: at('2027-04-01') }] } : {}
      given(account, past)
        .when(reads('2027-03-12', refunded('p1', '2027-05-01'), ...others))
        .then({
          type: 'PremiumCut',
          data: {
            accountId,
            premium: { ...fieldsOf(person.premium), until: at('2027-03-10'), graceEndsAt: at('2027-03-10') },
            purchase: 'p1',
            refunded: true,
            ...kept,
            cutAt: at('2027-03-12'),
          },
        })
    }
  })
})
