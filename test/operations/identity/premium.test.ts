import { randomInt } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { recomputePremium } from '../../../application/identity/premium/recompute-premium.ts'
import { setPremium } from '../../../application/identity/premium/set-premium.ts'
import { sweepPremium } from '../../../application/identity/premium/sweep-premium.ts'
import { settlePurchase } from '../../../application/identity/purchases/settle-purchase.ts'
import { finishUnfinished } from '../../../application/processes/finish-unfinished.ts'
import { accountId, storePurchaseId, type AccountId } from '../../../domain/ids/ids.ts'
import { composeSnowflake, snowflake } from '../../../domain/ids/snowflake.ts'
import { secondsAfter, timestamp, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { PurchaseFacts } from '../../../domain/store-purchase/purchase-facts.ts'
import { readFacts } from '../../../domain/testing/commands/store-purchase-commands.ts'
import { everyEvent } from '../../support/causes.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectRefusal, listOf } from '../support/answers.ts'
import { connections } from '../support/connected.ts'
import { deletionIsDue, erase } from '../support/erasure.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer('hosted')
const { connect, end } = connections()
afterAll(end)

const idOf = ({ id }: TestAccount) => accountId(snowflake(id))
const day_s = 24 * 3600
const inDays = (days: number): Timestamp => secondsAfter(timestamp(Date.now()), days * day_s)
const state = ({ token }: TestAccount, query = '') => guildhall.request('GET', `/v1/premium/state${query}`, { token })
const self = async ({ token }: TestAccount) => bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))

let purchases = 0
let clock_ms = Date.now()

/** What the store says of a purchase, taken and settled, as a claim or a notification does. */
async function reads(purchase: string, claimer: TestAccount | null, facts: Partial<PurchaseFacts>): Promise<void> {
  const context = testContext()
  const { storePurchase } = guildhall.ports.aggregates
  const { state: known } = await storePurchase.load(purchase)
  const owner = known.status === 'seen' ? known.owner : null
  const possible = (accountId: AccountId) => ({ accountId, isLive: true, mayUseSandbox: false })
  clock_ms += 1
  await storePurchase.execute(
    purchase,
    {
      type: 'TakeReading',
      purchase,
      newId: storePurchaseId(composeSnowflake(Date.now(), randomInt(2 ** 22))),
      provider: 'store_b',
      storeKey: `canary token of ${purchase}`,
      asOf: timestamp(clock_ms),
      facts: { ...readFacts, ...facts },
      hashes: { token: null, latestOrder: 'o' },
      secrets: { latestTransactionId: `canary order of ${purchase}` },
      owners: {
        present: owner && possible(owner),
        claimer: claimer && possible(idOf(claimer)),
        ofToken: null,
        inherited: null,
      },
      now: context.now,
    },
    context,
  )
  await settlePurchase(guildhall.ports, purchase, context)
  await guildhall.readModels.reached(context.written)
}

const newPurchase = () => `${process.pid.toString(16)}${(purchases += 1).toString(16)}`.padEnd(64, '0')

describe('Get premium state', () => {
  it('is empty without premium', async () => {
    const ada = await guildhall.register()
    expect(bodyOf(await state(ada, '?country_code=DE'))).toMatchObject({
      actual: { premium_type: 0, has_active_paid_premium: false, is_visionary: false },
      effective: { is_premium: false, self_hosted: false, bot: false },
      billing: { subscription: null, invoices: [], refund_eligibility: { eligible: false } },
      pricing: { country_code: 'DE', localized: null },
      store: null,
      subscription_provider: null,
    })
    expectRefusal(await state(ada, '?country_code=DEU'), 400, 'INVALID_FORM_BODY')
    expectRefusal(await guildhall.request('GET', '/v1/premium/state'), 401, 'UNAUTHORIZED')
  })

  it('has the subscription that grants premium, and every session hears of it once', async () => {
    const ada = await guildhall.register()
    const { client } = await connect(guildhall, ada)
    const [until, purchase] = [inDays(30), newPurchase()]
    await reads(purchase, ada, { expiresAt: until, startedAt: inDays(-1), slot: 'yearly', appId: 'org.app' })
    expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({ premium_type: 1, premium_until: until })
    expect(bodyOf(await state(ada))).toMatchObject({
      actual: { premium_type: 1, premium_until: until, has_active_paid_premium: true, has_ever_purchased: true },
      effective: { is_premium: true },
      store: {
        provider: 'store_b',
        slot: 'yearly',
        state: 'active',
        will_renew: true,
        manage_url: 'https://play.google.com/store/account/subscriptions?sku=monthly&package=org.app',
      },
      subscription_provider: 'store_b',
    })
    await reads(purchase, null, { expiresAt: until, startedAt: inDays(-1), state: 'revoked', grants: false })
    expect(await self(ada)).toMatchObject({ premium_type: 0, traits: [] })
    expect(bodyOf(await state(ada))).toMatchObject({ store: null, actual: { premium_type: 1 } })
  })

  it('shows no purchase of somebody else, and nothing of the secrets of one', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const purchase = newPurchase()
    await reads(purchase, ada, { expiresAt: inDays(30) })
    expect(bodyOf(await state(brian))).toMatchObject({ store: null })
    expect(JSON.stringify(bodyOf(await state(ada)))).not.toContain('canary')
  })
})

