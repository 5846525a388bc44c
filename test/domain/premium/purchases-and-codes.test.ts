import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import { badgeOptionsOf, premiumFlags, withBadgeOptions } from '../../../domain/premium/premium-flags.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { registered } from '../account/account-story.ts'
import { at, life, linked, purchaseId, registeredAccount } from './premium-story.ts'

const now = at('2027-03-01')
const { id: accountId } = registeredAccount()
const gift = (purchase: string) => ({ type: 'LinkPurchase', purchase, purchaseId, kind: 'gift', now }) as const

describe('a purchase of an account', () => {
  it('is linked, not noted yet, and unlinked alone', () => {
    const person = life(linked('p1'), linked('p2'))
    person.does({ type: 'UnlinkPurchase', purchase: 'p1', now })
    expect(person.premium.purchases).toEqual([
      { purchase: 'p2', purchaseId, kind: 'subscription', linkedAt: at('2027-01-01'), giftNoted: false },
    ])
  })

  it('is unlinked once; one that the account never had changes nothing', () => {
    const command = { type: 'UnlinkPurchase', purchase: 'p1', now } as const
    const unlinked = { type: 'PurchaseUnlinked', data: { accountId, purchase: 'p1', unlinkedAt: now } } as const
    given(account, [registered, linked('p2'), linked('p1')])
      .when(command)
      .then(unlinked)
    given(account, [registered, linked('p1'), unlinked])
      .when(command)
      .changesNothing()
    given(account, [registered, linked('p2')])
      .when(command)
      .changesNothing()
  })

  it('is noted where the store revoked it for the end of the account, and premium waits for the next reading', () => {
    const purchases = ['p1']
    const person = life(linked('p1'))
    const before = person.premium
    expect(person.does({ type: 'NoteSubscriptionsRevoked', purchases, now })).toEqual([
      { type: 'SubscriptionsRevoked', data: { accountId, purchases, revokedAt: now } },
    ])
    expect(person.premium).toEqual(before)
  })
})

describe('the token that purchases carry in the stores', () => {
  it('is made once and never changes', () => {
    const data = { accountId, token: 't1', tokenHash: 'h1', madeAt: now }
    const person = life()
    expect(person.does({ type: 'MakeStoreToken', token: 't1', tokenHash: 'h1', now })).toEqual([
      { type: 'StoreTokenMade', data },
    ])
    expect(person.does({ type: 'MakeStoreToken', token: 't2', tokenHash: 'h2', now })).toEqual([])
    expect(person.premium.storeToken).toEqual({ token: 't1', tokenHash: 'h1' })
  })
})

describe('the code of a gift that was bought', () => {
  it('counts as obtained once, as a payment, and leaves all else as it is', () => {
    const person = life()
    person.does(gift('p1'))
    person.does(gift('p2'))
    const before = person.premium
    const counted = { hasEverPurchased: true, gifts: { obtained_count: 1, seen_count: 0 } }
    const [event, ...others] = person.does({ type: 'NoteGiftCode', purchase: 'p2' })
    expect(event).toMatchObject({ type: 'GiftCodeObtained', data: { accountId, purchase: 'p2', premium: counted } })
    expect(others).toEqual([])
    const [first, second] = before.purchases
    expect(person.premium).toEqual({ ...before, ...counted, purchases: [first, { ...second, giftNoted: true }] })
    expect(person.does({ type: 'NoteGiftCode', purchase: 'p2' })).toEqual([])
    expect(person.does({ type: 'NoteGiftCode', purchase: 'p3' })).toEqual([])
  })

  it('is seen with all others at once, and again only after another one', () => {
    const person = life()
    expect(person.does({ type: 'SeeGiftCodes' })).toEqual([])
    for (const purchase of ['p1', 'p2']) {
      person.does(gift(purchase))
      person.does({ type: 'NoteGiftCode', purchase })
    }
    const before = person.premium
    expect(person.does({ type: 'SeeGiftCodes' })).toMatchObject([{ type: 'GiftCodesSeen', data: { accountId } }])
    expect(person.premium).toEqual({ ...before, gifts: { obtained_count: 2, seen_count: 2 } })
    expect(person.does({ type: 'SeeGiftCodes' })).toEqual([])
  })
})

describe('the options of a badge', () => {
  it.each([
    ['premiumBadgeHidden', premiumFlags.BADGE_HIDDEN],
    ['premiumBadgeMasked', premiumFlags.BADGE_MASKED],
    ['premiumBadgeTimestampHidden', premiumFlags.BADGE_TIMESTAMP_HIDDEN],
    ['premiumBadgeSequenceHidden', premiumFlags.BADGE_SEQUENCE_HIDDEN],
  ] as const)('have a bit of the premium flags each: %s', (option, bit) => {
    const none = badgeOptionsOf(0)
    expect(badgeOptionsOf(bit)).toEqual({ ...none, [option]: true })
    expect(withBadgeOptions(premiumFlags.PERKS_DISABLED, { ...none, [option]: true })).toBe(
      premiumFlags.PERKS_DISABLED | bit,
    )
  })
})
