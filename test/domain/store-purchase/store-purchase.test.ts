import { describe, expect, it } from 'vitest'
import { storePurchaseId, type AccountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import type { PossibleOwner, StorePurchaseCommand, TakeReading } from '../../../domain/store-purchase/commands.ts'
import type { PurchaseFacts } from '../../../domain/store-purchase/purchase-facts.ts'
import { isEntitled, isOver, shownPurchase, type OwnerRights } from '../../../domain/store-purchase/shown-purchase.ts'
import type { StorePurchase, StorePurchaseState } from '../../../domain/store-purchase/state.ts'
import { storePurchase } from '../../../domain/store-purchase/store-purchase.ts'
import { laws } from '../../support/laws.ts'
import { ada, grace, linus, start } from '../../../domain/testing/people.ts'
import { readFacts, storePurchaseCommands } from '../../../domain/testing/commands/store-purchase-commands.ts'

laws('storePurchase', storePurchaseCommands)

const owner = (accountId: AccountId, given: Partial<PossibleOwner> = {}): PossibleOwner => ({
  accountId,
  isLive: true,
  mayUseSandbox: false,
  ...given,
})
const at = (minutes: number) => secondsAfter(start, minutes * 60)
const ordinary: OwnerRights = { mayUseSandbox: false, hasLifetime: false }
const tester: OwnerRights = { ...ordinary, mayUseSandbox: true }
const supersededBy = (by: string, minute: number): StorePurchaseCommand => ({
  type: 'SupersedePurchase',
  purchase: 'p',
  newId: storePurchaseId(snowflake('600001')),
  storeKey: 'secret',
  by,
  now: at(minute),
})

interface Read {
  readonly minute: number
  readonly provider?: TakeReading['provider']
  readonly facts?: Partial<PurchaseFacts>
  readonly token?: string | null
  readonly order?: string | null
  readonly owners?: Partial<TakeReading['owners']>
}

/** One purchase through commands; a refusal is its code. */
function purchase() {
  let state: StorePurchaseState = storePurchase.initial
  const self = {
    does(command: StorePurchaseCommand): string {
      const decision = storePurchase.decide(state, command)
      if (decision.outcome === 'refused') return decision.refusal.code
      state = fold(storePurchase, decision.events, state)
      return decision.events.map(({ type }) => type.replace('StorePurchase', '')).join(' ')
    },
    read({ minute, provider = 'store_a', facts = {}, token = null, order = 'o1', owners = {} }: Read): string {
      const present = state.status === 'seen' && state.owner !== null ? owner(state.owner) : null
      return self.does({
        type: 'TakeReading',
        purchase: 'p',
        newId: storePurchaseId(snowflake('600001')),
        provider,
        storeKey: 'secret',
        asOf: at(minute),
        facts: { ...readFacts, ...facts },
        hashes: { token, latestOrder: order },
        secrets: { latestTransactionId: order },
        owners: { present, claimer: null, ofToken: null, inherited: null, ...owners },
        now: at(minute),
      })
    },
    get seen(): StorePurchase {
      if (state.status !== 'seen') throw new Error('never seen')
      return state
    },
    get shown() {
      return shownPurchase(self.seen)
    },
  }
  return self
}

describe('a purchase', () => {
  it('follows the newest reading, in whatever order readings arrive', () => {
    const one = purchase()
    expect(one.read({ minute: 5, owners: { claimer: owner(ada) } })).toBe('Seen Read Linked')
    expect(one.read({ minute: 3, facts: { state: 'expired', grants: false } })).toBe('')
    expect(one.read({ minute: 5, facts: { state: 'expired', grants: false } })).toBe('')
    expect(one.shown.state).toBe('active')
    expect(one.read({ minute: 6, facts: { state: 'billing_retry', grants: false } })).toBe('Read')
    expect(isEntitled(one.seen, ordinary)).toBe(false)
    expect(one.does({ type: 'NoteUnknown', asOf: at(7), now: at(7) })).toBe('Read')
    expect([one.shown.state, isOver(one.seen)]).toEqual(['expired', true])
  })

  it('says once that the money went back, and once that this was reversed', () => {
    const one = purchase()
    one.read({ minute: 1, owners: { claimer: owner(ada) } })
    const revoked = { state: 'revoked', grants: false, revokedAt: at(2) } as const
    expect(one.read({ minute: 2, facts: revoked })).toBe('Read Refunded')
    expect(one.read({ minute: 3, facts: revoked })).toBe('Read')
    expect(one.read({ minute: 4 })).toBe('Read Reversed')
  })

  it('stays superseded, whatever is read later', () => {
    const one = purchase()
    one.read({ minute: 1, provider: 'store_b', owners: { claimer: owner(ada) } })
    expect(one.does(supersededBy('p2', 2))).toBe('Superseded')
    one.read({ minute: 3, provider: 'store_b' })
    expect(one.shown).toMatchObject({ state: 'superseded', grants: false })
  })

  it('is revoked by a void of its latest order alone, and a gift for good', () => {
    const voided = (orderHash: string, minute: number) =>
      ({ type: 'VoidPurchase', orderHash, voidedAt: at(minute), now: at(minute) }) as const
    const one = purchase()
    one.read({ minute: 1, provider: 'store_b', owners: { claimer: owner(ada) } })
    expect(one.does(voided('o0', 2))).toBe('')
    expect(one.does(voided('o1', 2))).toBe('Voided Refunded')
    expect(one.shown).toMatchObject({ state: 'revoked', revokedAt: at(2), revocationReason: 'google_play_voided' })
    expect(one.read({ minute: 3, provider: 'store_b', order: 'o2' })).toBe('Read Reversed')
    expect(one.shown.state).toBe('active')
    const gift = purchase()
    const facts = { slot: 'gift_1_month', state: 'purchased' } as const
    gift.read({ minute: 1, provider: 'store_b', facts, owners: { claimer: owner(ada) } })
    expect(gift.does(voided('o9', 2))).toBe('Voided Refunded')
    expect(gift.read({ minute: 3, provider: 'store_b', facts, order: 'o2' })).toBe('Read')
    expect(gift.shown.state).toBe('refunded')
  })

  it('mints one code, for a paid gift of one that has an owner', () => {
    const mint = (gift: string, rights = ordinary) => ({ type: 'MintCode', gift, rights, now: at(9) }) as const
    const facts = { slot: 'gift_1_month', state: 'purchased' } as const
    const gift = purchase()
    gift.read({ minute: 1, facts: { ...facts, state: 'pending', grants: false }, owners: { claimer: owner(ada) } })
    expect(gift.does(mint('g'))).toBe('')
    gift.read({ minute: 2, facts })
    expect([gift.does(mint('g')), gift.does(mint('h')), gift.seen.gift]).toEqual(['CodeMinted', '', 'g'])
    expect(gift.shown.state).toBe('fulfilled')
    const nobodys = purchase()
    nobodys.read({ minute: 1, facts })
    expect(nobodys.does(mint('g'))).toBe('')
    const two = purchase()
    two.read({ minute: 1, facts: { ...facts, quantity: 2 }, owners: { claimer: owner(ada) } })
    expect(two.does(mint('g'))).toBe('')
    expect(two.shown).toMatchObject({ revocationReason: 'unsupported_quantity', grants: false })
    const test = purchase()
    test.read({ minute: 1, facts: { ...facts, environment: 'sandbox' }, owners: { claimer: owner(ada) } })
    expect([test.does(mint('g')), test.shown.state]).toEqual(['', 'purchased'])
    expect([test.does(mint('g', tester)), test.shown.state]).toEqual(['CodeMinted', 'fulfilled'])
  })

  it('gives a lifetime holder nothing of a subscription, and the code of a gift', () => {
    const lifetime = { ...ordinary, hasLifetime: true }
    const one = purchase()
    one.read({ minute: 1, owners: { claimer: owner(ada) } })
    expect([isEntitled(one.seen, ordinary), isEntitled(one.seen, lifetime)]).toEqual([true, false])
    const gift = purchase()
    gift.read({ minute: 1, facts: { slot: 'gift_1_year', state: 'purchased' }, owners: { claimer: owner(ada) } })
    expect(isEntitled(gift.seen, lifetime)).toBe(true)
  })

  it('gives nothing where it is first claimed after the one that replaced it', () => {
    const one = purchase()
    expect(one.does(supersededBy('p2', 1))).toBe('Seen Superseded')
    expect(one.does(supersededBy('p2', 2))).toBe('')
    expect(one.read({ minute: 3, provider: 'store_b', owners: { claimer: owner(ada) } })).toBe('Read Linked')
    expect(one.shown).toMatchObject({ state: 'superseded', grants: false })
    expect(isEntitled(one.seen, ordinary)).toBe(false)
  })
})

describe('the owner of a purchase', () => {
  const claimedBy = (accountId: AccountId, given: Partial<PossibleOwner> = {}) => ({ claimer: owner(accountId, given) })

  it('is one live account: another claim is refused and writes nothing', () => {
    const one = purchase()
    one.read({ minute: 1, owners: claimedBy(ada) })
    expect(one.read({ minute: 2, owners: claimedBy(grace) })).toBe('STORE_PURCHASE_OWNED_BY_OTHER_ACCOUNT')
    expect(one.seen).toMatchObject({ owner: ada, reading: { asOf: at(1) } })
    const gone = { ...claimedBy(grace), present: owner(ada, { isLive: false }) }
    expect(one.read({ minute: 3, owners: gone })).toBe('Read Linked')
    expect(one.seen).toMatchObject({ owner: grace, leaving: [ada] })
    expect(one.read({ minute: 4, owners: { present: owner(linus) } })).toBe('CONFLICT')
  })

  it('is the account of its token, against any other claim', () => {
    const one = purchase()
    const tokened = { minute: 1, token: 't', owners: { ofToken: ada } } as const
    expect(one.read({ ...tokened, owners: { ofToken: ada, ...claimedBy(grace) } })).toBe(
      'STORE_PURCHASE_OWNED_BY_OTHER_ACCOUNT',
    )
    expect(one.read(tokened)).toBe('Seen Read Linked')
    expect(one.seen.owner).toBe(ada)
  })

  it('is nobody for a purchase shared in a family, until somebody claims it', () => {
    const facts = { ownershipType: 'FAMILY_SHARED' }
    const one = purchase()
    expect(one.read({ minute: 1, facts, token: 't', owners: { ofToken: ada } })).toBe('Seen Read')
    one.read({ minute: 2, facts, owners: claimedBy(grace) })
    expect(one.seen.owner).toBe(grace)
  })

  it('follows a new token of store A while the purchase grants nothing', () => {
    const one = purchase()
    one.read({ minute: 1, token: 't', owners: { ofToken: ada } })
    const moved = { token: 'u', owners: { ofToken: grace } }
    expect(one.read({ minute: 2, ...moved })).toBe('Read')
    expect(one.seen.owner).toBe(ada)
    const other = purchase()
    other.read({ minute: 1, token: 't', owners: { ofToken: ada } })
    other.read({ minute: 2, ...moved, facts: { state: 'expired', grants: false } })
    expect(other.seen.owner).toBe(grace)
  })

  it('stays the new one after a release, although the purchase carries the old token', () => {
    const release = (accountId: AccountId) => ({ type: 'ReleasePurchase', accountId, now: at(2) }) as const
    const one = purchase()
    one.read({ minute: 1, token: 't', owners: { ofToken: ada } })
    expect(one.does(release(grace))).toBe('UNKNOWN_STORE_PURCHASE')
    expect(one.does(release(ada))).toBe('Released')
    expect(one.read({ minute: 3, token: 't', owners: { ofToken: ada } })).toBe('Read')
    expect(one.seen.owner).toBeNull()
    one.read({ minute: 4, token: 't', owners: { ofToken: ada, ...claimedBy(grace) } })
    one.read({ minute: 5, token: 't', owners: { ofToken: ada } })
    one.read({ minute: 6, token: 'u', owners: { ofToken: grace } })
    one.read({ minute: 7, token: 't', facts: { state: 'expired', grants: false }, owners: { ofToken: ada } })
    expect(one.seen.owner).toBe(grace)
    const gift = purchase()
    gift.read({ minute: 1, facts: { slot: 'gift_1_year', state: 'purchased' }, owners: claimedBy(ada) })
    expect(gift.does(release(ada))).toBe('STORE_PURCHASE_INVALID')
  })

  it('is taken from an account that may not use a sandbox purchase by one that may', () => {
    const facts = { environment: 'sandbox' } as const
    const one = purchase()
    one.read({ minute: 1, facts, owners: claimedBy(ada) })
    expect([isEntitled(one.seen, ordinary), isEntitled(one.seen, tester)]).toEqual([false, true])
    one.read({ minute: 2, facts, owners: claimedBy(grace, { mayUseSandbox: true }) })
    expect(one.seen.owner).toBe(grace)
  })

  it('is inherited in store B from what it replaces, unless it was released', () => {
    const one = purchase()
    expect(one.read({ minute: 1, provider: 'store_b', owners: { inherited: ada, ...claimedBy(grace) } })).toBe(
      'STORE_PURCHASE_OWNED_BY_OTHER_ACCOUNT',
    )
    one.read({ minute: 1, provider: 'store_b', owners: { inherited: ada } })
    expect(one.seen.owner).toBe(ada)
    one.does({ type: 'ReleasePurchase', accountId: ada, now: at(2) })
    one.read({ minute: 3, provider: 'store_b', owners: { inherited: ada } })
    expect(one.seen.owner).toBeNull()
  })
})
