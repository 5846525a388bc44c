import { afterAll, describe, expect, it } from 'vitest'
import { randomBytes } from 'node:crypto'
import { followSandboxRules } from '../../../application/identity/premium/follow-sandbox-rules.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { startStoreA } from '../../support/store-a/double.ts'
import { laidDatabase } from '../../support/test-database.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf, expectRefusal, listOf } from '../support/answers.ts'

const storeA = await startStoreA()
const database = await laidDatabase()
const personalDataKey = randomBytes(32)
let guildhall: TestGuildhall

/** One server after the other on the same history, as after a restart with another STORE_SANDBOX. */
async function restart(everyone: boolean): Promise<void> {
  await guildhall?.close()
  const { connection } = database
  guildhall = await startTestGuildhall({ connection, personalDataKey, stores: { storeA, sandbox: { everyone } } })
}
const follow = () => followSandboxRules(guildhall.ports)(timestamp(Date.now()))

afterAll(async () => {
  await guildhall.close()
  await storeA.close()
  await database.close()
})

async function claim({ token }: TestAccount, productId: string) {
  const signed_transaction = await storeA.signedTransaction(storeA.sell({ productId, world: 'Sandbox' }))
  return guildhall.request('POST', '/v1/premium/store/store-a/transactions', { token, body: { signed_transaction } })
}
const premiumType = async ({ token }: TestAccount) =>
  bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))['premium_type']
const redeem = ({ token }: TestAccount, code: unknown) =>
  guildhall.request('POST', `/v1/gifts/${String(code)}/redeem`, { token })

describe('test purchases, where an operator allows them and takes that back', () => {
  it('give premium to those whose test purchases count, and to nobody else, gifts too', async () => {
    await restart(true)
    const [ada, grace] = [await guildhall.register(), await guildhall.register()]
    bodyOf(await claim(ada, 'premium.monthly'))
    expect(await premiumType(ada)).toBe(1)
    const codes = [bodyOf(await claim(ada, 'gift.year')), bodyOf(await claim(ada, 'gift.year'))]
    const [first, second] = codes.map(({ gift_code }) => gift_code)
    expect((await redeem(grace, first)).status).toBe(204)

    await restart(false)
    const linus = await guildhall.register()
    expectRefusal(await redeem(linus, second), 403, 'STORE_PURCHASE_SANDBOX_NOT_ENTITLED')
    expect(await premiumType(linus)).toBe(0)
    // The worker may have been there first.
    await follow()
    await expect.poll(() => premiumType(ada)).toBe(0)
    expect(await follow()).toBe(0)
    expect(listOf(await guildhall.request('GET', '/v1/premium/store/purchases', { token: ada.token }))).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'subscription', entitled: false })]),
    )

    await restart(true)
    await follow()
    await expect.poll(() => premiumType(ada)).toBe(1)
  })

  it('get the code of a gift that was claimed before they counted with the next claim', async () => {
    await restart(false)
    const ada = await guildhall.register()
    const sale = storeA.sell({ productId: 'gift.month', world: 'Sandbox' })
    const again = async () =>
      guildhall.request('POST', '/v1/premium/store/store-a/transactions', {
        token: ada.token,
        body: { signed_transaction: await storeA.signedTransaction(sale) },
      })
    expectRefusal(await again(), 403, 'STORE_PURCHASE_SANDBOX_NOT_ENTITLED')
    await restart(true)
    expect(bodyOf(await again())).toMatchObject({
      gift_code: expect.stringMatching(/^[a-zA-Z\d]{32}$/),
      purchase: { state: 'fulfilled' },
    })
  })
})
