import { sameJson } from '../kernel/same-json.ts'
import { hasEnded, secondsAfter, type Timestamp } from '../kernel/timestamp.ts'
import type { PurchaseState } from '../store-purchase/purchase-facts.ts'
import {
  giftEnd,
  spansFrom,
  spansInBoth,
  spansUntil,
  spansWithout,
  withSpans,
  type GiftLedger,
  type Span,
} from './gift-ledger.ts'
import { fieldsOf, later, type Premium, type PremiumFields } from './premium.ts'
import type { AppliedPurchase } from './premium-commands.ts'

/** How long a subscription that still pays counts after its end: a renewal may be read late. */
const renewalLag_s = 3 * 24 * 3600

/** The facts of the events that a computation raises. */
export type AppliedChange =
  | {
      readonly change: 'reversed' | 'paid'
      readonly purchase: string
      readonly premium: PremiumFields
      readonly covers: readonly Span[]
    }
  | {
      readonly change: 'cut'
      readonly purchase: string
      readonly premium: PremiumFields
      readonly refunded: boolean
      readonly kept: readonly Span[]
    }

/**
 * The refund that was taken back without making its purchase the one that pays; undefined for none. It comes before `applied`, as
 * often as there is one.
 */
export function reversal(
  premium: Premium,
  purchases: readonly AppliedPurchase[],
  now: Timestamp,
): AppliedChange | undefined {
  const best = bestOf(premium, purchases, now)
  for (const { purchase, refunded, paid } of premium.ledger.cuts) {
    const known = purchases.find((each) => each.purchase === purchase)
    // What replaced a refunded subscription does not take its refund back.
    const isBack = known !== undefined && known.state !== 'revoked' && known.state !== 'superseded'
    if (!refunded || !isBack || purchase === best?.purchase) continue
    const covers = spansUntil(paid, known.entitled ? (known.expiresAt ?? now) : now)
    const ledger = { ...premium.ledger, paid: withSpans(premium.ledger.paid, covers) }
    const giftUntil = shownGiftEnd(premium, ledger, now)
    const isAgain = premium.type === 0 && giftUntil !== null
    const until = premium.until === null ? null : later(premium.until, covers.at(-1)?.to ?? null)
    const fields = { ...fieldsOf(premium), until, giftUntil }
    return { change: 'reversed', purchase, premium: isAgain ? { ...fields, type: 1, since: now } : fields, covers }
  }
  return undefined
}

/**
 * What a refund takes from the subscription that pays; undefined for nothing. It comes before `applied`, where another one may take
 * its place (decision 119).
 */
export function refund(
  premium: Premium,
  purchases: readonly AppliedPurchase[],
  now: Timestamp,
): AppliedChange | undefined {
  const payer = purchases.find(({ purchase }) => purchase === premium.paidBy)
  return payer?.state === 'revoked' ? cut(premium, purchases, now) : undefined
}

/**
 * Computes premium from the purchases (rules/stores#premium); undefined if nothing changes, as for the same purchases
 * once more.
 */
export function applied(
  premium: Premium,
  purchases: readonly AppliedPurchase[],
  now: Timestamp,
): AppliedChange | undefined {
  const best = bestOf(premium, purchases, now)
  return best === undefined ? cut(premium, purchases, now) : paid(premium, best, now)
}

type Paying = AppliedPurchase & { readonly expiresAt: Timestamp }

/** The subscription that gives access the longest. */
function bestOf(premium: Premium, purchases: readonly AppliedPurchase[], now: Timestamp): Paying | undefined {
  const lagged = secondsAfter(now, -renewalLag_s)
  return purchases
    .filter((purchase): purchase is Paying => purchase.entitled && purchase.expiresAt !== null)
    .filter((purchase) => !hasEnded(accessEnd(purchase), purchase.state === 'grace' ? now : lagged))
    .filter((purchase) => !isGivenUp(premium, purchase))
    .reduce<Paying | undefined>((best, each) => (best && order(best) > order(each) ? best : each), undefined)
}

const accessEnd = ({ expiresAt, graceEndsAt }: Paying): Timestamp => graceEndsAt ?? expiresAt

/** Two that end at the same instant have one order, so that any order of reads gives one state. */
const order = (purchase: Paying): string => `${accessEnd(purchase)} ${purchase.purchase}`

/** The holder ended its grace. */
function isGivenUp({ graceEndedFor }: Premium, { expiresAt }: Paying): boolean {
  return graceEndedFor !== null && expiresAt <= graceEndedFor
}

function paid(premium: Premium, best: Paying, now: Timestamp): AppliedChange | undefined {
  const { purchase, expiresAt, graceEndsAt } = best
  const covers = coveredBy(premium, best, now)
  const ledger = { ...premium.ledger, paid: afterPayment(premium.ledger.paid, covers, expiresAt, now) }
  const fields: PremiumFields = {
    ...fieldsOf(premium),
    type: 1,
    since: earliest(best.startedAt ?? now, premium.since),
    until: expiresAt,
    graceEndsAt,
    willCancel: best.autoRenew !== true,
    giftUntil: shownGiftEnd(premium, ledger, now),
    hasEverPurchased: true,
  }
  const isSame = premium.paidBy === purchase && sameJson(fields, fieldsOf(premium))
  return isSame ? undefined : { change: 'paid', purchase, premium: fields, covers }
}

