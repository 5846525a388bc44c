import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreAKey, Stores } from '../../../application/ports/stores.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { readingOf } from '../../contract/stores-contract.ts'
import { startStoreA, type NewSale, type StoreADouble } from '../../support/store-a/double.ts'
import { bundleId, type Sale } from '../../support/store-a/sales.ts'
import { decodedPart } from '../../support/store-a/sign.ts'
import { storesOver } from '../../support/stores/stores-over.ts'

const day_ms = 86_400_000
const subscription = { productId: 'premium.monthly' }
const gift = { productId: 'gift.month' }

let double: StoreADouble
let stores: Stores
beforeAll(async () => {
  double = await startStoreA()
  stores = storesOver({ storeA: double })
})
afterAll(() => double.close())

function keyOf({ originalTransactionId, productId, world }: Sale): StoreAKey {
  const environment = world === 'Sandbox' ? 'sandbox' : 'production'
  const kind = productId.startsWith('gift') ? 'gift' : 'subscription'
  return { provider: 'store_a', environment, bundleId, kind, originalTransactionId }
}
const read = (sale: Sale, changes: Partial<StoreAKey> = {}) => stores.read({ ...keyOf(sale), ...changes })
const factsOf = async (given: NewSale) => readingOf(await read(double.sell(given))).facts
const later = () => double.clock.now() + day_ms

describe('the state of a subscription', () => {
  it.each<[string, object, { state: string; grants: boolean; storeState: string }]>([
    ['revoked by its status', { status: 5 }, { state: 'revoked', grants: false, storeState: '5' }],
    [
      'revoked by its transaction, whatever the status',
      { status: 1, transaction: { revocationDate: 1000, revocationType: 'REFUND_FULL' } },
      { state: 'revoked', grants: false, storeState: '1' },
    ],
    ['canceled', { status: 1, renewal: { autoRenewStatus: 0 } }, { state: 'canceled', grants: true, storeState: '1' }],
    ['active', { status: 1 }, { state: 'active', grants: true, storeState: '1' }],
    ['in its grace period', { status: 4 }, { state: 'grace', grants: true, storeState: '4' }],
    ['in billing retry', { status: 3 }, { state: 'billing_retry', grants: false, storeState: '3' }],
    ['expired', { status: 2 }, { state: 'expired', grants: false, storeState: '2' }],
    ['of an unknown status', { status: 9 }, { state: 'pending', grants: false, storeState: '9' }],
  ])('is %s', async (_, given, expected) => {
    expect(await factsOf({ ...subscription, ...given })).toMatchObject(expected)
  })
  it('expires by the clock', async () => {
    const sale = double.sell({ ...subscription, transaction: { expiresDate: later() } })
    expect(readingOf(await read(sale)).facts.state).toBe('active')
    double.clock.pass(day_ms)
    expect(readingOf(await read(sale)).facts.state).toBe('expired')
  })
  it('has the end of its grace period, or of what is paid, only in it', async () => {
    const expiresDate = later()
    const ends = async (status: number, renewal: object) =>
      (await factsOf({ ...subscription, status, renewal: { ...renewal }, transaction: { expiresDate } })).graceEndsAt
    expect(await ends(4, { gracePeriodExpiresDate: expiresDate + 5 })).toBe(timestamp(expiresDate + 5))
    expect(await ends(4, {})).toBe(timestamp(expiresDate))
    expect(await ends(1, { gracePeriodExpiresDate: expiresDate + 5 })).toBeNull()
  })
  it('has every fact that the store tells', async () => {
    const expiresDate = later()
    const transaction = {
      purchaseDate: 5000,
      expiresDate,
      revocationDate: 7000,
      revocationReason: 1,
      storefront: 'DEU',
    }
    const sale = double.sell({
      ...subscription,
      transaction: { ...transaction, transactionId: '77', appAccountToken: 'AA', inAppOwnershipType: 'FAMILY_SHARED' },
      renewal: { recentSubscriptionStartDate: 4000, appAccountToken: 'BBcc', signedDate: double.clock.now() + 3 },
      world: 'Sandbox',
    })
    const { facts, secrets, asOf } = readingOf(await read(sale))
    expect(facts).toEqual({
      appId: bundleId,
      productId: 'premium.monthly',
      basePlanId: null,
      slot: 'monthly',
      environment: 'sandbox',
      state: 'revoked',
      grants: false,
      storeState: '1',
      autoRenew: true,
      acknowledged: true,
      quantity: 1,
      expiresAt: timestamp(expiresDate),
      graceEndsAt: null,
      startedAt: timestamp(4e3),
      purchasedAt: timestamp(5e3),
      revokedAt: timestamp(7e3),
      revocationReason: '1',
      ownershipType: 'FAMILY_SHARED',
      region: 'DEU',
    })
    expect(secrets).toMatchObject({ latestTransactionId: '77', accountToken: 'bbcc', linkedPurchaseToken: null })
    expect(asOf).toBe(timestamp(double.clock.now() + 3))
  })
})

