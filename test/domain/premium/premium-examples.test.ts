import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import { premiumFlags } from '../../../domain/premium/premium-flags.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { after } from '../../../domain/premium/gift-duration.ts'
import type { AppliedPurchase, PremiumCommand } from '../../../domain/premium/premium-commands.ts'
import { isInGrace, premiumNow, shownPremium } from '../../../domain/premium/premium-now.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { registered } from '../account/account-story.ts'
import { at, life, subscription } from './premium-story.ts'

const gift = (name: string, unit: 'days' | 'months' | 'years', quantity: number, now: string): PremiumCommand => ({
  type: 'AddGiftTime',
  gift: name,
  duration: { unit, quantity },
  now: at(now),
})
const read = (now: string, purchase: Partial<AppliedPurchase>): PremiumCommand => ({
  type: 'ApplyPurchases',
  purchases: [subscription(purchase)],
  now: at(now),
})
const untilOnFirst = (end: string, now = '2027-03-01') => read(now, { expiresAt: at(end), startedAt: at('2027-03-01') })
/** Gift time that ends on 10 March, 9 days after the subscription begins. */
const gifted = gift('g', 'days', 28, '2027-02-10')
const subscribed = untilOnFirst('2027-04-01')

interface Example {
  readonly number: number
  readonly steps: readonly PremiumCommand[]
  readonly until: string | null
  readonly giftUntil: string | null
  readonly shown: string
  readonly graceEndsAt?: string
  readonly over: string
}

/** `over`: the last instant at which premium counts. */
const examples: readonly Example[] = [
  {
    number: 1,
    steps: [gift('g', 'months', 1, '2027-01-31 12:00')],
    until: null,
    giftUntil: '2027-02-28 12:00',
    shown: '2027-02-28 12:00',
    over: '2027-03-03 12:00',
  },
  {
    number: 2,
    steps: [gift('g', 'months', 1, '2027-01-31 12:00'), gift('h', 'years', 1, '2027-02-01')],
    until: null,
    giftUntil: '2028-02-28 12:00',
    shown: '2028-02-28 12:00',
    over: '2028-03-02 12:00',
  },
  {
    number: 3,
    steps: [gifted, subscribed],
    until: '2027-04-01',
    giftUntil: '2027-04-10',
    shown: '2027-04-10',
    over: '2027-04-13',
  },
  {
    number: 4,
    steps: [gifted, subscribed, untilOnFirst('2027-05-01', '2027-04-01 00:05')],
    until: '2027-05-01',
    giftUntil: '2027-05-09 23:55',
    shown: '2027-05-09 23:55',
    over: '2027-05-12 23:55',
  },
  {
    number: 5,
    steps: [
      gifted,
      subscribed,
      read('2027-03-11', {
        entitled: false,
        state: 'revoked',
        expiresAt: at('2027-04-01'),
        revokedAt: at('2027-03-11'),
      }),
    ],
    until: '2027-03-11',
    giftUntil: '2027-03-20',
    graceEndsAt: '2027-03-11',
    shown: '2027-03-20',
    over: '2027-03-20',
  },
  { number: 6, steps: [subscribed], until: '2027-04-01', giftUntil: null, shown: '2027-04-01', over: '2027-04-04' },
  {
    number: 7,
    steps: [
      subscribed,
      read('2027-04-01 00:05', { state: 'grace', expiresAt: at('2027-04-01'), graceEndsAt: at('2027-04-07') }),
    ],
    until: '2027-04-01',
    giftUntil: null,
    graceEndsAt: '2027-04-07',
    shown: '2027-04-01',
    over: '2027-04-07',
  },
]

const counts = (who: Parameters<typeof premiumNow>[0], now: Timestamp) => premiumNow(who, false, now)
const oneMsBefore = (instant: Timestamp) => new Date(Date.parse(instant) - 1).toISOString() as Timestamp

