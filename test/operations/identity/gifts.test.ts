import { afterAll, describe, expect, it } from 'vitest'
import { giftIdOf, openCode } from '../../../application/identity/gifts/gift-codes.ts'
import { mintGift } from '../../../application/identity/gifts/mint-gift.ts'
import { reinstateGift, revokeGift } from '../../../application/identity/gifts/refund-gift.ts'
import { finishUnfinished } from '../../../application/processes/finish-unfinished.ts'
import { premiumFlags } from '../../../domain/premium/premium-flags.ts'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { secondsAfter, timestamp } from '../../../domain/kernel/timestamp.ts'
import { after, type GiftDuration } from '../../../domain/premium/gift-duration.ts'
import { administrator, auditEntries } from '../../support/administrators.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectRefusal, listOf } from '../support/answers.ts'
import { connections } from '../support/connected.ts'
import { openPage, sendForm } from '../support/pages.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer()
const { connect, end } = connections()
afterAll(end)

const idOf = ({ id }: TestAccount) => accountId(snowflake(id))
const month: GiftDuration = { unit: 'months', quantity: 1 }
let minted = 0

/** A code that somebody bought. */
async function newCode(createdBy: TestAccount | null = null, duration = month): Promise<string> {
  const code = `Code${(minted += 1).toString()}${process.pid.toString()}`.padEnd(32, 'x')
  const context = testContext()
  await mintGift(guildhall.ports, { code, duration, createdBy: createdBy && idOf(createdBy), purchase: null }, context)
  await guildhall.readModels.reached(context.written)
  return code
}

const redeem = (code: string, { token }: TestAccount, headers: Readonly<Record<string, string>> = {}) =>
  guildhall.request('POST', `/v1/gifts/${code}/redeem`, { token, headers })
const get = (code: string) => guildhall.request('GET', `/v1/gifts/${code}`)
const own = ({ token }: TestAccount) => guildhall.request('GET', '/v1/users/@me/gifts', { token })
const self = async ({ token }: TestAccount) => bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))
const ms = (text: unknown) => Date.parse(String(text))

/** Refunds a gift, or takes that back, as its purchase does. */
async function refund(code: string, how: typeof revokeGift): Promise<void> {
  const context = testContext()
  await how(guildhall.ports, giftIdOf(guildhall.ports, code), context)
  await guildhall.readModels.reached(context.written)
}

describe('a gift code', () => {
  it('gives its time to whoever redeems it first, and every session hears of it', async () => {
    const [buyer, ada, brian] = await Promise.all([guildhall.register(), guildhall.register(), guildhall.register()])
    const code = await newCode(buyer)
    expect(bodyOf(await get(code))).toMatchObject({
      code,
      duration_type: 'months',
      duration_quantity: 1,
      redeemed: false,
      created_by: { id: buyer.id },
    })
    const { client } = await connect(guildhall, ada)
    expect((await redeem(code, ada)).status).toBe(204)
    const { d: told } = await client.dispatch('USER_UPDATE')
    expect(told).toMatchObject({ premium_type: 1, traits: ['premium'], has_ever_purchased: false })
    const user = await self(ada)
    expect(user).toMatchObject({ premium_type: 1, premium_until: (told as Record<string, unknown>)['premium_until'] })
    expect(user['premium_until']).toBe(after(user['premium_since'] as never, month))
    expectRefusal(await redeem(code, brian), 400, 'GIFT_CODE_ALREADY_REDEEMED')
    expect(bodyOf(await get(code))).toMatchObject({ redeemed: true })
  })

  it('is redeemed once among many at the same moment', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => guildhall.register()))
    const code = await newCode()
    const statuses = (await Promise.all(people.map((person) => redeem(code, person)))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    const premium = (await Promise.all(people.map(self))).filter(({ premium_type: type }) => type === 1)
    expect(premium).toHaveLength(1)
  })

  it('adds to the time of earlier ones, and the same request again adds nothing', async () => {
    const ada = await guildhall.register()
    const key = { 'Idempotency-Key': `redeem-${ada.id}` }
    const [one, other] = [await newCode(), await newCode(null, { unit: 'days', quantity: 10 })]
    await redeem(one, ada)
    const first = ms((await self(ada))['premium_until'])
    for (let time = 0; time < 2; time += 1) expect((await redeem(other, ada, key)).status).toBe(204)
    expect(ms((await self(ada))['premium_until'])).toBe(first + 10 * 24 * 3_600_000)
  })

  it('is refused in one order', async () => {
    const [ada, blocked] = [await guildhall.register(), await guildhall.register()]
    const context = testContext()
    const { account } = guildhall.ports.aggregates
    await account.execute(idOf(ada), { type: 'SetLifetimePremium', lifetimeNumber: 5, now: context.now }, context)
    const block = { type: 'UpdatePremiumFlags', add: [premiumFlags.PURCHASE_DISABLED], remove: [] } as const
    await account.execute(idOf(blocked), block, context)
    await guildhall.readModels.reached(context.written)
    const code = await newCode()
    const disabled = await redeem('none', blocked)
    expectRefusal(disabled, 403, 'PREMIUM_PURCHASE_BLOCKED')
    expect(disabled.body).toMatchObject({ reason: 'purchase_disabled' })
    expectRefusal(await redeem('none', ada), 404, 'UNKNOWN_GIFT_CODE')
    expectRefusal(await redeem(code, ada), 400, 'GIFT_NOT_REDEEMABLE_WITH_LIFETIME_PREMIUM')
    expect(bodyOf(await get(code))).toMatchObject({ redeemed: false })
    expectRefusal(await redeem('x'.repeat(33), ada), 400, 'INVALID_FORM_BODY')
    expectRefusal(await guildhall.request('POST', `/v1/gifts/${code}/redeem`), 401, 'UNAUTHORIZED')
    expectRefusal(await get('none'), 404, 'UNKNOWN_GIFT_CODE')
  })

  it('gives its time even if the process dies in the middle', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const code = await newCode()
    const gift = giftIdOf(guildhall.ports, code)
    const context = testContext()
    const begin = { type: 'BeginRedemption', accountId: idOf(ada), now: context.now } as const
    await guildhall.ports.aggregates.gift.execute(gift, begin, context)
    await guildhall.readModels.reached(context.written)
    expectRefusal(await redeem(code, brian), 400, 'GIFT_REDEMPTION_IN_PROGRESS')
    const later = secondsAfter(timestamp(Date.now()), 1)
    await finishUnfinished(guildhall.ports)(later, later)
    expect(await self(ada)).toMatchObject({ premium_type: 1 })
    expectRefusal(await redeem(code, brian), 400, 'GIFT_CODE_ALREADY_REDEEMED')
  })
})

