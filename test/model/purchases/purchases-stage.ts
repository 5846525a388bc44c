import { redeemGift } from '../../../application/identity/gifts/redeem-gift.ts'
import { claimStoreA, claimStoreB } from '../../../application/identity/purchases/claim-purchase.ts'
import { releasePurchase } from '../../../application/identity/purchases/own-purchases.ts'
import { notificationSeal } from '../../../application/identity/purchases/take-notification.ts'
import { giftCodeOfPurchase } from '../../../application/identity/gifts/gift-codes.ts'
import { Refused } from '../../../application/commands/refused.ts'
import { applyNotification } from '../../../application/processes/apply-notification.ts'
import { eraseAccount } from '../../../application/processes/erase-account.ts'
import { finishUnfinished } from '../../../application/processes/finish-unfinished.ts'
import { NotReadYet, readDuePurchase } from '../../../application/processes/read-due-purchases.ts'
import { keyText } from '../../../application/identity/purchases/purchase-key.ts'
import { after } from '../../../domain/premium/gift-duration.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { msOf, secondsAfter, timestamp, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { shownPurchase } from '../../../domain/store-purchase/shown-purchase.ts'
import { keyOf, memoryShops, type Sale } from '../../application/support/memory-shops.ts'
import { Died, world, type World } from '../../application/support/world.ts'
import { PurchasesModel } from './purchases-model.ts'
import type { Act, Day, SaleName, Step, Who } from './sales-and-accounts.ts'

const day_ms = 86_400_000
const names: readonly SaleName[] = ['subscriptionA', 'subscriptionB', 'upgradeB', 'giftA', 'giftB']
const people: readonly Who[] = ['ada', 'grace']
const renewal_days = 30

/** The service in memory with both stores, and the model beside it. */
export class PurchasesStage {
  #commands_count = 0
  #today: Day = 0
  readonly model: PurchasesModel
  readonly on: World
  readonly ids: Readonly<Record<Who, AccountId>>
  readonly sales: Readonly<Record<SaleName, Sale>>
  readonly origin: Timestamp

  private constructor(on: World, ids: PurchasesStage['ids'], sales: PurchasesStage['sales']) {
    this.on = on
    this.ids = ids
    this.sales = sales
    this.origin = on.now
    this.model = new PurchasesModel(
      (day) => this.#dayOf(after(this.#instant(day), { unit: 'months', quantity: 1 })),
      names.toSorted((one, other) => (this.#streamOf(one) < this.#streamOf(other) ? -1 : 1)),
    )
  }

  static async open(): Promise<PurchasesStage> {
    const shops = memoryShops()
    const on = world({ shops: shops.open, instance: { hosted: true } })
    const ids = { ada: await on.newcomer('Ada'), grace: await on.newcomer('Grace') }
    const end = (days: Day): Timestamp => secondsAfter(on.now, days * 86_400)
    const sales = {
      subscriptionA: shops.sell({ provider: 'store_a', key: 'a', slot: 'monthly', expiresAt: end(30) }),
      subscriptionB: shops.sell({ provider: 'store_b', key: 'b', slot: 'monthly', expiresAt: end(30) }),
      upgradeB: shops.sell({ provider: 'store_b', key: 'u', slot: 'monthly', expiresAt: end(60), replaces: 'b' }),
      giftA: shops.sell({ provider: 'store_a', key: 'ga', slot: 'gift_1_month' }),
      giftB: shops.sell({ provider: 'store_b', key: 'gb', slot: 'gift_1_month' }),
    }
    return new PurchasesStage(on, ids, sales)
  }

  #instant(day: Day): Timestamp {
    return secondsAfter(this.origin, day * 86_400)
  }
  #dayOf(at: Timestamp): Day {
    return (msOf(at) - msOf(this.origin)) / day_ms
  }