describe('the worked examples', () => {
  it.each(examples)('number $number', ({ steps, until, giftUntil, graceEndsAt, shown, over }) => {
    const person = life()
    for (const step of steps) person.does(step)
    const { premium } = person
    expect(premium).toMatchObject({
      type: 1,
      until: until && at(until),
      giftUntil: giftUntil && at(giftUntil),
      graceEndsAt: graceEndsAt === undefined ? null : at(graceEndsAt),
    })
    expect(shownPremium(person.account, false, oneMsBefore(at(over))).until).toBe(at(shown))
    // At the instant of its end it is over: what is computed then is told as it is from then on.
    expect([counts(person.account, oneMsBefore(at(over))), counts(person.account, at(over))]).toEqual([true, false])
    // The same once more, as a notification that comes twice, changes nothing.
    const last = steps.at(-1)
    expect(last && person.does(last)).toEqual([])
  })

  it('number 8: a lifetime is left as it is', () => {
    const person = life()
    person.does({ type: 'SetLifetimePremium', lifetimeNumber: 7, now: at('2027-03-01') })
    expect(person.does(subscribed)).toEqual([])
    expect(person.premium).toMatchObject({ type: 2, until: null, lifetimeNumber: 7 })
    expect(counts(person.account, at('2099-01-01'))).toBe(true)
  })
})

describe('calendar durations', () => {
  it.each([
    ['2027-01-31', 'months', 1, '2027-02-28'],
    ['2028-01-31', 'months', 1, '2028-02-29'],
    ['2028-02-29', 'years', 1, '2029-02-28'],
    ['2027-12-31', 'months', 2, '2028-02-29'],
    ['2027-01-01', 'weeks', 2, '2027-01-15'],
    ['2027-01-01', 'days', 3650, '2036-12-29'],
  ] as const)('%s and %s %d', (base, unit, quantity, end) => {
    expect(after(at(base), { unit, quantity })).toBe(at(end))
  })

  it('never go beyond the year 9999', () => {
    const person = life()
    for (const name of ['g', 'h', 'i']) person.does(gift(name, 'years', 3650, '2027-01-01'))
    expect(person.premium.giftUntil).toBe('9999-12-31T23:59:59.999Z')
  })
})

