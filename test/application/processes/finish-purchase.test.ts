import { describe, expect, it } from 'vitest'
import { redeemGift } from '../../../application/identity/gifts/redeem-gift.ts'
import { claimStoreA, claimStoreB } from '../../../application/identity/purchases/claim-purchase.ts'
import { storeTokenOf } from '../../../application/identity/purchases/store-token.ts'
import { notificationSeal } from '../../../application/identity/purchases/take-notification.ts'
import { applyNotification } from '../../../application/processes/apply-notification.ts'
import { finishUnfinished } from '../../../application/processes/finish-unfinished.ts'
import { readDuePurchase } from '../../../application/processes/read-due-purchases.ts'
import { keyText } from '../../../application/identity/purchases/purchase-key.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { secondsAfter, timestamp, msOf } from '../../../domain/kernel/timestamp.ts'
import type { PurchaseSlot, StoreProvider } from '../../../domain/store-purchase/purchase-facts.ts'
import { shownPurchase } from '../../../domain/store-purchase/shown-purchase.ts'
import { noteFault } from '../../support/fault-table.ts'
import { typesOf } from '../support/happenings.ts'
import { keyOf, memoryShops, type Sale } from '../support/memory-shops.ts'
import { Died, world } from '../support/world.ts'

/** An account, and a purchase that its app has just made: it carries the account's token. */
async function bought(provider: StoreProvider, slot: PurchaseSlot) {
  const shops = memoryShops()
  const on = world({ shops: shops.open, instance: { hosted: true } })
  const ada = await on.newcomer('Ada')
  const accountToken = await storeTokenOf(on.ports, ada, on.requester().context)
  const expiresAt = slot === 'monthly' ? secondsAfter(on.now, 30 * 86_400) : null
  const sale = shops.sell({ provider, slot, key: 'one', accountToken, expiresAt })
  await on.ports.readModels.reached(0n)
  return { on, shops, ada, sale }
}

type Bought = Awaited<ReturnType<typeof bought>>

const streamOf = ({ on, sale }: Bought): string => {
  const key = keyOf(sale)
  const text = key.provider === 'store_b' ? keyText(key) : keyText({ ...key, environment: 'production' })
  return on.ports.storeHash(text)
}

async function claim({ on, sale }: Bought, account: AccountId, commandId: string, mayRepeat = false) {
  const caller = await on.as(account, { commandId, mayRepeat })
  return sale.provider === 'store_a'
    ? claimStoreA(on.ports)(caller, sale.key)
    : claimStoreB(on.ports)(caller, { purchaseToken: sale.key, productId: sale.slot, packageName: undefined })
}

const none = { lost: 0, repeated: 0, reordered: 0, divergent: 0, stuck_s: 0 }
const requestId = '018f0000-0000-7000-8000-000000000001'
const upgradeId = '018f0000-0000-7000-8000-000000000004'

async function notify({ on, sale }: Bought, id = 'n'): Promise<void> {
  const sealed = on.ports.storeBox.seal(notificationSeal, JSON.stringify({ key: keyOf(sale), voided: null }))
  await applyNotification(on.ports)({ sealed: sealed.toString('base64'), id, failures: 0 }, on.now)
}

async function finish({ on }: Bought) {
  await on.ports.readModels.reached(0n)
  return finishUnfinished(on.ports)(timestamp(msOf(on.now) + 1), on.now)
}

/** Who may come first after the process died. A purchase that was never recorded is not due, and nobody has to finish it. */
const finishers: Readonly<Record<string, (stage: Bought) => Promise<unknown>>> = {
  'the client': (stage) => claim(stage, stage.ada, requestId, true),
  'a notification': (stage) => notify(stage),
  'the due reading': async (stage) => {
    const { on } = stage
    await readDuePurchase(on.ports)(streamOf(stage), 1, on.now)
  },
  'the process manager': (stage) => finish(stage),
}

const typesOfPurchases = /^(StorePurchase(?!Read|Settled)|Gift(?!CodesSeen)|Purchase|Premium)/

