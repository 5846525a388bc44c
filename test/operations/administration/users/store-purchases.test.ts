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
