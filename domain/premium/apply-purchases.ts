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
 * What a refund takes from the subscription that pays, where another one takes its place; undefined for nothing. It comes before
 * `applied` (decision 119).
 */
export function refundBeforeAnother(
  premium: Premium,
  purchases: readonly AppliedPurchase[],
  now: Timestamp,
): AppliedChange | undefined {
  const payer = purchases.find(({ purchase }) => purchase === premium.paidBy)
  if (payer?.state !== 'revoked' || bestOf(premium, purchases, now) === undefined) return undefined
  return cut(premium, purchases, now)
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

const accessEnd = ({ state, expiresAt, graceEndsAt }: Paying): Timestamp =>
  state === 'grace' ? (graceEndsAt ?? expiresAt) : expiresAt

/** Two that end at the same instant have one order, so that any order of reads gives one state. */
const order = (purchase: Paying): string => `${accessEnd(purchase)} ${purchase.purchase}`

/** The holder ended its grace. */
function isGivenUp({ graceEndedFor }: Premium, { expiresAt }: Paying): boolean {
  return graceEndedFor !== null && expiresAt <= graceEndedFor
}

function paid(premium: Premium, best: Paying, now: Timestamp): AppliedChange | undefined {
  const { purchase, expiresAt, graceEndsAt, state } = best
  const covers = withSpans(coveredBy(premium, best, now), stillPaidBy(premium, best, now))
  const ledger = { ...premium.ledger, paid: afterPayment(premium.ledger.paid, covers, expiresAt, now) }
  const fields: PremiumFields = {
    ...fieldsOf(premium),
    type: 1,
    since: earlier(premium.since, best.startedAt ?? now),
    until: expiresAt,
    graceEndsAt: state === 'grace' ? graceEndsAt : null,
    willCancel: best.autoRenew !== true,
    giftUntil: shownGiftEnd(premium, ledger, now),
    hasEverPurchased: true,
  }
  const isSame = premium.paidBy === purchase && covers.length === 0 && sameJson(fields, fieldsOf(premium))
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
 * cut is paid again from where it was cut.
 */
function coveredBy({ until, ledger }: Premium, { purchase, expiresAt }: Paying, now: Timestamp): readonly Span[] {
  const cutOff = ledger.cuts.find((span) => span.purchase === purchase && span.refunded)
  const reversed = cutOff ? spansUntil(cutOff.paid, expiresAt) : []
  const from = [now, ...(until === null ? [] : [until]), ...(cutOff ? [cutOff.to] : [])].reduce(higher)
  return [...reversed, { from, to: expiresAt }].filter((span) => span.from < span.to)
}

/**
 * Cuts premium where the purchase that paid has left the account or grants nothing any more: at once, or when it was revoked. No
 * grace follows. Gift time that it held back runs from then on. A cut is made earlier if the store tells of a refund later.
 */
function cut(premium: Premium, purchases: readonly AppliedPurchase[], now: Timestamp): AppliedChange | undefined {
  const { paidBy, until, ledger, type } = premium
  if (type !== 1 || until === null) return undefined
  const before = paidBy === null ? ledger.cuts.findLast(({ from }) => from === until) : undefined
  const purchase = paidBy ?? before?.purchase
  const payer = purchases.find((each) => each.purchase === purchase)
  if (purchase === undefined || payer?.entitled === true) return undefined
  const refunded = payer?.state === 'revoked'
  const end = [until, now, ...(payer?.revokedAt ? [payer.revokedAt] : [])].reduce(lower)
  if (before && (before.refunded || !refunded) && end === until) return undefined
  const others = purchases.filter((each) => each.purchase !== purchase)
  const kept = spansInBoth(spansFrom(ledger.paid, end), sharesOf(premium, others, now))
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
  const to = [expiresAt, ...(entitled ? [] : [now]), ...(revokedAt === null ? [] : [revokedAt])].reduce(lower)
  return from < to ? [{ from, to }] : []
}

/** What refunds of others have cut although this one paid for it too. */
function stillPaidBy(premium: Premium, best: Paying, now: Timestamp): readonly Span[] {
  const { cuts, paid } = premium.ledger
  const refunded = withSpans(
    [],
    cuts.flatMap((each) => (each.refunded && each.purchase !== best.purchase ? each.paid : [])),
  )
  return spansWithout(spansInBoth(shareOf(premium, best, now), refunded), paid)
}

/** The gift end to store. One that is over and was cleared already is not shown again. */
export function shownGiftEnd({ giftUntil }: PremiumFields, ledger: GiftLedger, now: Timestamp): Timestamp | null {
  const end = giftEnd(ledger)
  return end !== null && (end > now || giftUntil !== null) ? end : null
}

const lower = (one: Timestamp, other: Timestamp): Timestamp => (one < other ? one : other)
const higher = (one: Timestamp, other: Timestamp): Timestamp => (one > other ? one : other)
const earlier = (one: Timestamp | null, other: Timestamp): Timestamp => (one === null ? other : lower(one, other))