/** The facts of a purchase, its code and its account, and how often each event happened that happens once. */
async function endOf(stage: Bought) {
  const { on, ada, sale } = stage
  const { state } = await on.ports.aggregates.storePurchase.load(streamOf(stage))
  const { state: account } = await on.ports.aggregates.account.load(ada)
  if (state.status !== 'seen' || account.status !== 'registered') throw new Error('nothing was bought')
  const gift = state.gift === null ? null : (await on.ports.aggregates.gift.load(state.gift)).state
  const types = (await typesOf(on)).filter((type) => typesOfPurchases.test(type))
  return {
    types: types.toSorted(),
    shown: shownPurchase(state).state,
    isFulfilled: state.fulfilledAt !== null,
    isSettled: state.settled_count === state.changes_count,
    codes_count: gift?.status === 'minted' ? 1 : 0,
    delivered_count: sale.delivered_count,
    obtained_count: account.premium.gifts.obtained_count,
    until: account.premium.until,
  }
}

/** How the same ends without a death. */
async function endOfLife(provider: StoreProvider, slot: PurchaseSlot) {
  const stage = await bought(provider, slot)
  await claim(stage, stage.ada, requestId)
  return endOf(stage)
}

const sold: readonly (readonly [StoreProvider, Sale['slot']])[] = [
  ['store_a', 'monthly'],
  ['store_a', 'gift_1_month'],
  ['store_b', 'monthly'],
  ['store_b', 'gift_1_month'],
]

describe.each(sold)('F1, F2: a claim of %s, %s, whose process dies', (provider, slot) => {
  it.each(Object.keys(finishers))('is done once, where %s comes first afterwards', async (first) => {
    const found = { lost: 0, repeated: 0, divergent: 0 }
    const whole = await endOfLife(provider, slot)
    let runs = 0
    for (let isDead = true; isDead; runs += 1) {
      const stage = await bought(provider, slot)
      const { on } = stage
      on.dieAfter(runs)
      const answer = await claim(stage, stage.ada, requestId).catch((error: unknown) => error)
      isDead = answer instanceof Died
      on.restart()
      await on.ports.readModels.reached(0n)
      await finishers[first]?.(stage).catch((error: unknown) => {
        throw new Error(`${first} after ${runs} acts`, { cause: error })
      })
      if (first === 'a notification') expect(await endOf(stage)).toStrictEqual(whole)
      const repeated = await claim(stage, stage.ada, requestId, true)
      if (!isDead) expect(repeated).toStrictEqual(answer)
      for (const again of Object.values(finishers)) await again(stage).catch(() => undefined)
      expect(await finish(stage)).toStrictEqual({ finished: 0, failures: [] })
      const end = await endOf(stage)
      found.lost += whole.types.filter((type) => !end.types.includes(type)).length
      found.repeated += end.types.filter((type, index) => end.types.indexOf(type) !== index).length
      found.divergent += JSON.stringify(end) === JSON.stringify(whole) ? 0 : 1
    }
    noteFault('F1p', { title: `claim of ${provider} ${slot}, then ${first}`, runs, reordered: 0, stuck_s: 0, ...found })
    expect(found).toStrictEqual({ lost: 0, repeated: 0, divergent: 0 })
    expect(runs).toBeGreaterThan(3)
  })
})

describe('F1, F2: an upgrade in store B whose process dies', () => {
  it('has what it replaces superseded, where the process manager comes first afterwards', async () => {
    let runs = 0
    let died_count = 0
    for (let isDead = true; isDead; runs += 1) {
      const stage = await bought('store_b', 'monthly')
      const { on, shops, ada, sale } = stage
      await claim(stage, ada, requestId)
      const [{ accountToken }, expiresAt] = [sale, secondsAfter(on.now, 365 * 86_400)]
      const upgrade = shops.sell({
        provider: 'store_b',
        slot: 'monthly',
        key: 'two',
        accountToken,
        expiresAt,
        replaces: 'one',
      })
      on.dieAfter(runs)
      const upgraded = { ...stage, sale: upgrade }
      isDead = (await claim(upgraded, ada, upgradeId).catch((error: unknown) => error)) instanceof Died
      on.restart()
      expect((await finish(stage)).failures).toStrictEqual([])
      for (const { payload } of shops.jobs.values())
        await readDuePurchase(on.ports)((payload as { readonly purchase: string }).purchase, 1, on.now)
      const [old, recent] = await Promise.all(
        [stage, upgraded].map(async (each) => (await on.ports.aggregates.storePurchase.load(streamOf(each))).state),
      )
      // What was never recorded replaces nothing yet.
      const isRecorded = recent?.status === 'seen' && recent.reading !== null
      died_count += isDead && isRecorded ? 1 : 0
      expect(old?.status === 'seen' && shownPurchase(old).state).toBe(isRecorded ? 'superseded' : 'active')
    }
    noteFault('F1t', { title: 'upgrade in store B, then the process manager', runs, ...none })
    expect(died_count).toBeGreaterThan(2)
  })
})