describe('a refund', () => {
  it('takes a code, and what is left of its time; a reversal gives exactly that back', async () => {
    const ada = await guildhall.register()
    const code = await newCode(ada)
    await redeem(code, ada)
    const { premium_until: until } = await self(ada)
    await refund(code, revokeGift)
    expect(await self(ada)).toMatchObject({ premium_type: 0, premium_until: null, traits: [] })
    expectRefusal(await get(code), 404, 'UNKNOWN_GIFT_CODE')
    expect(listOf(await own(ada))).toEqual([])
    await refund(code, reinstateGift)
    const back = ms((await self(ada))['premium_until'])
    const { state } = await guildhall.ports.aggregates.account.load(idOf(ada))
    if (state.status !== 'registered') throw new Error('gone')
    expect(back - ms(state.premium.since)).toBe(state.premium.ledger.gifts[0]?.time_ms)
    expect(back).toBeGreaterThanOrEqual(ms(until))
    expect(bodyOf(await get(code))).toMatchObject({ redeemed: true })
  })

  it('of a gift that is being redeemed leaves no time behind, in either order', async () => {
    for (let time = 0; time < 5; time += 1) {
      const ada = await guildhall.register()
      const code = await newCode()
      await Promise.all([redeem(code, ada), refund(code, revokeGift)])
      const later = secondsAfter(timestamp(Date.now()), 1)
      await finishUnfinished(guildhall.ports)(later, later)
      expect(await self(ada)).toMatchObject({ premium_type: 0, premium_until: null })
    }
  })
})

describe('List own gift codes', () => {
  it('has those that the caller bought, newest first, and says who redeemed them', async () => {
    const [ada, brian] = [await guildhall.register(), await guildhall.register()]
    const first = await newCode(ada)
    const bought_ms = Date.now()
    // Those of one millisecond have no order.
    await expect.poll(() => Date.now()).toBeGreaterThan(bought_ms)
    const second = await newCode(ada, { unit: 'years', quantity: 1 })
    await redeem(first, brian)
    expect(listOf(await own(ada))).toMatchObject([
      { code: second, duration_type: 'years', redeemed_at: null, redeemed_by: null, created_by: { id: ada.id } },
      { code: first, redeemed_by: { id: brian.id } },
    ])
    expect(listOf(await own(brian))).toEqual([])
  })
})

describe('Generate gift codes', () => {
  it('gives links of codes that work, with one entry in the audit log', async () => {
    const root = await administrator(guildhall, 'admin:authenticate', 'gift_codes:generate')
    const body = { count: 3, duration_type: 'weeks', duration_quantity: 2 }
    const { codes } = bodyOf(await guildhall.request('POST', '/v1/admin/gift-codes', { token: root.token, body }))
    expect(codes).toHaveLength(3)
    const entry = (await auditEntries(guildhall)).findLast(({ adminId }) => adminId === root.id)
    expect(entry).toMatchObject({
      action: 'generate_gift_codes',
      targetType: 'gift_code',
      metadata: { count: '3', duration_type: 'weeks', duration_quantity: '2' },
    })
    const code = String((codes as readonly string[])[0]).replace(/^.*\/gift\//, '')
    expect(code).toMatch(/^[A-Za-z0-9]{32}$/)
    const ada = await guildhall.register()
    expect((await redeem(code, ada)).status).toBe(204)
    expect(bodyOf(await get(code))).not.toHaveProperty('created_by')
  })

  it('gives links to a page on which a gift is redeemed by whoever signs in', async () => {
    const [root, ada] = await Promise.all([
      administrator(guildhall, 'admin:authenticate', 'gift_codes:generate'),
      guildhall.register(),
    ])
    const body = { count: 1, duration_type: 'weeks', duration_quantity: 2 }
    const { codes } = bodyOf(await guildhall.request('POST', '/v1/admin/gift-codes', { token: root.token, body }))
    const link = String((codes as readonly string[])[0])
    expect((await sendForm(await openPage(link), { name: ada.email, password: ada.password })).status).toBe(200)
    const later = await openPage(link)
    expect(later).toMatchObject({ status: 200, text: expect.stringContaining('already') })
    expect(later.text).not.toContain('<form')
  })

  it('keeps no code in the clear', async () => {
    const code = await newCode()
    const gift = giftIdOf(guildhall.ports, code)
    for await (const page of guildhall.store.events.readStream(`gift-${gift}`, -1))
      for (const event of page)
        expect(JSON.stringify(event, (_, value: unknown) => (typeof value === 'bigint' ? '' : value))).not.toContain(
          code,
        )
    const { state } = await guildhall.ports.aggregates.gift.load(gift)
    expect(state.status === 'minted' && openCode(guildhall.ports, gift, state.code)).toBe(code)
  })
})
