import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { premiumOf } from '../../support/premium.ts'

import { startStoreA } from '../../../support/store-a/double.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../../support/answers.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { connections } from '../../support/connected.ts'
import { openServer } from '../../support/scene.ts'
import type { Sale } from '../../../support/store-a/sales.ts'
import { withAlteredSignature } from '../../../support/store-a/sign.ts'

/** The time limit of requests to the store. */
const answer_ms = 500
const storeA = await startStoreA()
const guildhall = await openServer({ hosted: true, stores: { storeA, answer_ms } })
const { connect, end } = connections()
afterEach(() => {
  storeA.fault = undefined
})
afterAll(async () => {
  end()
  await storeA.close()
})

const claim = ({ token }: TestAccount, signed_transaction: unknown) =>
  guildhall.request('POST', '/v1/premium/store/store-a/transactions', { token, body: { signed_transaction } })
const claimOf = async (account: TestAccount, sale: Sale) => claim(account, await storeA.signedTransaction(sale))
/** What the store was asked for a sale. The purchases of other tests may be read meanwhile. */
const askedFor = (sale: Sale) => storeA.seen.filter(({ path }) => path.includes(sale.originalTransactionId))
const context = async ({ token }: TestAccount) => bodyOf(await guildhall.request('GET', '/v1/premium/store', { token }))
const purchasesOf = async ({ token }: TestAccount) =>
  listOf(await guildhall.request('GET', '/v1/premium/store/purchases', { token }))
const stateOf = async ({ token }: TestAccount) => bodyOf(await guildhall.request('GET', '/v1/premium/state', { token }))
const giftsOf = async ({ token }: TestAccount) =>
  listOf(await guildhall.request('GET', '/v1/users/@me/gifts', { token }))
const self = async ({ token }: TestAccount) => bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))
const release = ({ token }: TestAccount, id: unknown, body: object) =>
  guildhall.request('DELETE', `/v1/premium/store/purchases/${String(id)}`, { token, body })
const lifetime = (account: TestAccount) => premiumOf(guildhall, account, 'lifetime')

describe('Get in-app purchase context', () => {
  it('gives every read the same token, also two at the same moment, and what is on sale', async () => {
    const ada = await guildhall.register()
    const [one, other] = await Promise.all([context(ada), context(ada)])
    expect(one['app_account_token']).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(other).toEqual(one)
    expect(one).toMatchObject({
      app_store: {
        enabled: true,
        bundle_ids: ['example.chat.app'],
        products: expect.arrayContaining([{ product_id: 'premium.monthly', slot: 'monthly' }]),
      },
      google_play: { enabled: false, package_names: [], products: [] },
      purchase_blocked_reason: null,
      blocking_provider: null,
    })
    expect((await context(await guildhall.register()))['app_account_token']).not.toBe(one['app_account_token'])
  })

  it('says why the account cannot buy a subscription', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    bodyOf(await claimOf(ada, storeA.sell({ productId: 'premium.monthly' })))
    expect(await context(ada)).toMatchObject({
      purchase_blocked_reason: 'existing_subscription',
      blocking_provider: 'store_a',
    })
    await lifetime(brian)
    expect(await context(brian)).toMatchObject({ purchase_blocked_reason: 'lifetime', blocking_provider: null })
  })
})

