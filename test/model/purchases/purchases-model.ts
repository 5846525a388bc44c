import {
  account,
  sale,
  type Day,
  type ModelAccount,
  type ModelSale,
  type Said,
  type SaleName,
  type State,
  type Who,
} from './sales-and-accounts.ts'

const renewalLag = 3

/** Purchases, gifts and premium of two accounts as a plain object: what must be at the end, whoever died or came twice. */
export class PurchasesModel {
  readonly accounts: Readonly<Record<Who, ModelAccount>> = { ada: account(), grace: account() }
  readonly sales: Readonly<Record<SaleName, ModelSale>> = {
    subscriptionA: sale('subscriptionA', 30),
    subscriptionB: sale('subscriptionB', 30),
    upgradeB: sale('upgradeB', 60),
    giftA: sale('giftA', 0),
    giftB: sale('giftB', 0),
  }
  readonly #monthAfter: (day: Day) => Day

  readonly #laterOfTwo: readonly SaleName[]

  /** `laterOfTwo` says which subscription counts as the later one where several end on one day: those further behind. */
  constructor(monthAfter: (day: Day) => Day, laterOfTwo: readonly SaleName[]) {
    this.#monthAfter = monthAfter
    this.#laterOfTwo = laterOfTwo
  }

  /** What is refused, or undefined. */
  claim(who: Who, name: SaleName, now: Day): string | undefined {
    const owner = this.#ownerOf(name)
    if (owner !== null && owner !== who && !this.accounts[owner].isErased)
      return 'STORE_PURCHASE_OWNED_BY_OTHER_ACCOUNT'
    this.#take(name, who, now)
    return undefined
  }

  read(name: SaleName, now: Day): void {
    this.#take(name, this.#ownerOf(name), now)
  }