describe('a gift', () => {
  it('is purchased until it is refunded', async () => {
    expect(await factsOf({ ...gift, transaction: { quantity: 3 } })).toMatchObject({
      state: 'purchased',
      grants: true,
      storeState: null,
      quantity: 3,
      slot: 'gift_1_month',
    })
    const refunded = { revocationDate: 9000, revocationType: 'REFUND_FULL' }
    expect(await factsOf({ ...gift, transaction: refunded })).toMatchObject({
      state: 'refunded',
      grants: false,
      storeState: 'REFUND_FULL',
      revokedAt: timestamp(9e3),
    })
  })
})

describe('a read', () => {
  it('asks production first and then the sandbox where the environment is not known', async () => {
    const sale = double.sell({ ...subscription, world: 'Sandbox' })
    const from = double.seen.length
    const { key } = readingOf(await read(sale, { environment: null }))
    expect(key).toMatchObject({ environment: 'sandbox' })
    expect(double.seen.slice(from).map(({ path }) => path.split('/')[1])).toEqual(['production', 'sandbox'])
  })
  it('does not find a purchase of the other environment', async () => {
    const sale = double.sell({ ...subscription, world: 'Sandbox' })
    expect(await read(sale, { environment: 'production' })).toMatchObject({ failure: { kind: 'not found' } })
  })
  it.each<[string, object, string]>([
    ['of another app', { transaction: { bundleId: 'example.other' } }, 'invalid_app_identifier'],
    ['of the other environment', { transaction: { environment: 'Sandbox' } }, 'invalid_environment'],
    ['whose renewal is of the other environment', { renewal: { environment: 'Sandbox' } }, 'invalid_environment'],
    ['of another purchase', { transaction: { originalTransactionId: '1' } }, 'other_transaction'],
    ['whose renewal is of another purchase', { renewal: { originalTransactionId: '1' } }, 'other_transaction'],
    ['of a product that is not configured', { transaction: { productId: 'coins' } }, 'unknown_product'],
    ['of a gift', { transaction: { productId: 'gift.year' } }, 'unknown_product'],
    ['of what does not renew', { transaction: { type: 'Non-Consumable' } }, 'unknown_product'],
    ['without an end', { transaction: { expiresDate: undefined }, status: 1 }, 'missing_transaction'],
  ])('rejects an answer %s', async (_, given, detail) => {
    const answer = await read(double.sell({ ...subscription, ...given }))
    expect(answer).toEqual({ ok: false, failure: { kind: 'rejected', detail } })
  })
  it('rejects a subscription asked for as a gift', async () => {
    const sale = double.sell(subscription)
    expect(await read(sale, { kind: 'gift' })).toMatchObject({ failure: { detail: 'unknown_product' } })
  })
  it('uses its token again for 50 minutes, and signs another after a refusal', async () => {
    const sale = double.sell(gift)
    const tokenOfRead = async () => {
      await read(sale)
      return double.seen.at(-1)?.authorization ?? ''
    }
    const first = await tokenOfRead()
    double.clock.pass(49 * 60_000)
    expect(await tokenOfRead()).toBe(first)
    double.clock.pass(60_000)
    const second = await tokenOfRead()
    expect(second).not.toBe(first)
    double.fault = 401
    expect(await tokenOfRead()).toBe(second)
    double.fault = undefined
    expect(await tokenOfRead()).not.toBe(second)
    const { iat, exp, ...claims } = decodedPart(second.replace('Bearer ', ''), 1)
    expect(claims).toEqual({ bid: bundleId, iss: double.settings['issuer_id'], aud: 'appstoreconnect-v1' })
    expect(Number(exp) - Number(iat)).toBe(3600)
  })
})

describe('the account token', () => {
  const token = '0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d'
  it('is set with the store, which then tells it', async () => {
    const sale = double.sell({ ...subscription, world: 'Sandbox' })
    expect(await stores.storeA.setAccountToken(keyOf(sale), token)).toEqual({ ok: true, value: null })
    expect(readingOf(await read(sale)).secrets.accountToken).toBe(token)
  })
  it('is rejected where the purchase is shared in a family, and where it is no UUID', async () => {
    const shared = double.sell({ ...subscription, transaction: { inAppOwnershipType: 'FAMILY_SHARED' } })
    expect(await stores.storeA.setAccountToken(keyOf(shared), token)).toMatchObject({
      failure: { kind: 'rejected', detail: 'store_error_4000185' },
    })
    expect(await stores.storeA.setAccountToken(keyOf(double.sell(gift)), 'x')).toMatchObject({
      failure: { kind: 'rejected', detail: 'store_error_4000183' },
    })
  })
})
