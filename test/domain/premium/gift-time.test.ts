import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { accountFlags } from '../../../domain/account/flags.ts'
import type { PremiumCommand } from '../../../domain/premium/premium-commands.ts'
import { isInGrace, isPaidNow, shownPremium } from '../../../domain/premium/premium-now.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { registered } from '../account/account-story.ts'
import { at, life, linked, registeredAccount, subscription } from './premium-story.ts'

const { id: accountId } = registeredAccount()
const redeem = (gift: string, now: string, quantity = 10): PremiumCommand => ({
  type: 'AddGiftTime',
  gift,
  duration: { unit: 'days', quantity },
  now: at(now),
})
const take = (gift: string, now: string) => ({ type: 'TakeGiftTime', gift, now: at(now) }) as const
const giveBack = (gift: string, now: string) => ({ type: 'ReturnGiftTime', gift, now: at(now) }) as const
const pay = (now: string, end: string, autoRenew = true): PremiumCommand => ({
  type: 'ApplyPurchases',
  purchases: [subscription({ expiresAt: at(end), autoRenew })],
  now: at(now),
})
const forever = (now: string) => ({ type: 'SetLifetimePremium', lifetimeNumber: 7, now: at(now) }) as const
const day_ms = 24 * 3_600_000

describe('a gift', () => {
  it('is refused to whoever would not use it: an account to be deleted, and a bot', () => {
    const flags = accountFlags.DELETED.toString()
    const deleted: AccountEvent = { type: 'FlagsChanged', data: { accountId, flags } }
    given(account, [registered, deleted]).when(redeem('g', '2027-03-01')).refuses('UNKNOWN_USER')
    expect(
      account.decide({ ...registeredAccount(), status: 'registered', bot: true }, redeem('g', '2027-03-01')),
    ).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'UNKNOWN_USER' },
    })
  })

  it('counts from the request, and from the first one on premium is there', () => {
    const person = life()
    person.does(redeem('g', '2027-03-01'))
    person.does(redeem('h', '2027-03-05'))
    expect(person.premium).toMatchObject({ type: 1, since: at('2027-03-01'), until: null, giftUntil: at('2027-03-21') })
  })

  it('of a month lasts as many days as the month that begins where the time before it ends', () => {
    const person = life()
    person.does(redeem('g', '2027-01-25'))
    person.does({ type: 'AddGiftTime', gift: 'h', duration: { unit: 'months', quantity: 1 }, now: at('2027-01-26') })
    expect(person.premium.giftUntil).toBe(at('2027-03-04'))
  })

  it('changes nothing the second time, though another one was redeemed since, and though a refund took it', () => {
    const person = life()
    person.does(redeem('g', '2027-03-01'))
    person.does(redeem('h', '2027-03-02'))
    expect(person.does(redeem('g', '2027-03-03'))).toEqual([])
    person.does(take('g', '2027-03-03'))
    expect(person.does(redeem('g', '2027-03-04'))).toEqual([])
    expect(person.does(redeem('i', '2027-03-04'))).toHaveLength(1)
  })
})

describe('a refund of a gift', () => {
  it('ends premium that nothing else carries: what is left is taken, and the time that has passed stays', () => {
    const person = life()
    person.does(redeem('g', '2027-03-01'))
    const [taken, ended] = person.does(take('g', '2027-03-04'))
    expect(taken).toMatchObject({ type: 'GiftTimeTaken', data: { gift: 'g', time_ms: 7 * day_ms } })
    expect(ended).toMatchObject({ type: 'PremiumEnded', data: { cause: 'taken', endedAt: at('2027-03-04') } })
    expect(person.premium).toMatchObject({ type: 0, since: null, giftUntil: null })
  })

  it('leaves premium to what another gift still gives', () => {
    const person = life()
    person.does(redeem('g', '2027-03-01'))
    person.does(redeem('h', '2027-03-02'))
    expect(person.does(take('g', '2027-03-04'))).toHaveLength(1)
    expect(person.premium).toMatchObject({ type: 1, giftUntil: at('2027-03-12') })
  })

  it('ends premium where all that other gifts gave is used up at that instant', () => {
    const person = life()
    person.does(redeem('g', '2027-03-01'))
    person.does(redeem('h', '2027-03-01', 3))
    const events = person.does(take('g', '2027-03-04'))
    expect(events.map(({ type }) => type)).toEqual(['GiftTimeTaken', 'PremiumEnded'])
  })

  it('leaves premium to a subscription, and shows no gift time that is over', () => {
    const person = life(linked())
    person.does(redeem('g', '2027-03-01'))
    person.does(pay('2027-03-02', '2027-04-02'))
    const [taken, ...others] = person.does(take('g', '2027-03-04'))
    expect(taken).toMatchObject({ data: { time_ms: 9 * day_ms, premium: { type: 1, giftUntil: null } } })
    expect(others).toEqual([])
  })

  it('takes nothing, and ends nothing again, where premium has been over for long', () => {
    const person = life()
    person.does(redeem('g', '2027-03-01'))
    person.does({ type: 'EndExpiredPremium', now: at('2027-03-20') })
    const [taken, ...others] = person.does(take('g', '2027-03-21'))
    expect(taken).toMatchObject({ type: 'GiftTimeTaken', data: { time_ms: 0 } })
    expect(others).toEqual([])
    expect(person.does(giveBack('g', '2027-03-22'))).toMatchObject([
      { type: 'GiftTimeAdded', data: { time_ms: 0, returned: true, premium: { type: 0, giftUntil: null } } },
    ])
    expect(person.premium.type).toBe(0)
  })

  it('gives back exactly what it took, of that gift and once, if it is reversed', () => {
    const person = life()
    person.does(redeem('g', '2027-03-01'))
    person.does(redeem('h', '2027-03-01'))
    person.does(take('g', '2027-03-04'))
    person.does(take('h', '2027-03-05'))
    expect(person.does(giveBack('g', '2027-04-01'))).toMatchObject([
      { type: 'GiftTimeAdded', data: { accountId, gift: 'g', time_ms: 10 * day_ms, returned: true } },
    ])
    expect(person.premium).toMatchObject({ type: 1, since: at('2027-04-01'), giftUntil: at('2027-04-11') })
    expect(person.premium.ledger.taken).toMatchObject([{ gift: 'h' }])
    expect(person.does(giveBack('g', '2027-04-01'))).toEqual([])
    expect(person.does(giveBack('i', '2027-04-01'))).toEqual([])
  })

  it('takes nothing from a lifetime holder, and its reversal ends no lifetime', () => {
    const person = life()
    person.does(redeem('g', '2027-03-01'))
    person.does(redeem('h', '2027-03-01'))
    person.does(take('g', '2027-03-02'))
    person.does(forever('2027-03-03'))
    expect(person.does(take('h', '2027-03-04'))).toEqual([])
    person.does(giveBack('g', '2027-03-05'))
    const now = at('2029-01-01')
    expect(person.premium).toMatchObject({ type: 2, since: at('2027-03-01') })
    expect([isPaidNow(person.premium, now), isInGrace(person.premium, now)]).toEqual([true, false])
    expect(person.does({ type: 'EndExpiredPremium', now })).toEqual([])
    expect(person.does({ type: 'EndPremiumGrace', now })).toEqual([])
  })
})