  /** Lets time pass and plays one act in the service and in the model. */
  async play({ wait, act, dies, first }: Step): Promise<void> {
    this.#today += wait
    this.on.wait(wait * day_ms)
    await this.#catchUp()
    const { sale: name } = act
    if (this.#isSkipped(act)) return
    this.#sell(act)
    const send = this.#requestOf(act)
    if (dies !== null) this.on.dieAfter(dies)
    let outcome = await settled(send(false))
    if (outcome instanceof Died) {
      this.on.restart()
      await this.#catchUp()
      if (first === 'the process manager') await this.#finish()
      if (first === 'a notification' && name) await this.#notify(name)
      if (first === 'the due reading' && name) await this.#readDue(name)
      outcome = await settled(send(true))
    }
    this.on.restart()
    await this.#finish()
    if (outcome instanceof Error && !(outcome instanceof Refused)) throw outcome
    const expected = this.#playModel(act)
    const code = outcome instanceof Refused ? outcome.refusal.code : undefined
    if (code !== expected) throw new Error(`${JSON.stringify(act)} gave ${code}, not ${expected}`)
    // Whoever may have come first comes once more. An erasure reads what replaced another one; the next reading supersedes that.
    const again = act.act === 'erase' && this.model.sales.upgradeB.known !== null ? 'upgradeB' : name
    if (dies !== null && again && act.act !== 'redeem') {
      await this.#notify(again)
      this.model.read(again, this.#today)
    }
  }

  #isSkipped({ act, who, sale: name }: Act): boolean {
    const { accounts, sales } = this.model
    if (who && accounts[who].isErased) return true
    if (act === 'release') return sales[name].owner !== who
    if (act === 'redeem') return sales[name].known === null
    if (act === 'reverse') return sales[name].said.revoked === null || sales[name].isOfB
    if (act === 'renew' || act === 'refund' || act === 'void') return sales[name].said.revoked !== null
    return false
  }

  /** What happens in the store, in both. */
  #sell({ act, sale: name, ago = 0 }: Act): void {
    const today = this.#today
    const changed = name && this.model.sales[name]
    if (!changed) return
    const { said } = changed
    if (act === 'renew') {
      const expires = Math.max(today, said.expires) + renewal_days
      changed.said = { ...said, expires, graceEnds: null, isCanceled: false, order: said.order + 1 }
    }
    if (act === 'grace') changed.said = { ...said, graceEnds: said.expires + 7 }
    if (act === 'cancel') changed.said = { ...said, isCanceled: true }
    if (act === 'refund') changed.said = { ...said, revoked: Math.max(0, today - ago) }
    if (act === 'reverse') changed.said = { ...said, revoked: null }
    const { expires, graceEnds, isCanceled, revoked, order } = changed.said
    Object.assign(this.sales[name], {
      orderId: `order ${order} of ${name}`,
      expiresAt: changed.isGift ? null : this.#instant(expires),
      graceEndsAt: graceEnds === null ? null : this.#instant(graceEnds),
      isCanceled,
      revokedAt: revoked === null ? null : this.#instant(revoked),
    })
  }

  /** The request or job of an act; the same once more if it repeats. */
  #requestOf({ act, who, sale: name }: Act): (mayRepeat: boolean) => Promise<unknown> {
    this.#commands_count += 1
    const commandId = `018f0000-0000-7000-8000-${String(this.#commands_count).padStart(12, '0')}`
    const caller = (mayRepeat: boolean) => this.on.as(this.ids[who], { commandId, mayRepeat })
    switch (act) {
      case 'claim':
        return async (again) => this.#claim(await caller(again), this.sales[name])
      case 'redeem':
        return async (again) =>
          redeemGift(this.on.ports)(await caller(again), giftCodeOfPurchase(this.on.ports, this.#streamOf(name)))
      case 'release':
        return (again) => this.#release(who, name, () => caller(again))
      case 'erase':
        return () => this.#erase(this.ids[who])
      case 'void':
        return () => this.#notify(name, this.on.now)
      default:
        return () => this.#notify(name)
    }
  }

  #claim(caller: Parameters<ReturnType<typeof claimStoreA>>[0], { provider, key, slot }: Sale) {
    return provider === 'store_a'
      ? claimStoreA(this.on.ports)(caller, key)
      : claimStoreB(this.on.ports)(caller, { purchaseToken: key, productId: slot, packageName: undefined })
  }

  /** A client that lost the answer releases again, and learns that it has nothing to release. */
  async #release(who: Who, name: SaleName, caller: () => ReturnType<World['as']>): Promise<void> {
    const { state } = await this.on.ports.aggregates.storePurchase.load(this.#streamOf(name))
    if (state.status !== 'seen' || state.owner !== this.ids[who]) return this.#finish()
    await releasePurchase(this.on.ports)(await caller(), state.purchaseId)
  }