  /** The owner, or who has what this purchase replaces. */
  #ownerOf(name: SaleName): Who | null {
    const { owner, replaces, isReleased } = this.sales[name]
    const former = replaces === null || isReleased ? null : this.sales[replaces].owner
    return owner ?? (former !== null && !this.accounts[former].isErased ? former : null)
  }

  #take(name: SaleName, owner: Who | null, now: Day): void {
    const taken = this.sales[name]
    // What it replaces is read first where nobody has heard of it: it may replace another one itself.
    if (taken.replaces && this.sales[taken.replaces].known === null) this.read(taken.replaces, now)
    taken.known = { ...taken.said, state: stateOf(taken.said, taken.isGift, now) }
    taken.owner = owner
    const replaced = taken.replaces && this.sales[taken.replaces]
    // Also one that nobody has claimed or told of yet: it gives nothing to who claims it later.
    if (replaced) {
      replaced.isSuperseded = true
      if (replaced.owner !== null) this.#compute(replaced.owner, now)
    }
    this.#settle(taken, now)
  }

  voidOrder(name: SaleName, now: Day): void {
    this.read(name, now)
    const voided = this.sales[name]
    const isNew = voided.isGift ? voided.voided === null : voided.voided?.order !== voided.said.order
    if (isNew) voided.voided = { order: voided.said.order, day: now }
    this.#settle(voided, now)
  }

  release(who: Who, name: SaleName, now: Day): void {
    Object.assign(this.sales[name], { owner: null, isReleased: true })
    this.accounts[who].cuts.delete(name)
    this.accounts[who].links.delete(name)
    this.#compute(who, now)
  }

  redeem(who: Who, name: SaleName, now: Day): string | undefined {
    const gift = this.sales[name]
    if (!gift.hasCode || gift.isGiftRevoked) return 'UNKNOWN_GIFT_CODE'
    if (gift.redeemer !== null) return 'GIFT_CODE_ALREADY_REDEEMED'
    gift.redeemer = who
    const { gifts, until } = this.accounts[who]
    const base = Math.max(now, until ?? now, this.giftEnd(who) ?? now)
    gifts.push({ name, at: now, days: this.#monthAfter(base) - base })
    return undefined
  }

  /** Payments for subscriptions of store B are stopped. */
  erase(who: Who, now: Day): void {
    const gone = this.accounts[who]
    if (gone.isErased) return
    gone.isErased = true
    for (const owned of Object.values(this.sales)) {
      if (owned.owner !== who || owned.isGift || !owned.isOfB || owned.known === null || owned.isSuperseded) continue
      if (!['active', 'grace'].includes(this.stateOf(owned.name))) continue
      owned.said = { ...owned.said, isCanceled: true }
      this.read(owned.name, now)
    }
  }

  /** The state of a purchase that was read, without `superseded` and `fulfilled`. */
  stateOf(name: SaleName): State {
    const { known, voided, isGift } = this.sales[name]
    if (voided !== null && (isGift || voided.order === known?.order)) return 'revoked'
    return known?.state ?? 'expired'
  }

  #settle(settled: ModelSale, now: Day): void {
    const { owner, name } = settled
    const links = owner && this.accounts[owner].links
    if (links && !links.has(name)) links.set(name, now)
    if (!settled.isGift) {
      if (owner !== null) this.#compute(owner, now)
      return
    }
    const isPaid = this.stateOf(name) === 'active'
    if (isPaid && owner !== null) settled.hasCode = true
    if (settled.hasCode && owner !== null) this.accounts[owner].codes.add(name)
    if (!settled.hasCode || settled.isGiftRevoked === !isPaid) return
    settled.isGiftRevoked = !isPaid
    const redeemer = settled.redeemer && this.accounts[settled.redeemer]
    if (!redeemer || redeemer.isErased) return
    if (isPaid) this.#giveBack(redeemer, name, now)
    else this.#takeTime(redeemer, name, now)
  }

  /** What is left of a gift is the gift time after now and after all that is paid that ends sooner without it. */
  #takeTime(from: ModelAccount, name: SaleName, now: Day): void {
    const rest = from.gifts.filter((gift) => gift.name !== name)
    const floor = Math.max(now, from.until ?? now)
    const days =
      Math.max(floor, endOf(from.gifts, from.paid) ?? floor) - Math.max(floor, endOf(rest, from.paid) ?? floor)
    from.gifts = rest
    from.taken.push({ name, days })
  }

  #giveBack(to: ModelAccount, name: SaleName, now: Day): void {
    const days = to.taken.find((each) => each.name === name)?.days ?? 0
    to.taken = to.taken.filter((each) => each.name !== name)
    to.gifts.push({ name, at: now, days })
  }

  /** The day at which all gift time of an account is used up. */
  giftEnd(who: Who): Day | null {
    return endOf(this.accounts[who].gifts, this.accounts[who].paid)
  }

  #grants = ({ name, isSuperseded }: ModelSale): boolean =>
    !isSuperseded && ['active', 'canceled', 'grace'].includes(this.stateOf(name))

  /**
   * Premium follows the subscription that gives access the longest; without one it is cut. A day that several pay for is paid once,
   * and stays paid as long as one of them was not refunded.
   */
  #compute(who: Who, now: Day): void {
    const computed = this.accounts[who]
    if (computed.isErased) return
    const owned = Object.values(this.sales).filter((each) => each.owner === who && !each.isGift && each.known !== null)
    const [best] = owned
      .filter((each) => this.#grants(each) && !isLate(each, now))
      .toSorted((one, other) => accessEnd(other) - accessEnd(one) || this.#order(other) - this.#order(one))
    for (const each of owned) if (each !== best) this.#reverse(computed, each, now)
    if (best === undefined || this.#isRefunded(owned, computed.payer)) this.#cut(computed, owned, now)
    if (best) this.#pay(computed, best, now)
  }

  #order = ({ name }: ModelSale): number => this.#laterOfTwo.indexOf(name)

  #isRefunded(owned: readonly ModelSale[], name: SaleName | null): boolean {
    const payer = owned.find((each) => each.name === name)
    return payer !== undefined && !payer.isSuperseded && this.stateOf(payer.name) === 'revoked'
  }

  /** Whether a subscription paid for a day, whichever of them premium followed then. What replaces one has the rest of it. */
  #paidFor({ links }: ModelAccount, { name, known, isSuperseded }: ModelSale, day: Day, now: Day): boolean {
    const link = links.get(name)
    if (known === null || isSuperseded || link === undefined || day < link || day >= known.expires) return false
    return this.#grants(this.sales[name]) || day < Math.min(now, this.#revokedOn(this.sales[name]) ?? now)
  }

  #reverse(to: ModelAccount, { name, known, isSuperseded }: ModelSale, now: Day): void {
    const cut = to.cuts.get(name)
    if (!cut?.isRefunded || isSuperseded || this.stateOf(name) === 'revoked') return
    const end = this.#grants(this.sales[name]) ? (known?.expires ?? now) : now
    const days = cut.days.filter((day) => day < end)
    for (const day of days) to.paid.add(day)
    to.cuts.delete(name)
    if (to.until !== null) to.until = Math.max(to.until, ...days.map((day) => day + 1))
  }

  #pay(to: ModelAccount, { name, known }: ModelSale, now: Day): void {
    const expires = known?.expires ?? now
    const cut = to.cuts.get(name)
    const reversed = cut?.isRefunded ? cut : undefined
    const from = Math.max(now, to.until ?? now, reversed?.to ?? now)
    // What is past stays paid: only a refund takes it.
    for (const day of to.paid) if (day >= expires && day >= now) to.paid.delete(day)
    for (const day of reversed?.days ?? []) if (day < expires) to.paid.add(day)
    for (let day = from; day < expires; day += 1) to.paid.add(day)
    for (const [other, { days, isRefunded }] of to.cuts)
      if (isRefunded && other !== name)
        for (const day of days) if (this.#paidFor(to, this.sales[name], day, now)) to.paid.add(day)
    to.cuts.delete(name)
    Object.assign(to, { until: expires, payer: name })
  }

  #cut(from: ModelAccount, owned: readonly ModelSale[], now: Day): void {
    const { until, cuts } = from
    if (until === null) return
    const before = from.payer === null ? [...cuts].findLast(([, cut]) => cut.from === until) : undefined
    const name = from.payer ?? before?.[0]
    const payer = owned.find((each) => each.name === name)
    if (name === undefined || (payer && this.#grants(payer))) return
    const isRefunded = this.#isRefunded(owned, name)
    const end = Math.min(until, now, (payer && this.#revokedOn(payer)) ?? now)
    if (before && (before[1].isRefunded || !isRefunded) && end === until) return
    // Only a refund takes days that are past.
    const isKept = (day: Day): boolean =>
      isRefunded ? owned.some((each) => this.#paidFor(from, each, day, now)) : day < now
    const days = [...from.paid].filter((day) => day >= end && !isKept(day))
    for (const day of days) from.paid.delete(day)
    const earlier = cuts.get(name)
    cuts.delete(name)
    cuts.set(name, { days: [...days, ...(earlier?.days ?? [])], from: end, to: earlier?.to ?? until, isRefunded })
    Object.assign(from, { until: end, payer: null })
  }

  #revokedOn({ name, voided, known, isSuperseded }: ModelSale): Day | null {
    if (isSuperseded || this.stateOf(name) !== 'revoked') return known?.revoked ?? null
    return voided !== null && voided.order === known?.order ? voided.day : (known?.revoked ?? null)
  }
}

function stateOf({ revoked, expires, graceEnds, isCanceled }: Said, isGift: boolean, now: Day): State {
  if (revoked !== null) return 'revoked'
  if (isGift || expires > now) return isCanceled ? 'canceled' : 'active'
  return graceEnds !== null && graceEnds > now ? 'grace' : 'expired'
}

function accessEnd({ known }: ModelSale): Day {
  if (known === null) return 0
  return known.state === 'grace' ? (known.graceEnds ?? known.expires) : known.expires
}

function isLate({ known }: ModelSale, now: Day): boolean {
  if (known === null) return true
  return known.state === 'grace' ? (known.graceEnds ?? known.expires) < now : known.expires + renewalLag < now
}

/** Counted day by day: each gift runs from its redemption, after those before it, while nothing is paid. */
function endOf(gifts: ModelAccount['gifts'], paid: ReadonlySet<Day>): Day | null {
  if (gifts.length === 0) return null
  let left = 0
  let end = -1
  const waiting = [...gifts]
  for (let day = 0; waiting.length > 0 || left > 0; day += 1) {
    while (waiting[0] !== undefined && waiting[0].at <= day) left += waiting.shift()?.days ?? 0
    if (left > 0 && !paid.has(day)) {
      left -= 1
      end = day + 1
    }
  }
  return end
}