describe('a purchase', () => {
  it('moves its premium when it moves, and is settled by others if the process dies', async () => {
    const ada = await guildhall.register()
    const purchase = newPurchase()
    await reads(purchase, ada, { expiresAt: inDays(30) })
    const context = testContext()
    const release = { type: 'ReleasePurchase', accountId: idOf(ada), now: context.now } as const
    await guildhall.ports.aggregates.storePurchase.execute(purchase, release, context)
    await guildhall.readModels.reached(context.written)
    expect(await self(ada)).toMatchObject({ premium_type: 1 })
    const later = secondsAfter(timestamp(Date.now()), 1)
    await finishUnfinished(guildhall.ports)(later, later)
    // It was cut at that instant, a second ahead of the clock.
    await expect.poll(() => self(ada)).toMatchObject({ premium_type: 0 })
    const { state: account } = await guildhall.ports.aggregates.account.load(idOf(ada))
    expect(account).toMatchObject({ premium: { purchases: [] } })
  })

  it('of a gift mints one code, which a refund takes back', async () => {
    const ada = await guildhall.register()
    const purchase = newPurchase()
    const facts = { slot: 'gift_1_month', state: 'purchased', expiresAt: null } as const
    await reads(purchase, ada, facts)
    await reads(purchase, ada, facts)
    const codes = listOf(await guildhall.request('GET', '/v1/users/@me/gifts', { token: ada.token }))
    expect(codes).toMatchObject([{ duration_type: 'months', duration_quantity: 1 }])
    expect(await self(ada)).toMatchObject({ unread_gift_inventory_count: 1, has_ever_purchased: true })
    const body = { has_unread_gift_inventory: false }
    bodyOf(await guildhall.request('PATCH', '/v1/users/@me', { token: ada.token, body }))
    expect(await self(ada)).toMatchObject({ has_unread_gift_inventory: false })
    const code = String((codes as readonly Record<string, unknown>[])[0]?.['code'])
    expect((await guildhall.request('POST', `/v1/gifts/${code}/redeem`, { token: ada.token })).status).toBe(204)
    await reads(purchase, null, { ...facts, state: 'refunded', grants: false })
    expect(await self(ada)).toMatchObject({ premium_type: 0 })
    await reads(purchase, null, facts)
    expect(await self(ada)).toMatchObject({ premium_type: 1 })
  })

  it('is unreadable in its secrets once it is over and its owner is erased', async () => {
    const ada = await guildhall.register()
    const [over, running] = [newPurchase(), newPurchase()]
    await reads(over, ada, { expiresAt: inDays(-9), state: 'expired', grants: false })
    await reads(running, ada, { expiresAt: inDays(30) })
    await deletionIsDue(guildhall, ada)
    await erase(guildhall, ada)
    const stored = async (purchase: string): Promise<string> => {
      const data: unknown[] = []
      for await (const page of guildhall.store.events.readStream(`store_purchase-${purchase}`, -1))
        for (const event of page) data.push(event.data)
      return JSON.stringify(data)
    }
    await expect.poll(() => stored(over)).not.toContain('canary')
    expect(await stored(running)).toContain('canary')
  })
})