  async #erase(id: AccountId): Promise<void> {
    const { account } = this.on.ports.aggregates
    const { state } = await account.load(id)
    if (state.status !== 'registered') return this.#finish()
    const { context } = this.on.requester()
    await account.execute(id, { type: 'ScheduleSelfDeletion', dueAt: this.on.now }, context)
    await this.#catchUp()
    await eraseAccount(this.on.ports)(id, this.on.now)
  }

  async #notify(name: SaleName, voidedAt?: Timestamp): Promise<void> {
    const sale = this.sales[name]
    const voided = voidedAt ? { orderId: sale.orderId, voidedAt } : null
    const { storeBox } = this.on.ports
    const sealed = storeBox.seal(notificationSeal, JSON.stringify({ key: keyOf(sale), voided })).toString('base64')
    this.#commands_count += 1
    await applyNotification(this.on.ports)({ sealed, id: `n${this.#commands_count}`, failures: 0 }, this.on.now)
  }

  async #readDue(name: SaleName): Promise<void> {
    const read = await settled(readDuePurchase(this.on.ports)(this.#streamOf(name), 1, this.on.now))
    if (read instanceof Error && !(read instanceof NotReadYet)) throw read
  }

  #streamOf(name: SaleName): string {
    const key = keyOf(this.sales[name])
    const text = key.provider === 'store_b' ? keyText(key) : keyText({ ...key, environment: 'production' })
    return this.on.ports.storeHash(text)
  }

  #catchUp = () => this.on.ports.readModels.reached(0n)

  /** What the process managers do. No time passes. */
  async #finish(): Promise<void> {
    await this.#catchUp()
    const { failures } = await finishUnfinished(this.on.ports)(timestamp(msOf(this.on.now) + 1), this.on.now)
    if (failures[0]) throw failures[0].error
  }

  #playModel({ act, who, sale: name }: Act): string | undefined {
    const { model } = this
    const today = this.#today
    if (act === 'claim') return model.claim(who, name, today)
    if (act === 'redeem') return model.redeem(who, name, today)
    if (act === 'release') model.release(who, name, today)
    else if (act === 'erase') model.erase(who, today)
    else if (act === 'void') model.voidOrder(name, today)
    else model.read(name, today)
    return undefined
  }

  /** What the service holds of purchases, codes and premium. */
  async seen(): Promise<object> {
    const { account, gift, storePurchase } = this.on.ports.aggregates
    const purchases = names.map(async (name) => {
      const { state } = await storePurchase.load(this.#streamOf(name))
      // One that was replaced before anybody claimed it was never read.
      if (state.status === 'absent' || state.reading === null)
        return { name, owner: null, shown: null, redeemer: null, delivered: 0 }
      const { state: code } = state.gift === null ? { state: null } : await gift.load(state.gift)
      return {
        name,
        owner: this.#whoIs(state.owner),
        shown: shownPurchase(state).state,
        redeemer: code?.status === 'minted' ? this.#whoIs(code.redemption?.accountId ?? null) : null,
        delivered: this.sales[name].delivered_count,
      }
    })
    const accounts = people.map(async (who) => {
      const { state } = await account.load(this.ids[who])
      if (state.status !== 'registered') return { who, isErased: true }
      const { until, ledger, giftUntil, gifts } = state.premium
      return {
        who,
        codes_count: gifts.obtained_count,
        until: until && this.#dayOf(until),
        giftEnd: this.#running(giftUntil && this.#dayOf(giftUntil)),
        given: ledger.gifts.map(({ time_ms }) => time_ms / day_ms),
        taken: ledger.taken.map(({ time_ms }) => time_ms / day_ms),
      }
    })
    return { purchases: await Promise.all(purchases), accounts: await Promise.all(accounts) }
  }

  /** The same of the model. */
  expected(): object {
    const purchases = names.map((name) => {
      const { known, owner, redeemer } = this.model.sales[name]
      const delivered = this.sales[name].delivered_count > 0 ? 1 : 0
      return { name, owner, redeemer, delivered, shown: known && this.#shown(name) }
    })
    const accounts = people.map((who) => {
      const { isErased, until, gifts, taken, codes } = this.model.accounts[who]
      if (isErased) return { who, isErased }
      const [given, back] = [gifts.map(({ days }) => days), taken.map(({ days }) => days)]
      return {
        who,
        codes_count: codes.size,
        until,
        giftEnd: this.#running(this.model.giftEnd(who)),
        given,
        taken: back,
      }
    })
    return { purchases, accounts }
  }

  #shown(name: SaleName) {
    const { isGift, isSuperseded, hasCode } = this.model.sales[name]
    const state = this.model.stateOf(name)
    if (!isGift) return isSuperseded ? 'superseded' : state
    if (state === 'revoked') return 'refunded'
    return hasCode ? 'fulfilled' : 'purchased'
  }

  #whoIs = (id: AccountId | null): Who | null => people.find((who) => this.ids[who] === id) ?? null
  /** What is over may still be stored; it changes nothing. */
  #running = (day: Day | null): Day | null => (day !== null && day > this.#today ? day : null)
}

const settled = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error)
