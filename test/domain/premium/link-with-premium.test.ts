import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import { accountFlags } from '../../../domain/account/flags.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { registered } from '../account/account-story.ts'
import { at, life, linked, purchaseId, registeredAccount, subscription } from './premium-story.ts'

const now = at('2027-03-01')
const paying = [subscription({ expiresAt: at('2027-04-01'), startedAt: now })]
const link = { purchase: 'p1', purchaseId, kind: 'subscription' } as const
const linkAndApply = { type: 'ApplyPurchases', link, purchases: paying, now } as const

describe('a subscription that is linked while premium is computed', () => {
  it('gives what linking it first and computing afterwards gives', () => {
    const [one, other] = [life(), life()]
    one.does(linkAndApply)
    other.does({ type: 'LinkPurchase', ...link, now })
    other.does({ type: 'ApplyPurchases', purchases: paying, now })
    expect(one.events).toEqual(other.events)
    expect(one.events.map(({ type }) => type)).toEqual(['PurchaseLinked', 'PremiumPaid'])
  })

  it('is linked once, and changes nothing the second time', () => {
    const person = life()
    person.does(linkAndApply)
    expect(person.does(linkAndApply)).toEqual([])
  })

  it('is linked where it pays nothing: to a lifetime holder', () => {
    const person = life()
    person.does({ type: 'SetLifetimePremium', lifetimeNumber: 1, now })
    expect(person.does(linkAndApply).map(({ type }) => type)).toEqual(['PurchaseLinked'])
  })

  it('is refused for an account that is to be deleted, unless that names it already', () => {
    const { id: accountId } = registeredAccount()
    const flags = accountFlags.DELETED.toString()
    const deleted: AccountEvent = { type: 'FlagsChanged', data: { accountId, flags } }
    given(account, [registered, deleted]).when(linkAndApply).refuses('UNKNOWN_USER')
    given(account, [registered, linked(), deleted]).when(linkAndApply).changesNothing()
  })
})
