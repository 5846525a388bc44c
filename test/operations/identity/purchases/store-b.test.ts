import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { premiumOf } from '../../support/premium.ts'

import { field } from '../../../../domain/kernel/refusal.ts'
import { startStoreB } from '../../../support/store-b/double.ts'
import type { StoreBSale } from '../../../support/store-b/sales.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'

/** The time limit of requests to the store. */
const answer_ms = 500
const storeB = await startStoreB()
const guildhall = await openServer({ hosted: true, stores: { storeB, answer_ms } })
afterEach(() => {
  storeB.fault = undefined
})
afterAll(() => storeB.close())

const send = ({ token }: TestAccount, body: object) =>
  guildhall.request('POST', '/v1/premium/store/google-play/purchases', { token, body })
const claim = (account: TestAccount, { token, productId }: StoreBSale, more: object = {}) =>
  send(account, { purchase_token: token, product_id: productId, ...more })
const purchasesOf = async ({ token }: TestAccount) =>
  listOf(await guildhall.request('GET', '/v1/premium/store/purchases', { token }))
const self = async ({ token }: TestAccount) => bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))
const asked = (part: string) => storeB.seen.filter(({ path }) => path.includes(part)).length

describe('Claim store B purchase', () => {
  it('links a subscription, of the default package, and acknowledges it once', async () => {
    const ada = await guildhall.register()
    const sale = storeB.sell({ productId: 'premium' })
    const { purchase, gift_code } = bodyOf(await claim(ada, sale))
    expect(gift_code).toBeNull()
    expect(purchase).toMatchObject({ provider: 'store_b', slot: 'monthly', state: 'active', entitled: true })
    expect(await self(ada)).toMatchObject({ premium_type: 1 })
    expect(sale.acknowledged).toBe(true)
    storeB.clock.pass(1000)
    bodyOf(await claim(ada, sale, { package_name: 'example.chat.android' }))
    expect(asked(`${sale.token}:acknowledge`)).toBe(1)
  })

  it('acknowledges with the next claim what it could not acknowledge', async () => {
    const ada = await guildhall.register()
    const sale = storeB.sell({ productId: 'premium' })
    for (const fault of [500, 'nonsense', { answer: { login: 'required' } }] as const) {
      storeB.fault = ({ path }) => (path.endsWith(':acknowledge') ? fault : undefined)
      expect(bodyOf(await claim(ada, sale))).toMatchObject({ purchase: { state: 'active' } })
      expect(sale.acknowledged).toBe(false)
      storeB.clock.pass(1000)
    }
    storeB.fault = undefined
    storeB.clock.pass(1000)
    bodyOf(await claim(ada, sale))
    expect(sale.acknowledged).toBe(true)
  })

  it('mints the code of a gift once, and consumes it', async () => {
    const ada = await guildhall.register()
    const sale = storeB.sell({ productId: 'gift_month' })
    const answers = await Promise.all([claim(ada, sale), claim(ada, sale)])
    const [code, same] = answers.map((answer) => bodyOf(answer)['gift_code'])
    expect(code).toMatch(/^[a-zA-Z\d]{32}$/)
    expect(same).toBe(code)
    expect(sale.consumed).toBe(true)
    storeB.clock.pass(1000)
    expect(bodyOf(await claim(ada, sale))).toMatchObject({ gift_code: code, purchase: { state: 'fulfilled' } })
  })

  it('links what is not paid yet, which grants nothing', async () => {
    const ada = await guildhall.register()
    const pending = { purchaseStateContext: { purchaseState: 'PENDING' } }
    const sale = storeB.sell({ productId: 'gift_month', answer: pending })
    expect(bodyOf(await claim(ada, sale))).toMatchObject({ gift_code: null, purchase: { state: 'pending' } })
    sale.answer = {}
    storeB.clock.pass(1000)
    expect(bodyOf(await claim(ada, sale))['gift_code']).toMatch(/^[a-zA-Z\d]{32}$/)
  })

  it('has a purchase take the place of the one that it replaces', async () => {
    const ada = await guildhall.register()
    const first = storeB.sell({ productId: 'premium' })
    bodyOf(await claim(ada, first))
    const second = storeB.sell({
      productId: 'premium',
      basePlanId: 'yearly-plan',
      expires_ms: storeB.clock.now() + 365 * 86_400_000,
      answer: { linkedPurchaseToken: first.token },
    })
    bodyOf(await claim(ada, second))
    expect(await purchasesOf(ada)).toMatchObject([
      { slot: 'yearly', state: 'active', entitled: true },
      { slot: 'monthly', state: 'superseded', entitled: false },
    ])
    expect(await self(ada)).toMatchObject({ premium_until: new Date(second.expires_ms).toISOString() })
  })

  it('grants nothing for a subscription that is first claimed after the one that replaced it', async () => {
    const ada = await guildhall.register()
    const first = storeB.sell({ productId: 'premium' })
    const second = storeB.sell({ productId: 'premium', answer: { linkedPurchaseToken: first.token } })
    bodyOf(await claim(ada, second))
    expect(bodyOf(await claim(ada, first))).toMatchObject({ purchase: { state: 'superseded', entitled: false } })
    expect((await purchasesOf(ada)).filter(({ entitled }) => entitled)).toHaveLength(1)
  })

  it('knows of purchases that were replaced twice before any of them was claimed', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const first = storeB.sell({ productId: 'premium' })
    const second = storeB.sell({ productId: 'premium', answer: { linkedPurchaseToken: first.token } })
    const third = storeB.sell({ productId: 'premium', answer: { linkedPurchaseToken: second.token } })
    expect(bodyOf(await claim(ada, third))).toMatchObject({ purchase: { entitled: true } })
    expect(bodyOf(await claim(brian, first))).toMatchObject({ purchase: { state: 'superseded', entitled: false } })
    expect(await self(brian)).toMatchObject({ premium_type: 0 })
  })

  it('leaves a purchase with whoever has what it replaced, two purchases before', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const first = storeB.sell({ productId: 'premium' })
    bodyOf(await claim(ada, first))
    const second = storeB.sell({ productId: 'premium', answer: { linkedPurchaseToken: first.token } })
    const third = storeB.sell({ productId: 'premium', answer: { linkedPurchaseToken: second.token } })
    expectRefusal(await claim(brian, third), 403, 'STORE_PURCHASE_OWNED_BY_OTHER_ACCOUNT')
    expect(await self(brian)).toMatchObject({ premium_type: 0 })
    expect(bodyOf(await claim(ada, third))).toMatchObject({ purchase: { entitled: true } })
    expect((await purchasesOf(ada)).filter(({ entitled }) => entitled)).toHaveLength(1)
  })

  it('mints no code for a test purchase of a gift, whose buyer may not use it, and does not consume it', async () => {
    const ada = await guildhall.register()
    const sale = storeB.sell({ productId: 'gift_year', answer: { testPurchaseContext: {} } })
    expectRefusal(await claim(ada, sale), 403, 'STORE_PURCHASE_SANDBOX_NOT_ENTITLED')
    expect(await purchasesOf(ada)).toMatchObject([{ state: 'purchased', gift_code: null, entitled: false }])
    expect(sale.consumed).toBe(false)
    expect(await self(ada)).toMatchObject({ premium_type: 0 })
  })

  it('sends the money back to a lifetime holder, and for more than one gift', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    await premiumOf(guildhall, ada, 'lifetime')
    const subscription = storeB.sell({ productId: 'premium' })
    const blocked = await claim(ada, subscription)
    expectRefusal(blocked, 403, 'PREMIUM_PURCHASE_BLOCKED')
    expect(blocked.body).toMatchObject({ reason: 'lifetime', provider: 'store_b' })
    expect(subscription.ended).toBe(true)
    expect(await purchasesOf(ada)).toMatchObject([{ state: 'revoked', entitled: false }])
    const gifts = storeB.sell({
      productId: 'gift_month',
      line: { quantity: 2 },
    })
    expectRefusal(await claim(brian, gifts), 400, 'STORE_PURCHASE_INVALID')
    expect(gifts.ended).toBe(true)
    expect(await purchasesOf(brian)).toMatchObject([{ state: 'refunded', gift_code: null }])
    expect(asked(':refund')).toBe(2)
  })

  it('gives a purchase to one of two accounts that claim it at once', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const sale = storeB.sell({ productId: 'gift_year' })
    const answers = await Promise.all([claim(ada, sale), claim(brian, sale)])
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '403'])
  })

  it('refuses what is not on sale, is another product, of another package or unknown', async () => {
    const ada = await guildhall.register()
    const sale = storeB.sell({ productId: 'premium' })
    const wrong = [
      { product_id: 'something' },
      { product_id: 'gift_month' },
      { package_name: 'another.app' },
      { purchase_token: 'unknown' },
    ]
    for (const more of wrong) expectRefusal(await claim(ada, sale, more), 400, 'STORE_PURCHASE_INVALID')
    const long = { purchase_token: 'x'.repeat(1025), product_id: 'x'.repeat(257), package_name: 'x'.repeat(257) }
    expectFields(
      await send(ada, long),
      field('purchase_token', 'STRING_LENGTH_INVALID'),
      field('product_id', 'STRING_LENGTH_INVALID'),
      field('package_name', 'STRING_LENGTH_INVALID'),
    )
    expect(await purchasesOf(ada)).toEqual([])
  })

  it.each([401, 429, 500, 'silence', 'nonsense', { answer: {} }, { answer: { lineItems: [] } }] as const)(
    'links nothing where the store answers %j',
    async (fault) => {
      const ada = await guildhall.register()
      const sale = storeB.sell({ productId: 'premium' })
      storeB.fault = fault
      expectRefusal(await claim(ada, sale), 503, 'STORE_BILLING_UNAVAILABLE')
      storeB.fault = undefined
      expect(await purchasesOf(ada)).toEqual([])
    },
  )

  it('shows nothing of the secrets of a purchase', async () => {
    const ada = await guildhall.register()
    const sale = storeB.sell({ productId: 'premium' })
    const shown = JSON.stringify([bodyOf(await claim(ada, sale)), await purchasesOf(ada)])
    for (const secret of [sale.token, sale.orderId]) expect(shown).not.toContain(secret)
  })
})

describe('an instance of its own', () => {
  it('has no routes of purchases, and a hosted one without stores says that they are not set up', async () => {
    const own = await openServer()
    const ada = await own.register()
    const routes = [
      ['GET', '/v1/premium/store'],
      ['GET', '/v1/premium/store/purchases'],
      ['POST', '/v1/premium/store/store-a/transactions'],
      ['POST', '/v1/premium/store/google-play/purchases'],
      ['DELETE', '/v1/premium/store/purchases/1'],
    ] as const
    for (const [method, path] of routes) {
      expectRefusal(await own.request(method, path, { token: ada.token }), 404, 'NOT_FOUND')
      expectRefusal(await own.request(method, path), 404, 'NOT_FOUND')
    }
    const brian = await guildhall.register()
    const body = { signed_transaction: 'x' }
    const path = '/v1/premium/store/store-a/transactions'
    expectRefusal(await guildhall.request('POST', path, { token: brian.token, body }), 503, 'STORE_BILLING_UNAVAILABLE')
  })
})