describe('premium that ends', () => {
  it('by its holder in the grace says so, and after which end', () => {
    const person = life(linked())
    person.does(pay('2027-03-01', '2027-04-01'))
    expect(person.does({ type: 'EndPremiumGrace', now: at('2027-04-02') })).toMatchObject([
      { type: 'PremiumEnded', data: { accountId, cause: 'grace', graceEndedFor: at('2027-04-01') } },
    ])
    expect(person.does({ type: 'EndPremiumGrace', now: at('2027-04-02') })).toEqual([])
  })

  it('by itself says so, and keeps the ledger: a reversal must find it', () => {
    const person = life()
    person.does(redeem('g', '2027-03-01'))
    const { ledger } = person.premium
    expect(person.does({ type: 'EndExpiredPremium', now: at('2027-03-14') })).toMatchObject([
      { type: 'PremiumEnded', data: { cause: 'expired', graceEndedFor: null, endedAt: at('2027-03-14') } },
      { type: 'PremiumFlagsChanged' },
    ])
    expect(person.premium.ledger).toEqual(ledger)
    expect(person.does({ type: 'EndExpiredPremium', now: at('2027-03-15') })).toEqual([])
  })

  it('by an operator loses its gift time with it, and what is paid counts again with the next computation', () => {
    const person = life(linked())
    person.does(redeem('g', '2027-03-01'))
    person.does(pay('2027-03-02', '2027-04-02'))
    expect(person.does({ type: 'RemovePremium', now: at('2027-03-03') })).toMatchObject([
      { type: 'PremiumEnded', data: { cause: 'removed', endedAt: at('2027-03-03') } },
    ])
    expect(person.premium).toMatchObject({ type: 0, ledger: { gifts: [], paid: [{ from: at('2027-03-02') }] } })
    expect(person.does({ type: 'RemovePremium', now: at('2027-03-03') })).toEqual([])
    person.does(pay('2027-03-04', '2027-04-02'))
    expect(person.premium).toMatchObject({ type: 1, until: at('2027-04-02'), giftUntil: null })
  })
})

describe('what clients see of premium', () => {
  const shown = (person: ReturnType<typeof life>, now: string) => shownPremium(person.account, false, at(now))

  it('is that it will end, as long as it counts', () => {
    const person = life(linked())
    person.does(pay('2027-03-01', '2027-04-01', false))
    expect(shown(person, '2027-03-02')).toMatchObject({ isActive: true, type: 1, willCancel: true })
    expect(shown(person, '2027-05-01')).toMatchObject({ isActive: false, type: 0, willCancel: false, until: null })
    person.does(pay('2027-03-03', '2027-04-01'))
    expect(shown(person, '2027-03-04').willCancel).toBe(false)
  })

  it('is the number of a lifetime only while it is held, though it stays the account’s own', () => {
    const person = life(linked())
    person.does(forever('2027-03-01'))
    expect(person.premium.since).toBe(at('2027-03-01'))
    expect(person.does(forever('2027-03-02'))).toEqual([])
    expect(shown(person, '2027-03-02').lifetimeNumber).toBe(7)
    person.does({ type: 'RemovePremium', now: at('2027-03-03') })
    person.does(pay('2027-03-04', '2027-04-01'))
    expect(person.premium.lifetimeNumber).toBe(7)
    expect(shown(person, '2027-03-05').lifetimeNumber).toBeNull()
    expect(shown(person, '2027-05-05').lifetimeNumber).toBeNull()
  })
})