describe('Disable premium perks', () => {
  it('hides premium from its holder, and shows it again', async () => {
    const ada = await guildhall.register()
    await reads(newPurchase(), ada, { expiresAt: inDays(30) })
    const set = (body: unknown) => guildhall.request('PATCH', '/v1/premium/perks-disabled', { token: ada.token, body })
    expect(bodyOf(await set({ disabled: true }))).toMatchObject({
      actual: { premium_type: 1, has_active_paid_premium: true },
      effective: { is_premium: false, premium_type: 0, premium_perks_disabled: true },
    })
    expect(await self(ada)).toMatchObject({ premium_type: 0, premium_perks_disabled: true })
    expect(bodyOf(await set({ disabled: false }))).toMatchObject({ effective: { is_premium: true } })
    expectRefusal(await set({}), 400, 'INVALID_FORM_BODY')
  })
})

describe('End premium grace', () => {
  it('clears premium whose grace runs, and nothing else', async () => {
    const ada = await guildhall.register()
    const purchase = newPurchase()
    const endGrace = () => guildhall.request('POST', '/v1/premium/grace/end', { token: ada.token })
    await reads(purchase, ada, { expiresAt: inDays(30) })
    expect(bodyOf(await endGrace())).toEqual({ success: true })
    expect(await self(ada)).toMatchObject({ premium_type: 1 })
    const grace = { state: 'grace', expiresAt: inDays(-1), graceEndsAt: inDays(5) } as const
    await reads(purchase, null, grace)
    expect(await self(ada)).toMatchObject({ premium_type: 1, premium_grace_ends_at: grace.graceEndsAt })
    bodyOf(await endGrace())
    expect(await self(ada)).toMatchObject({ premium_type: 0, premium_grace_ends_at: null })
    const context = testContext()
    await recomputePremium(guildhall.ports, idOf(ada), context)
    expect(await self(ada)).toMatchObject({ premium_type: 0 })
  })
})

describe('the sweep', () => {
  it('tells of premium that is over, but waits for a reading of a subscription that may be renewed', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const [over, stale] = [newPurchase(), newPurchase()]
    await reads(over, ada, { expiresAt: inDays(-1), state: 'expired', grants: true })
    await reads(stale, brian, { expiresAt: inDays(-1), state: 'active' })
    expect(await self(ada)).toMatchObject({ premium_type: 1 })
    const { client } = await connect(guildhall, ada)
    const asked: string[] = []
    const sweep = (now: Timestamp) =>
      sweepPremium(guildhall.ports, async ({ purchase }) => void asked.push(purchase))(now)
    await sweep(inDays(2.5))
    expect(asked).toEqual([stale])
    expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({ premium_type: 0, premium_since: null })
    await sweep(inDays(3.5))
    const events = await everyEvent(guildhall.store.events)
    const [paid, ended] = ['PremiumPaid', 'PremiumEnded'].map((wanted) =>
      events.findLast(({ type, stream }) => type === wanted && stream === `account-${ada.id}`),
    )
    expect(ended?.metadata).toMatchObject({
      actor: { kind: 'system', name: 'premium sweep' },
      causationId: paid?.metadata.eventId,
      correlationId: paid?.metadata.correlationId,
    })
    const { state: later } = await guildhall.ports.aggregates.account.load(idOf(brian))
    expect(later).toMatchObject({ premium: { type: 0 } })
  })
})

describe('a lifetime', () => {
  it('has a number of its own, given once', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => guildhall.register()))
    const set = (person: TestAccount, wish: 'lifetime' | 'none') =>
      setPremium(guildhall.ports)(idOf(person), wish, testContext())
    const numbers = []
    for (const person of people) numbers.push(await set(person, 'lifetime'))
    expect(new Set(numbers).size).toBe(4)
    const [ada] = people
    if (ada === undefined) throw new Error('nobody')
    expect(await set(ada, 'none')).toBeNull()
    expect(await set(ada, 'lifetime')).toBe(numbers[0])
    await expect.poll(() => self(ada)).toMatchObject({ premium_type: 2, premium_lifetime_sequence: numbers[0] })
  })
})