const month_ms = 31 * 86_400_000

/** A gift that its buyer has claimed, and has redeemed if `redeemed`. */
async function giftOf(provider: StoreProvider, redeemed: boolean) {
  const stage = await bought(provider, 'gift_1_month')
  const { gift_code } = await claim(stage, stage.ada, requestId)
  const redeem = async (mayRepeat: boolean, commandId = redemptionId): Promise<void> =>
    redeemGift(stage.on.ports)(await stage.on.as(stage.ada, { commandId, mayRepeat }), gift_code ?? '')
  if (redeemed) await redeem(false)
  return { ...stage, redeem }
}

const redemptionId = '018f0000-0000-7000-8000-000000000002'

/** How long gift time lasts, what was taken, and what is left to do. */
async function timeOf({ on, ada }: Bought) {
  const { state } = await on.ports.aggregates.account.load(ada)
  const ledger = state.status === 'registered' ? state.premium.ledger : undefined
  const { finished } = await finish({ on } as Bought)
  return {
    given_ms: ledger?.gifts.map(({ time_ms }) => time_ms),
    taken_ms: ledger?.taken.map(({ time_ms }) => time_ms),
    finished,
  }
}

const isOnce = async ({ on }: Bought): Promise<boolean> => {
  const types = (await typesOf(on)).filter((type) => type.startsWith('Gift'))
  return new Set(types).size === types.length
}

describe('F1, F2: a redemption whose process dies', () => {
  it.each(['the client', 'the process manager'])(
    'gives its time once, where %s comes first afterwards',
    async (first) => {
      let runs = 0
      for (let isDead = true; isDead; runs += 1) {
        const stage = await giftOf('store_b', false)
        stage.on.dieAfter(runs)
        isDead = (await stage.redeem(false).catch((error: unknown) => error)) instanceof Died
        stage.on.restart()
        if (first === 'the process manager') await finish(stage)
        await stage.redeem(true)
        expect(await timeOf(stage)).toStrictEqual({ given_ms: [month_ms], taken_ms: [], finished: 0 })
        expect(await isOnce(stage)).toBe(true)
        await expect(stage.redeem(false, '018f0000-0000-7000-8000-000000000003')).rejects.toThrow(
          'GIFT_CODE_ALREADY_REDEEMED',
        )
      }
      noteFault('F1q', { title: `redemption, then ${first}`, runs, ...none })
      expect(runs).toBeGreaterThan(3)
    },
  )
})

describe('F1, F2: a refund of a redeemed gift whose process dies', () => {
  it.each(Object.keys(finishers).filter((name) => name !== 'the client'))(
    'takes the time once, and gives it back once, where %s comes first afterwards',
    async (first) => {
      let runs = 0
      for (let isDead = true; isDead; runs += 1) {
        const stage = await giftOf('store_a', true)
        const { on, sale } = stage
        isDead = false
        for (const [revokedAt, id] of [
          [on.now, 'refunded'],
          [null, 'reversed'],
        ] as const) {
          sale.revokedAt = revokedAt
          on.dieAfter(runs)
          isDead = (await notify(stage, id).catch((error: unknown) => error)) instanceof Died || isDead
          on.restart()
          await on.ports.readModels.reached(0n)
          await finishers[first]?.(stage)
          await notify(stage, id)
          const time = { given_ms: revokedAt ? [] : [month_ms], taken_ms: revokedAt ? [month_ms] : [], finished: 0 }
          expect([runs, await timeOf(stage)]).toStrictEqual([runs, time])
          if (revokedAt !== null) expect(await isOnce(stage)).toBe(true)
        }
      }
      noteFault('F1r', { title: `refund and reversal, then ${first}`, runs, ...none })
      expect(runs).toBeGreaterThan(5)
    },
  )
})

describe('F24: a store that does not answer', () => {
  it.each(sold)('links nothing of %s, %s, whoever asks; what was told late is told once', async (provider, slot) => {
    const stage = await bought(provider, slot)
    const { on, shops, ada } = stage
    const known = (await on.events()).length
    shops.answers = false
    for (const ask of Object.values(finishers)) await ask(stage).catch(() => undefined)
    expect([...shops.jobs.keys()]).toStrictEqual(['store notification n 1'])
    expect(await on.events()).toHaveLength(known)
    shops.answers = true
    await claim(stage, ada, requestId, true)
    expect(await endOf(stage)).toStrictEqual(await endOfLife(provider, slot))
  })
})
