import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import { startStoreA } from '../../../support/store-a/double.ts'
import { bodyOf, expectRefusal } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'

const storeA = await startStoreA()
const guildhall = await openServer({ hosted: true, stores: { storeA } })
afterEach(() => {
  storeA.fault = undefined
})
afterAll(() => storeA.close())

const pathOf = (id: string) => `/v1/admin/users/${id}/store-purchases`

/** An account with a subscription, its sale, and an administrator. */
async function subscribed() {
  const [ada, admin] = [await guildhall.register(), await administrator(guildhall, '*')]
  const sale = storeA.sell({ productId: 'premium.monthly' })
  const body = { signed_transaction: await storeA.signedTransaction(sale) }
  bodyOf(await guildhall.request('POST', '/v1/premium/store/store-a/transactions', { token: ada.token, body }))
  return { ada, admin, sale }
}

describe('List user store purchases', () => {
  it('gives what the store said, without the tokens, and is recorded', async () => {
    const { ada, admin, sale } = await subscribed()
    const listed = bodyOf(await guildhall.request('GET', pathOf(ada.id), { token: admin.token }))
    expect(listed).toMatchObject({
      purchases: [
        {
          user_id: ada.id,
          provider: 'store_a',
          state: 'active',
          store_state: '1',
          app_id: 'example.chat.app',
          latest_transaction_id: sale.originalTransactionId,
          ownership_type: 'PURCHASED',
          acknowledged: true,
          superseded: false,
        },
      ],
    })
    expect(JSON.stringify(listed)).not.toContain(storeA.accountTokens.get(sale.originalTransactionId))
    const entries = (await auditEntries(guildhall)).filter(({ adminId }) => adminId === admin.id)
    expect(entries).toMatchObject([{ action: 'list_user_store_purchases', metadata: { result_count: '1' } }])
    expectRefusal(await guildhall.request('GET', pathOf('1'), { token: admin.token }), 404, 'UNKNOWN_USER')
  })
})

describe('Refresh user store purchases', () => {
  it('reads every purchase again, and says where a store does not answer', async () => {
    const { ada, admin, sale } = await subscribed()
    const refresh = () => guildhall.request('POST', `${pathOf(ada.id)}/refresh`, { token: admin.token })
    storeA.fault = 500
    expectRefusal(await refresh(), 503, 'STORE_BILLING_UNAVAILABLE')
    storeA.fault = undefined
    storeA.clock.pass(1000)
    sale.renewal = { autoRenewStatus: 0 }
    expect(bodyOf(await refresh())).toMatchObject({ purchases: [{ state: 'canceled', auto_renew: false }] })
    storeA.forget(sale)
    await expect.poll(async () => bodyOf(await refresh())).toMatchObject({ purchases: [{ state: 'expired' }] })
    const entries = (await auditEntries(guildhall)).filter(({ adminId }) => adminId === admin.id)
    expect(entries).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ action: 'refresh_store_purchases', metadata: { purchase_count: '1' } }),
      ]),
    )
  })
})

describe('List purchases', () => {
  const list = async (query: string, token: string) => {
    const body = bodyOf(await guildhall.request('GET', `/v1/admin/store-purchases${query}`, { token }))
    return { ...body, purchases: body['purchases'] as readonly Readonly<Record<string, unknown>>[] }
  }

  it('has what every account bought, the newest first, in pages, without receipts and tokens', async () => {
    const [{ ada, admin, sale }, other] = [await subscribed(), await subscribed()]
    const { purchases } = await list(`?user_id=${ada.id}`, admin.token)
    expect(purchases).toMatchObject([
      { user_id: ada.id, provider: 'store_a', kind: 'subscription', product_id: 'premium.monthly', state: 'active' },
    ])
    expect(purchases[0]?.['purchased_at']).not.toBeNull()
    const first = await list('?limit=1', admin.token)
    expect(first).toMatchObject({ purchases: [{ user_id: other.ada.id }], has_more: true })
    const second = await list(
      `?limit=1&after=${String((first as Readonly<Record<string, unknown>>)['next_after'])}`,
      admin.token,
    )
    expect(second).toMatchObject({ purchases: [{ user_id: ada.id }] })
    const text = JSON.stringify(await list('', admin.token))
    for (const secret of [sale.originalTransactionId, storeA.accountTokens.get(sale.originalTransactionId)])
      expect(text).not.toContain(secret)
  })

  it('filters by store, state and time, and shows the state that the account’s own list has', async () => {
    const { ada, admin, sale } = await subscribed()
    const of = `?user_id=${ada.id}`
    const found = async (query: string) => (await list(`${of}&${query}`, admin.token)).purchases.length
    expect(await found('provider=store_a&state=active')).toBe(1)
    expect(await found('provider=store_b')).toBe(0)
    const seen = String((await list(of, admin.token)).purchases[0]?.['created_at'])
    expect(await found(`since=${seen}`)).toBe(1)
    expect(await found(`until=${seen}`)).toBe(0)
    storeA.clock.pass(1000)
    sale.status = 5
    sale.transaction = { ...sale.transaction, revocationDate: storeA.clock.now() }
    bodyOf(await guildhall.request('POST', `${pathOf(ada.id)}/refresh`, { token: admin.token }))
    const [shown] = (await list(of, admin.token)).purchases
    const own = bodyOf(await guildhall.request('GET', pathOf(ada.id), { token: admin.token }))
    const [same] = own['purchases'] as readonly Readonly<Record<string, unknown>>[]
    expect(shown).toMatchObject({
      state: 'revoked',
      revoked_at: same?.['revoked_at'],
      expires_at: same?.['expires_at'],
    })
    expect(same).toMatchObject({ state: 'revoked' })
    expect(await found('state=revoked')).toBe(1)
    expect(await found('state=active')).toBe(0)
  })

  it('refuses a wrong cursor, store, state or range, and whoever lacks the right; it is recorded', async () => {
    const admin = await administrator(guildhall, 'admin:authenticate', 'user:lookup')
    const get = (query: string, { token } = admin) =>
      guildhall.request('GET', `/v1/admin/store-purchases${query}`, { token })
    const later = 'since=2030-01-02T00:00:00Z&until=2030-01-01T00:00:00Z'
    for (const query of [
      'after=none',
      'after=2030-01-01T00:00:00.000Z_x',
      `after=2030-01-01T00:00:00.000Z_${'9'.repeat(19)}`,
      'provider=x',
      'state=x',
      later,
      'limit=0',
    ])
      expectRefusal(await get(`?${query}`), 400, 'INVALID_FORM_BODY')
    expectRefusal(await get('', await administrator(guildhall, 'admin:authenticate')), 403, 'MISSING_ACL')
    await list('?state=refunded', admin.token)
    const entries = (await auditEntries(guildhall)).filter(({ adminId }) => adminId === admin.id)
    expect(entries).toMatchObject([
      { action: 'list_purchases', metadata: { state: 'refunded', limit: '50', result_count: '0' } },
    ])
  })
})