describe('premium', () => {
  it('comes back in full if the store takes a refund back, however late', () => {
    const person = life()
    const revoked = {
      entitled: false,
      state: 'revoked',
      expiresAt: at('2027-04-01'),
      revokedAt: at('2027-03-11'),
    } as const
    for (const step of [gifted, subscribed, read('2027-03-13', revoked), read('2027-03-13', revoked)]) person.does(step)
    expect(person.premium).toMatchObject({ until: at('2027-03-11'), giftUntil: at('2027-03-20') })
    person.does({ type: 'EndExpiredPremium', now: at('2027-03-25') })
    expect(person.premium).toMatchObject({ type: 0, until: null, giftUntil: null })
    person.does(read('2027-03-26', { expiresAt: at('2027-04-01') }))
    expect(person.premium).toMatchObject({ type: 1, until: at('2027-04-01'), giftUntil: at('2027-04-10') })
  })

  it('is cut further if the store says later that it was a refund', () => {
    const person = life()
    const over = { entitled: false, expiresAt: at('2027-04-01') }
    for (const step of [
      gifted,
      subscribed,
      read('2027-03-13', { ...over, state: 'expired' }),
      read('2027-03-14', { ...over, state: 'revoked', revokedAt: at('2027-03-11') }),
    ])
      person.does(step)
    expect(person.premium).toMatchObject({ until: at('2027-03-11'), giftUntil: at('2027-03-20') })
  })

  it('moves to another subscription that pays, and back to the later end', () => {
    const person = life()
    const [one, other] = [
      subscription({ expiresAt: at('2027-04-01') }),
      subscription({ purchase: 'p2', expiresAt: at('2027-05-01') }),
    ]
    const apply = (now: string, ...purchases: readonly AppliedPurchase[]) =>
      person.does({ type: 'ApplyPurchases', purchases, now: at(now) })
    person.does(gifted)
    apply('2027-03-01', one, other)
    expect(person.premium).toMatchObject({ until: at('2027-05-01'), paidBy: 'p2', giftUntil: at('2027-05-10') })
    apply('2027-03-02', one, { ...other, entitled: false, state: 'revoked', revokedAt: at('2027-03-02') })
    expect(person.premium).toMatchObject({ until: at('2027-04-01'), paidBy: 'p1', giftUntil: at('2027-04-10') })
    apply('2027-03-03', one, other)
    expect(person.premium).toMatchObject({ until: at('2027-05-01'), giftUntil: at('2027-05-10') })
  })

  it('ends with its grace if the holder wants so, and does not come back with the same end', () => {
    const person = life()
    const grace = read('2027-04-02', {
      state: 'grace',
      expiresAt: at('2027-04-01'),
      graceEndsAt: at('2027-04-07'),
    })
    person.does(subscribed)
    expect(person.does({ type: 'EndPremiumGrace', now: at('2027-03-15') })).toEqual([])
    person.does(grace)
    expect(isInGrace(person.premium, at('2027-04-02'))).toBe(true)
    person.does({ type: 'EndPremiumGrace', now: at('2027-04-02') })
    expect(person.premium).toMatchObject({ type: 0, until: null, graceEndsAt: null })
    expect(person.does(grace)).toEqual([])
    person.does(read('2027-04-03', { expiresAt: at('2027-05-01') }))
    expect(person.premium).toMatchObject({ type: 1, until: at('2027-05-01') })
  })

  it('is cleared once it is over, except for ENABLED_OVERRIDE, and perks are marked as removed', () => {
    const sweep = (now: string) => ({ type: 'EndExpiredPremium', now: at(now) }) as const
    const person = life()
    person.does(subscribed)
    expect(person.does(sweep('2027-04-03 23:59'))).toEqual([])
    expect(person.does(sweep('2027-04-04')).map(({ type }) => type)).toEqual(['PremiumEnded', 'PremiumFlagsChanged'])
    expect(person.account.premiumFlags).toBe(premiumFlags.PERKS_SANITIZED)
    person.does(untilOnFirst('2027-05-10', '2027-04-10'))
    expect(person.account.premiumFlags).toBe(0)
    const state = fold(account, [
      registered,
      { type: 'PremiumFlagsChanged', data: { accountId: person.account.id, flags: premiumFlags.ENABLED_OVERRIDE } },
      ...person.events.slice(0, 1),
    ])
    expect(account.decide(state, sweep('2027-06-01'))).toEqual({ outcome: 'accepted', events: [] })
  })

  it('follows flags, bots and the mode of the instance before anything that was paid', () => {
    const { account: none } = life()
    const now = at('2027-03-15')
    const flagged = (flags: number) => ({ ...none, premiumFlags: flags })
    const { ENABLED_OVERRIDE, PERKS_DISABLED } = premiumFlags
    expect(premiumNow(none, false, now)).toBe(false)
    expect(premiumNow(none, true, now)).toBe(true)
    expect(premiumNow({ ...none, bot: true }, false, now)).toBe(true)
    expect(premiumNow(flagged(ENABLED_OVERRIDE), false, now)).toBe(true)
    expect(premiumNow(flagged(ENABLED_OVERRIDE | PERKS_DISABLED), false, now)).toBe(false)
    expect(premiumNow({ ...flagged(PERKS_DISABLED), bot: true }, false, now)).toBe(true)
  })

  it('refuses a gift to a lifetime holder, but not the gift that gave the lifetime', () => {
    const forever = { ...gift('g', 'years', 0, '2027-03-01'), lifetimeNumber: 3 } as PremiumCommand
    const person = life()
    person.does(forever)
    expect(person.premium).toMatchObject({ type: 2, lifetimeNumber: 3 })
    expect(person.does(forever)).toEqual([])
    given(account, [registered, ...person.events])
      .when(gift('h', 'months', 1, '2027-03-02'))
      .refuses('GIFT_NOT_REDEEMABLE_WITH_LIFETIME_PREMIUM')
    person.does({ type: 'RemovePremium', now: at('2027-03-03') })
    person.does({ type: 'SetLifetimePremium', lifetimeNumber: 9, now: at('2027-03-04') })
    expect(person.premium.lifetimeNumber).toBe(3)
  })
})