/**
 * The paid time after a payment until `until`. It can be less than before, where a subscription became shorter, or another one pays
 * that ends sooner. Days that are past stay paid: only a refund takes them.
 */
export function afterPayment(
  before: readonly Span[],
  covers: readonly Span[],
  until: Timestamp,
  now: Timestamp,
): readonly Span[] {
  return withSpans(spansUntil(before, higher(until, now)), covers)
}

/**
 * The time that a subscription pays for beyond the stored end: from the later of now and that end. What a refund had
 * cut is paid again from where it was cut, and so is what refunds of others have cut although this one paid for it too.
 */
function coveredBy(premium: Premium, best: Paying, now: Timestamp): readonly Span[] {
  const { until, ledger } = premium
  const refunds = ledger.cuts.filter(({ refunded }) => refunded)
  const own = refunds.find(({ purchase }) => purchase === best.purchase)
  const reversed = own ? spansUntil(own.paid, best.expiresAt) : []
  const from = [until ?? now, own?.to ?? now].reduce(higher, now)
  const refunded = withSpans(
    [],
    refunds.flatMap(({ paid: cutOff }) => cutOff),
  )
  const still = spansWithout(spansInBoth(sharesOf(premium, [best], now), refunded), ledger.paid)
  return withSpans(still, [...reversed, { from, to: best.expiresAt }])
}

/**
 * Cuts premium where the purchase that paid has left the account or grants nothing any more: at once, or when it was revoked. No
 * grace follows. Gift time that it held back runs from then on. A cut is made earlier if the store tells of a refund later. Only a refund
 * takes days that are past, and none that was paid for all the same (decision 119).
 */
function cut(premium: Premium, purchases: readonly AppliedPurchase[], now: Timestamp): AppliedChange | undefined {
  const { paidBy, until, ledger } = premium
  if (until === null) return undefined
  const before = paidBy === null ? ledger.cuts.findLast(({ from }) => from === until) : undefined
  const purchase = paidBy ?? before?.purchase
  const payer = purchases.find((each) => each.purchase === purchase)
  if (purchase === undefined || payer?.entitled === true) return undefined
  const refunded = payer?.state === 'revoked'
  const end = earliest(until, now, payer?.revokedAt)
  if (before && (before.refunded || !refunded) && end === until) return undefined
  const rest = spansFrom(ledger.paid, end)
  const kept = refunded ? spansInBoth(rest, sharesOf(premium, purchases, now)) : spansUntil(rest, now)
  const paid = withSpans(spansUntil(ledger.paid, end), kept)
  const giftUntil = shownGiftEnd(premium, { ...ledger, paid }, now)
  const fields: PremiumFields = { ...fieldsOf(premium), until: end, graceEndsAt: end, giftUntil }
  return { change: 'cut', purchase, premium: fields, refunded, kept }
}

/** What subscriptions have paid for, and pay for, whichever of them premium follows; as spans without overlaps. */
function sharesOf(premium: Premium, purchases: readonly AppliedPurchase[], now: Timestamp): readonly Span[] {
  return withSpans(
    [],
    purchases.flatMap((each) => shareOf(premium, each, now)),
  )
}

/** States of subscriptions that paid until they ended. The rest of one that was replaced has become part of the other. */
const ended: readonly PurchaseState[] = ['billing_retry', 'on_hold', 'paused', 'expired', 'revoked']

/** From when the subscription came to the account until it ends, or was refunded. */
function shareOf(premium: Premium, purchase: AppliedPurchase, now: Timestamp): readonly Span[] {
  const { entitled, state, expiresAt, revokedAt } = purchase
  const from = premium.purchases.find((link) => link.purchase === purchase.purchase)?.linkedAt
  if (from === undefined || expiresAt === null || !(entitled || ended.includes(state))) return []
  return [{ from, to: earliest(expiresAt, entitled ? null : now, revokedAt) }]
}

/** The gift end to store. One that is over and was cleared already is not shown again. */
export function shownGiftEnd({ giftUntil }: PremiumFields, ledger: GiftLedger, now: Timestamp): Timestamp | null {
  const end = giftEnd(ledger)
  return end !== null && (end > now || giftUntil !== null) ? end : null
}

/** The earliest of some instants. */
const earliest = (first: Timestamp, ...others: readonly (Timestamp | null | undefined)[]): Timestamp =>
  others.reduce<Timestamp>((least, each) => (each && each < least ? each : least), first)
const higher = (one: Timestamp, other: Timestamp): Timestamp => (one > other ? one : other)
