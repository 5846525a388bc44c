import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreBKey, Stores } from '../../../application/ports/stores.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { readingOf } from '../../contract/stores-contract.ts'
import { startStoreB, type NewStoreBSale, type StoreBDouble } from '../../support/store-b/double.ts'
import { packageName, type StoreBSale } from '../../support/store-b/sales.ts'
import { storesOver } from '../../support/stores/stores-over.ts'

const day_ms = 86_400_000
const subscription = { productId: 'premium' }
const gift = { productId: 'gift_month' }

let double: StoreBDouble
let stores: Stores
beforeAll(async () => {
  double = await startStoreB()
  stores = storesOver({ storeB: double })
})
afterAll(() => double.close())

const keyOf = ({ token, basePlanId }: StoreBSale): StoreBKey => ({
  provider: 'store_b',
  packageName,
  kind: basePlanId === undefined ? 'gift' : 'subscription',
  purchaseToken: token,
})
const read = (sale: StoreBSale, changes: Partial<StoreBKey> = {}) => stores.read({ ...keyOf(sale), ...changes })
const factsOf = async (given: NewStoreBSale) => readingOf(await read(double.sell(given))).facts
const written = (ms: number) => new Date(ms).toISOString()
const past = () => double.clock.now() - 1000
const future = () => double.clock.now() + day_ms

describe('the state of a subscription', () => {
  it.each<[string, 'past' | 'future' | 'no', string, boolean]>([
    ['ACTIVE', 'future', 'active', true],
    ['ACTIVE', 'past', 'active', true],
    ['ACTIVE', 'no', 'active', false],
    ['IN_GRACE_PERIOD', 'future', 'grace', true],
    ['IN_GRACE_PERIOD', 'past', 'grace', false],
    ['CANCELED', 'future', 'canceled', true],
    ['CANCELED', 'past', 'expired', false],
    ['ON_HOLD', 'future', 'on_hold', false],
    ['PAUSED', 'future', 'paused', false],
    ['EXPIRED', 'past', 'expired', false],
    ['PENDING_PURCHASE_CANCELED', 'no', 'expired', false],
    ['PENDING', 'no', 'pending', false],
    ['UNSPECIFIED', 'no', 'pending', false],
    ['OF_A_LATER_VERSION', 'future', 'pending', false],
  ])('%s with an end in the %s is %s, and grants: %s', async (name, end, state, grants) => {
    const expiryTime = end === 'no' ? undefined : written(end === 'past' ? past() : future())
    const subscriptionState = `SUBSCRIPTION_STATE_${name}`
    const facts = await factsOf({ ...subscription, answer: { subscriptionState }, line: { expiryTime } })
    expect(facts).toMatchObject({ state, grants, storeState: subscriptionState })
    expect(facts.graceEndsAt).toBe(state === 'grace' ? facts.expiresAt : null)
  })
  it('ends by the clock', async () => {
    const sale = double.sell({ ...subscription, canceled: true, expires_ms: future() })
    expect(readingOf(await read(sale)).facts.state).toBe('canceled')
    double.clock.pass(day_ms)
    expect(readingOf(await read(sale)).facts).toMatchObject({ state: 'expired', grants: false })
  })
  it('is that of the configured line item that ends last', async () => {
    const line = (basePlanId: string, ms: number, latestSuccessfulOrderId: string) => ({
      productId: 'premium',
      expiryTime: written(double.clock.now() + ms),
      latestSuccessfulOrderId,
      offerDetails: { basePlanId },
    })
    const lineItems = [line('monthly-plan', 1, 'first'), line('yearly-plan', 2, 'second'), line('other', 3, 'third')]
    const { facts, secrets } = readingOf(await read(double.sell({ ...subscription, answer: { lineItems } })))
    expect(facts).toMatchObject({ slot: 'yearly', basePlanId: 'yearly-plan', productId: 'premium', autoRenew: false })
    expect(secrets.latestTransactionId).toBe('second')
  })
  it('has every fact and every secret that the store tells', async () => {
    const expires_ms = future()
    const sale = double.sell({
      ...subscription,
      expires_ms,
      acknowledged: true,
      answer: {
        testPurchase: {},
        linkedPurchaseToken: 'before',
        externalAccountIdentifiers: { obfuscatedExternalAccountId: 'AbC' },
        outOfAppPurchaseContext: {
          expiredPurchaseToken: 'expired',
          expiredExternalAccountIdentifiers: { obfuscatedExternalAccountId: 'DeF' },
        },
        later: { more: 1 },
      },
    })
    const { facts, secrets, asOf } = readingOf(await read(sale))
    expect(facts).toEqual({
      appId: packageName,
      productId: 'premium',
      basePlanId: 'monthly-plan',
      slot: 'monthly',
      environment: 'sandbox',
      state: 'active',
      grants: true,
      storeState: 'SUBSCRIPTION_STATE_ACTIVE',
      expiresAt: timestamp(expires_ms),
      graceEndsAt: null,
      autoRenew: true,
      startedAt: '2026-01-02T03:04:05.678Z',
      purchasedAt: '2026-01-02T03:04:05.678Z',
      revokedAt: null,
      revocationReason: null,
      ownershipType: null,
      region: 'US',
      acknowledged: true,
      quantity: 1,
    })
    expect(secrets).toEqual({
      latestTransactionId: sale.orderId,
      accountToken: 'abc',
      linkedPurchaseToken: 'before',
      expired: { purchaseToken: 'expired', accountToken: 'def' },
    })
    expect(asOf).toBe(timestamp(double.clock.now()))
  })
  it('takes the latest order of the older form where its line item has none', async () => {
    const answer = { latestOrderId: 'older' }
    const sale = double.sell({ ...subscription, answer, line: { latestSuccessfulOrderId: undefined } })
    expect(readingOf(await read(sale)).secrets.latestTransactionId).toBe('older')
  })
})