describe('Claim store A transaction', () => {
  it('links the purchase, sets its token, and tells every session once', async () => {
    const ada = await guildhall.register()
    const { client } = await connect(guildhall, ada)
    const sale = storeA.sell({ productId: 'premium.yearly' })
    const { purchase, gift_code } = bodyOf(await claimOf(ada, sale))
    expect(gift_code).toBeNull()
    expect(purchase).toMatchObject({
      provider: 'store_a',
      kind: 'subscription',
      slot: 'yearly',
      product_id: 'premium.yearly',
      environment: 'production',
      state: 'active',
      entitled: true,
      will_renew: true,
      gift_code: null,
    })
    expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({ premium_type: 1 })
    expect(await self(ada)).toMatchObject({ premium_type: 1 })
    expect(storeA.accountTokens.get(sale.originalTransactionId)).toBe((await context(ada))['app_account_token'])
    expect(bodyOf(await claimOf(ada, sale))).toEqual({ purchase, gift_code })
    expect(await purchasesOf(ada)).toEqual([purchase])
  })

  it('mints the code of a gift once, also for claims at the same moment', async () => {
    const ada = await guildhall.register()
    const sale = storeA.sell({ productId: 'gift.month' })
    const claims = await Promise.all([claimOf(ada, sale), claimOf(ada, sale), claimOf(ada, sale)])
    const codes = claims.map((answer) => bodyOf(answer)['gift_code'])
    expect(new Set(codes).size).toBe(1)
    expect(codes[0]).toMatch(/^[a-zA-Z\d]{32}$/)
    expect(bodyOf(claims[0])['purchase']).toMatchObject({ kind: 'gift', state: 'fulfilled', will_renew: null })
    expect(await self(ada)).toMatchObject({ unread_gift_inventory_count: 1 })
  })

  it('gives a purchase to one of two accounts that claim it at once', async () => {
    for (const productId of ['premium.monthly', 'gift.year']) {
      const accounts = [await guildhall.register(), await guildhall.register()]
      const sale = storeA.sell({ productId })
      const signed = await storeA.signedTransaction(sale)
      const answers = await Promise.all(accounts.map((account) => claim(account, signed)))
      expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '403'])
      const refused = answers.findIndex(({ status }) => status === 403)
      const loser = answers[refused]
      if (loser) expectRefusal(loser, 403, 'STORE_PURCHASE_OWNED_BY_OTHER_ACCOUNT')
      expect((await Promise.all(accounts.map(purchasesOf))).map(({ length }) => length)).toEqual(
        refused === 0 ? [0, 1] : [1, 0],
      )
    }
  })

  it('tells every session of premium that a release ends, once, and that it is over', async () => {
    const ada = await guildhall.register()
    const { client } = await connect(guildhall, ada)
    const { purchase } = bodyOf(await claimOf(ada, storeA.sell({ productId: 'premium.monthly' })))
    expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({ premium_type: 1 })
    const { id } = purchase as { readonly id: string }
    expect((await release(ada, id, { password: ada.password })).status).toBe(204)
    const told = () => client.payloads.filter(({ t }) => t === 'USER_UPDATE').map(({ d }) => d?.['premium_type'])
    await expect.poll(told).toEqual([1, 0])
  })

  it("refuses what carries another account's token", async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const appAccountToken = (await context(brian))['app_account_token']
    const sale = storeA.sell({ productId: 'premium.monthly', transaction: { appAccountToken } })
    expectRefusal(await claimOf(ada, sale), 403, 'STORE_PURCHASE_OWNED_BY_OTHER_ACCOUNT')
    expect(await purchasesOf(ada)).toEqual([])
    bodyOf(await claimOf(brian, sale))
  })

  it('keeps the link of what it refuses afterwards, which grants nothing', async () => {
    const [ada, brian, carol] = [await guildhall.register(), await guildhall.register(), await guildhall.register()]
    expectRefusal(
      await claimOf(ada, storeA.sell({ productId: 'premium.monthly', world: 'Sandbox' })),
      403,
      'STORE_PURCHASE_SANDBOX_NOT_ENTITLED',
    )
    expect(await purchasesOf(ada)).toMatchObject([{ environment: 'sandbox', entitled: false, entitled_until: null }])
    expect(await self(ada)).toMatchObject({ premium_type: 0 })
    const several = storeA.sell({ productId: 'gift.month', transaction: { quantity: 2 } })
    expectRefusal(await claimOf(brian, several), 400, 'STORE_PURCHASE_INVALID')
    expect(await purchasesOf(brian)).toMatchObject([{ gift_code: null, entitled: false }])
    await lifetime(carol)
    const blocked = await claimOf(carol, storeA.sell({ productId: 'premium.monthly' }))
    expectRefusal(blocked, 403, 'PREMIUM_PURCHASE_BLOCKED')
    expect(blocked.body).toMatchObject({ reason: 'lifetime', provider: 'store_a' })
    expect(await purchasesOf(carol)).toMatchObject([{ state: 'active', entitled: false, entitled_until: null }])
    expect(await stateOf(carol)).toMatchObject({ store: null, subscription_provider: null })
  })

  it('never counts a subscription that was claimed under lifetime as the granting store, also once the lifetime is gone', async () => {
    const ada = await guildhall.register()
    await lifetime(ada)
    await claimOf(ada, storeA.sell({ productId: 'premium.monthly' }))
    await premiumOf(guildhall, ada, 'none')
    expect(await self(ada)).toMatchObject({ premium_type: 0 })
    expect(await stateOf(ada)).toMatchObject({ store: null, subscription_provider: null })
  })

  it('mints no code for a gift of the sandbox, whose buyer may not use it', async () => {
    const ada = await guildhall.register()
    const sale = storeA.sell({ productId: 'gift.year', world: 'Sandbox' })
    for (let time = 0; time < 2; time += 1)
      expectRefusal(await claimOf(ada, sale), 403, 'STORE_PURCHASE_SANDBOX_NOT_ENTITLED')
    expect(await purchasesOf(ada)).toMatchObject([{ state: 'purchased', gift_code: null, entitled: false }])
    expect(await stateOf(ada)).toMatchObject({ actual: { has_ever_purchased: false } })
    expect(await giftsOf(ada)).toEqual([])
  })

  it('refuses what does not verify before it asks the store, and what has another size or type', async () => {
    const ada = await guildhall.register()
    const sale = storeA.sell({ productId: 'premium.monthly' })
    const signed = await storeA.signedTransaction(sale)
    const wrong = [
      'nonsense',
      withAlteredSignature(signed),
      await storeA.signedTransaction(sale, { productId: 'something.else' }),
      await storeA.signedTransaction(sale, { bundleId: 'another.app' }),
      await storeA.signedTransaction(sale, { environment: 'Xcode' }),
    ]
    for (const text of wrong) expectRefusal(await claim(ada, text), 400, 'STORE_PURCHASE_INVALID')
    expect(askedFor(sale)).toEqual([])
    for (const text of ['', 'x'.repeat(32_769)])
      expectFields(await claim(ada, text), field('signed_transaction', 'STRING_LENGTH_INVALID'))
    expectRefusal(await claim(ada, 5), 400, 'INVALID_FORM_BODY')
    storeA.forget(sale)
    expectRefusal(await claim(ada, signed), 400, 'STORE_PURCHASE_INVALID')
    expect(await purchasesOf(ada)).toEqual([])
  })

  it.each([401, 429, 500, 'silence', 'broken', { late_ms: 4 * answer_ms }] as const)(
    'links nothing where the store answers %j',
    async (fault) => {
      const ada = await guildhall.register()
      const sale = storeA.sell({ productId: 'premium.monthly' })
      storeA.fault = fault
      expectRefusal(await claimOf(ada, sale), 503, 'STORE_BILLING_UNAVAILABLE')
      storeA.fault = undefined
      expect(await purchasesOf(ada)).toEqual([])
      bodyOf(await claimOf(ada, sale))
    },
  )

  it('succeeds where the store does not take the token', async () => {
    const ada = await guildhall.register()
    storeA.fault = ({ method }) => (method === 'PUT' ? 500 : undefined)
    bodyOf(await claimOf(ada, storeA.sell({ productId: 'premium.monthly' })))
  })

  it('shows nothing of the secrets of a purchase', async () => {
    const ada = await guildhall.register()
    const sale = storeA.sell({ productId: 'premium.monthly', transaction: { transactionId: '77770000111122223' } })
    const shown = [bodyOf(await claimOf(ada, sale)), await purchasesOf(ada), await self(ada)]
    for (const secret of [
      sale.originalTransactionId,
      '77770000111122223',
      String((await context(ada))['app_account_token']),
    ])
      expect(JSON.stringify(shown)).not.toContain(secret)
  })
})

