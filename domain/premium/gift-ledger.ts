import { msOf, timestamp, type Timestamp } from '../kernel/timestamp.ts'
import { lastInstant_ms } from './gift-duration.ts'

/**
 * What the gift time of an account follows from: which gifts it redeemed, and which time was paid. Time that is paid uses up no
 * gift time. All else is computed from it, so no second is lost or given twice, in whatever order stores tell of renewals,
 * refunds and reversals (L7; decision 84).
 */
export interface GiftLedger {
  /** In the order in which they were redeemed. */
  readonly gifts: readonly RedeemedGift[]
  /** Gifts whose time was taken back. */
  readonly taken: readonly TakenGift[]
  /** The time that subscriptions paid for since they were applied: ascending, without overlaps. */
  readonly paid: readonly Span[]
  /** What was cut from `paid`, at most once for each purchase. What a refund cut comes back if the store takes that back. */
  readonly cuts: readonly Cut[]
}

export interface RedeemedGift {
  readonly gift: string
  readonly at: Timestamp
  readonly time_ms: number
}

export interface TakenGift {
  readonly gift: string
  /** What was really taken. */
  readonly time_ms: number
}

export interface Span {
  readonly from: Timestamp
  readonly to: Timestamp
}

/** `from` is the end that was left, `to` the one before. */
export interface Cut extends Span {
  readonly purchase: string
  readonly refunded: boolean
  /** What was paid of it. */
  readonly paid: readonly Span[]
}

/** When the gift time ends, even if that is past: each gift runs from its redemption, after those before it, while nothing is paid. */
export function giftEnd({ gifts, paid }: Pick<GiftLedger, 'gifts' | 'paid'>): Timestamp | null {
  let end_ms: number | null = null
  for (const { at, time_ms } of gifts) end_ms = endOfRun(paid, Math.max(msOf(at), end_ms ?? -Infinity), time_ms)
  return end_ms === null ? null : timestamp(Math.min(end_ms, lastInstant_ms))
}

/** The instant at which `time_ms` of unpaid time have passed since an instant. Time left when a paid span begins waits behind it. */
function endOfRun(paid: readonly Span[], from_ms: number, time_ms: number): number {
  let now_ms = from_ms
  let left_ms = time_ms
  for (const { from, to } of paid) {
    const [start_ms, stop_ms] = [msOf(from), msOf(to)]
    const unpaid_ms = Math.max(0, start_ms - now_ms)
    if (left_ms <= unpaid_ms) return now_ms + left_ms
    left_ms -= unpaid_ms
    now_ms = Math.max(now_ms, stop_ms)
  }
  return now_ms + left_ms
}

/** The paid time with spans added; spans that touch become one. */
export function withSpans(paid: readonly Span[], added: readonly Span[]): readonly Span[] {
  const sorted = [...paid, ...added].toSorted((one, other) => (one.from < other.from ? -1 : 1))
  return sorted.reduce<readonly Span[]>((joined, span) => {
    const last = joined.at(-1)
    if (span.from >= span.to) return joined
    if (last === undefined || last.to < span.from) return [...joined, span]
    return [...joined.slice(0, -1), { from: last.from, to: last.to > span.to ? last.to : span.to }]
  }, [])
}

/** The paid time up to an instant. */
export function spansUntil(paid: readonly Span[], end: Timestamp): readonly Span[] {
  return paid.flatMap(({ from, to }) => (from >= end ? [] : [{ from, to: to > end ? end : to }]))
}

/** The paid time from an instant on. */
export function spansFrom(paid: readonly Span[], start: Timestamp): readonly Span[] {
  return paid.flatMap(({ from, to }) => (to <= start ? [] : [{ from: from > start ? from : start, to }]))
}

/** The time that is in both. Spans of one list do not overlap. */
export function spansInBoth(ones: readonly Span[], others: readonly Span[]): readonly Span[] {
  return others.flatMap(({ from, to }) => spansFrom(spansUntil(ones, to), from))
}

/** The time that is in the first list and not in the second. */
export function spansWithout(ones: readonly Span[], others: readonly Span[]): readonly Span[] {
  return others.reduce<readonly Span[]>(
    (left, { from, to }) => [...spansUntil(left, from), ...spansFrom(left, to)],
    ones,
  )
}

/** How long a gift that has run out stays in the ledger: no store refunds what is older. */
const kept_ms = 400 * 24 * 3_600_000

/**
 * The ledger without what can change nothing any more: gifts that ran out long ago before a later one was redeemed, and the paid
 * time from before the first gift that stays.
 */
export function pruned(ledger: GiftLedger, now: Timestamp): GiftLedger {
  const limit = timestamp(msOf(now) - kept_ms)
  const gone = ledger.gifts.findLastIndex((_, index) => {
    const end = giftEnd({ gifts: ledger.gifts.slice(0, index + 1), paid: ledger.paid })
    const next = ledger.gifts[index + 1]
    return end !== null && end < limit && (next === undefined || next.at >= end)
  })
  const gifts = ledger.gifts.slice(gone + 1)
  const first = gifts[0]?.at ?? now
  const isOver = ({ to }: Span): boolean => to < limit && to < first
  return {
    ...ledger,
    gifts,
    paid: ledger.paid.filter((span) => !isOver(span)),
    cuts: ledger.cuts.filter((span) => !isOver(span)),
  }
}
