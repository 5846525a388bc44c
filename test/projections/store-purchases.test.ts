import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { accountId, storePurchaseId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { secondsAfter, timestamp } from '../../domain/kernel/timestamp.ts'
import type { StorePurchaseCommand, TakeReading } from '../../domain/store-purchase/commands.ts'
import { kindOf, type PurchaseFacts } from '../../domain/store-purchase/purchase-facts.ts'
import { shownPurchase } from '../../domain/store-purchase/shown-purchase.ts'
import { readFacts } from '../../domain/testing/commands/store-purchase-commands.ts'
import { sharedGuildhall } from '../support/shared-guildhall.ts'
import { testContext } from '../support/test-context.ts'

const { ports } = await sharedGuildhall()
const now = timestamp(Date.UTC(2026, 0, 1))
const [minute, hour, day] = [60, 3600, 86_400]
const endOfTime = timestamp(Date.UTC(9999, 0, 1))
const holder = { accountId: accountId(snowflake('1')), isLive: true, mayUseSandbox: true }
const rights = { mayUseSandbox: true, hasLifetime: false }
const minted: StorePurchaseCommand = { type: 'MintCode', gift: 'gift', rights, now }
const superseded: StorePurchaseCommand = {
  type: 'SupersedePurchase',
  purchase: 'replaced',
  newId: storePurchaseId(snowflake('600001')),
  storeKey: 'secret',
  by: 'another',
  now,
}
const told: StorePurchaseCommand = { type: 'FulfilPurchase', now }

let drawn = 0

interface Told extends Partial<PurchaseFacts> {
  readonly provider?: TakeReading['provider']
  readonly ends_s?: number
  readonly hasOwner?: boolean
}

/** Makes a purchase that was read now, and has more commands follow. Gives the id of its stream. */
async function played(
  { provider = 'store_a', ends_s = 3 * day, hasOwner = true, ...facts }: Told,
  more: readonly StorePurchaseCommand[] = [],
): Promise<string> {
  drawn += 1
  const purchase = randomUUID()
  const reading: TakeReading = {
    type: 'TakeReading',
    purchase,
    newId: storePurchaseId(snowflake(String(700_000 + drawn))),
    provider,
    storeKey: 'secret',
    asOf: now,
    facts: { ...readFacts, expiresAt: secondsAfter(now, ends_s), ...facts },
    hashes: { token: null, latestOrder: 'order' },
    secrets: { latestTransactionId: 'order' },
    owners: { present: null, claimer: hasOwner ? holder : null, ofToken: null, inherited: null },
    now,
  }
  for (const command of [reading, ...more]) {
    const context = testContext()
    await ports.aggregates.storePurchase.execute(purchase, command, context)
    await ports.readModels.reached(context.written)
  }
  return purchase
}

/** In how many seconds such a purchase is due; `never` if it is over. */
async function dueAfter(told: Told, more: readonly StorePurchaseCommand[] = []): Promise<number | 'never'> {
  const purchase = await played(told, more)
  const due = await ports.queries.storePurchases.due(endOfTime, 10_000)
  const found = due.find((each) => each.purchase === purchase)
  return found ? (Date.parse(found.dueAt) - Date.parse(now)) / 1000 : 'never'
}

const gift = { slot: 'gift_1_month', expiresAt: null, state: 'purchased' } as const
const ofB = { provider: 'store_b', acknowledged: false } as const

describe('a purchase is due to be read again', () => {
  it.each<[string, Told, readonly StorePurchaseCommand[], number | 'never']>([
    ['ten minutes after its end', {}, [], 3 * day + 10 * minute],
    ['in a week at the latest', { ends_s: 30 * day }, [], 7 * day],
    ['an hour after a reading that came after its end', { ends_s: -minute }, [], hour],
    ['every six hours in grace', { state: 'grace' }, [], 6 * hour],
    ['every six hours while it is not paid', { ...gift, state: 'pending' }, [], 6 * hour],
    ['in an hour while store B was not told', ofB, [], hour],
    ['in a minute while the sandbox of store B was not told', { ...ofB, environment: 'sandbox' }, [], minute],
    ['as any other once store B was told', ofB, [told], 3 * day + 10 * minute],
    ['as any other while nobody has it', { ...ofB, hasOwner: false }, [], 3 * day + 10 * minute],
    ['in an hour while a gift of store B is not consumed', { ...gift, ...ofB }, [minted], hour],
    ['never again once a gift of store B is consumed', { ...gift, ...ofB }, [minted, told], 'never'],
    ['never again once a gift of store A has its code', gift, [minted], 'never'],
    ['never again once it is expired', { state: 'expired', grants: false }, [], 'never'],
    ['never again once it is superseded', {}, [superseded], 'never'],
    [
      'never again once its latest order is voided',
      {},
      [{ type: 'VoidPurchase', orderHash: 'order', voidedAt: now, now }],
      'never',
    ],
    ['never again once it was sent back', {}, [{ type: 'NoteSentBack', reason: 'lifetime_refund', now }], 'never'],
  ])('%s', async (_, facts, more, due) => {
    expect(await dueAfter(facts, more)).toBe(due)
  })

  it('longest due first, and page by page', async () => {
    await dueAfter({})
    await dueAfter({ state: 'grace' })
    const all = await ports.queries.storePurchases.due(endOfTime, 10_000)
    expect(all.map(({ dueAt }) => dueAt)).toEqual(all.map(({ dueAt }) => dueAt).toSorted())
    const [first, second] = all
    expect(await ports.queries.storePurchases.due(endOfTime, 1, first)).toEqual([second])
    const before = await ports.queries.storePurchases.due(second?.dueAt ?? now, 10_000)
    expect(before).toEqual(all.filter(({ dueAt }) => dueAt <= (second?.dueAt ?? now)))
  })
})

const voided: StorePurchaseCommand = { type: 'VoidPurchase', orderHash: 'order', voidedAt: now, now }
const anotherVoided: StorePurchaseCommand = { ...voided, orderHash: 'another order' }
const sentBack: StorePurchaseCommand = { type: 'NoteSentBack', reason: 'lifetime_refund', now }
const wanted = { accountId: null, provider: null, state: null, since: null, until: null, after: null, limit: 200 }

describe('a purchase is listed in the state that it is shown in', () => {
  it.each<[string, Told, readonly StorePurchaseCommand[]]>([
    ['a subscription', {}, []],
    ['one in grace', { state: 'grace' }, []],
    ['one that the store revoked', { state: 'revoked', revokedAt: now, grants: false }, []],
    ['one that is superseded', {}, [superseded]],
    ['one whose latest order is voided', {}, [voided]],
    ['one of which an earlier order is voided', {}, [anotherVoided]],
    ['one that was sent back', {}, [sentBack]],
    ['a voided one that is superseded', {}, [voided, superseded]],
    ['a gift', gift, []],
    ['a gift with its code', gift, [minted]],
    ['a gift of several', { ...gift, quantity: 2 }, [minted]],
    ['a gift of which any order is voided', gift, [minted, anotherVoided]],
    ['a gift that was sent back', gift, [minted, sentBack]],
    ['a gift that is not paid', { ...gift, state: 'pending' }, []],
    ['one that nobody has', { hasOwner: false }, []],
  ])('%s', async (_, facts, more) => {
    const { state } = await ports.aggregates.storePurchase.load(await played(facts, more))
    if (state.status !== 'seen' || !state.reading) throw new Error('It was not read')
    const shown = shownPurchase(state)
    const found = await ports.queries.storePurchases.page({ ...wanted, state: shown.state })
    expect(found.find(({ id }) => id === state.purchaseId)).toEqual({
      id: state.purchaseId,
      accountId: state.owner,
      provider: state.provider,
      kind: kindOf(state.reading.facts.slot),
      productId: state.reading.facts.productId,
      environment: state.reading.facts.environment,
      state: shown.state,
      startedAt: state.reading.facts.startedAt,
      purchasedAt: state.reading.facts.purchasedAt,
      expiresAt: state.reading.facts.expiresAt,
      revokedAt: shown.revokedAt,
      seenAt: state.seenAt,
    })
  })
})