describe('a gift', () => {
  it.each([
    ['PURCHASED', 'purchased', true],
    ['CANCELLED', 'refunded', false],
    ['PENDING', 'pending', false],
    ['PURCHASE_STATE_UNSPECIFIED', 'pending', false],
  ])('in the state %s is %s', async (purchaseState, state, grants) => {
    const answer = { purchaseStateContext: { purchaseState }, testPurchaseContext: { fopType: 'TEST' } }
    const facts = await factsOf({ ...gift, answer, line: { quantity: 2 } })
    expect(facts).toMatchObject({ state, grants, storeState: purchaseState, quantity: 2, environment: 'sandbox' })
  })
  it('is acknowledged once it is consumed', async () => {
    const sale = double.sell({ ...gift, answer: { obfuscatedExternalAccountId: 'AB' } })
    const before = readingOf(await read(sale))
    expect(before.facts).toMatchObject({ acknowledged: false, slot: 'gift_1_month', basePlanId: null, region: 'US' })
    expect(before.secrets).toMatchObject({ latestTransactionId: sale.orderId, accountToken: 'ab' })
    expect(await stores.storeB.consume(keyOf(sale), 'gift_month')).toEqual({ ok: true, value: null })
    expect(readingOf(await read(sale)).facts.acknowledged).toBe(true)
  })
})

describe('a read', () => {
  const rejected = (detail: string) => ({ ok: false, failure: { kind: 'rejected', detail } })
  it('rejects products that are not configured, and packages', async () => {
    for (const line of [{ productId: 'coins' }, { offerDetails: { basePlanId: 'other' } }, { offerDetails: undefined }])
      expect(await read(double.sell({ ...subscription, line }))).toEqual(rejected('unknown_product'))
    const other = { productLineItem: [{ productId: 'coins' }] }
    expect(await read(double.sell({ ...gift, answer: other }))).toEqual(rejected('unknown_product'))
    const from = double.seen.length
    expect(await read(double.sell(gift), { packageName: 'example.other' })).toEqual(rejected('unknown_package'))
    expect(double.seen.length).toBe(from)
  })
  it.each(['.', '..', '../../orders', '\uD800', 'a/b?c#d', '%2e%2e'])(
    'finds nothing by the token %j',
    async (token) => {
      const answer = await stores.read({ ...keyOf(double.sell(gift)), purchaseToken: token })
      expect(answer).toMatchObject({ ok: false, failure: { kind: 'not found' } })
    },
  )
  it.each([400, 404, 410])('does not find a token that is answered with %i, if the store says so', async (status) => {
    const sale = double.sell(subscription)
    double.fault = ({ path }) => (path === '/token' ? undefined : status)
    const answer = await read(sale)
    double.fault = undefined
    expect(answer).toEqual({ ok: false, failure: { kind: 'not found', detail: `http_${status}` } })
  })
  it('uses an access token until five minutes before its end, and asks for one at a time', async () => {
    const own = await startStoreB()
    const client = storesOver({ storeB: own })
    const sale = own.sell(gift)
    const readAgain = () => client.read(keyOf(sale))
    await Promise.all([readAgain(), readAgain(), readAgain()])
    expect(own.tokensGiven()).toBe(1)
    own.clock.pass(54 * 60_000)
    await readAgain()
    expect(own.tokensGiven()).toBe(1)
    own.clock.pass(60_000)
    await readAgain()
    expect(own.tokensGiven()).toBe(2)
    await own.close()
  })
  it('is sent again with a new token, once, where the store has ended the old one', async () => {
    const sale = double.sell(gift)
    await read(sale)
    double.endTokens()
    const from = double.seen.length
    expect((await read(sale)).ok).toBe(true)
    expect(double.seen.slice(from).map(({ path }) => path === '/token')).toEqual([false, true, false])
  })
})