describe('Release store subscription', () => {
  it('ends premium, and another account may claim it and keeps it, whatever token it carries', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const sale = storeA.sell({ productId: 'premium.monthly' })
    const { purchase } = bodyOf(await claimOf(ada, sale))
    const { id } = purchase as { readonly id: string }
    const asked = askedFor(sale)
    expectRefusal(await release(brian, id, { password: brian.password }), 404, 'UNKNOWN_STORE_PURCHASE')
    expect((await release(ada, id, { password: ada.password })).status).toBe(204)
    expect(askedFor(sale)).toEqual(asked)
    expect(await self(ada)).toMatchObject({ premium_type: 0 })
    expect(await purchasesOf(ada)).toEqual([])
    expectRefusal(await release(ada, id, { password: ada.password }), 404, 'UNKNOWN_STORE_PURCHASE')
    storeA.clock.pass(1000)
    bodyOf(await claimOf(brian, sale))
    storeA.clock.pass(1000)
    expectRefusal(await claimOf(ada, sale), 403, 'STORE_PURCHASE_OWNED_BY_OTHER_ACCOUNT')
    expect(await self(brian)).toMatchObject({ premium_type: 1 })
  })

  it('needs sudo mode, says a rejected proof by its own code, and releases no gift', async () => {
    const ada = await guildhall.register()
    const { purchase } = bodyOf(await claimOf(ada, storeA.sell({ productId: 'gift.month' })))
    const { id } = purchase as { readonly id: string }
    expectRefusal(await release(ada, id, {}), 403, 'SUDO_MODE_REQUIRED')
    const rejected = await release(ada, id, { password: 'wrong password' })
    expectRefusal(rejected, 400, 'STORE_PURCHASE_INVALID')
    expect(rejected.body).toMatchObject({ errors: [{ path: 'password', code: 'INVALID_PASSWORD' }] })
    const gift = await release(ada, id, { password: ada.password })
    expectRefusal(gift, 400, 'STORE_PURCHASE_INVALID')
    expect(gift.body).not.toHaveProperty('errors')
    expectRefusal(await release(ada, id, { mfa_code: 'x'.repeat(33) }), 400, 'INVALID_FORM_BODY')
  })
})
