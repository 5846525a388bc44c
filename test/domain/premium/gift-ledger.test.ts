import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timestamp, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import {
  giftEnd,
  pruned,
  spansFrom,
  spansInBoth,
  spansUntil,
  spansWithout,
  withSpans,
  type Cut,
  type GiftLedger,
  type Span,
} from '../../../domain/premium/gift-ledger.ts'
import { property } from '../../support/property.ts'

/** Instants are days here, so few that each day can be looked at on its own. */
const day_ms = 24 * 3_600_000
const day = (count: number): Timestamp => timestamp(Date.UTC(2027, 0, 1) + count * day_ms)
const span = (from: number, to: number): Span => ({ from: day(from), to: day(to) })
const days_max = 16
const days = Array.from({ length: days_max }, (_, count) => count)
const isIn = (spans: readonly Span[], count: number): boolean =>
  spans.some(({ from, to }) => from <= day(count) && day(count) < to)

/** These days as spans: ascending, apart from each other, none of them empty. */
const spansOf = (isPaid: (count: number) => boolean): readonly Span[] =>
  days.filter(isPaid).reduce<readonly Span[]>((joined, count) => {
    const last = joined.at(-1)
    return last?.to === day(count)
      ? [...joined.slice(0, -1), { from: last.from, to: day(count + 1) }]
      : [...joined, span(count, count + 1)]
  }, [])

const anyDay = fc.nat({ max: days_max })
const paidDays = fc.uniqueArray(fc.nat({ max: days_max - 1 })).map((list) => spansOf((count) => list.includes(count)))
/** As facts give them: in any order, over each other, touching, empty, and inverted. */
const anySpans = fc.array(
  fc.tuple(anyDay, anyDay).map(([from, to]) => span(from, to)),
  { maxLength: 5 },
)

describe('paid time', () => {
  property(
    'with spans added has each day once, as spans apart from each other',
    fc.tuple(paidDays, anySpans),
    ([paid, added]) => {
      expect(withSpans(paid, added)).toEqual(spansOf((count) => isIn(paid, count) || isIn(added, count)))
    },
  )

  property('is parted at an instant', fc.tuple(paidDays, anyDay), ([paid, end]) => {
    expect(spansUntil(paid, day(end))).toEqual(spansOf((count) => isIn(paid, count) && count < end))
    expect(spansFrom(paid, day(end))).toEqual(spansOf((count) => isIn(paid, count) && count >= end))
  })

  property('has days in common with other time, and others not', fc.tuple(paidDays, paidDays), ([ones, others]) => {
    expect(spansInBoth(ones, others)).toEqual(spansOf((count) => isIn(ones, count) && isIn(others, count)))
    expect(spansWithout(ones, others)).toEqual(spansOf((count) => isIn(ones, count) && !isIn(others, count)))
  })
})

const gift = (name: string, at: number, length: number) => ({ gift: name, at: day(at), time_ms: length * day_ms })
const ledger = (known: Partial<GiftLedger>): GiftLedger => ({ gifts: [], taken: [], paid: [], cuts: [], ...known })

describe('gift time', () => {
  it('has no end where no gift was redeemed', () => {
    expect(giftEnd({ gifts: [], paid: [span(0, 3)] })).toBeNull()
  })

  it('that ends where paid time begins does not wait behind it', () => {
    expect(giftEnd({ gifts: [gift('a', 0, 3)], paid: [span(3, 9)] })).toBe(day(3))
  })

  it('of a gift that has none left ends where it begins, also amid paid time', () => {
    expect(giftEnd({ gifts: [gift('a', 4, 0)], paid: [span(3, 9)] })).toBe(day(4))
  })
})

describe('what a ledger forgets 400 days later', () => {
  const kept = (known: Partial<GiftLedger>, now: number) => pruned(ledger(known), day(now))
  const [ten, later] = [gift('a', 0, 10), gift('b', 100, 10)]

  it('are gifts that ran out before the next one was redeemed', () => {
    expect(kept({ gifts: [ten] }, 410).gifts).toEqual([ten])
    expect(kept({ gifts: [ten] }, 411).gifts).toEqual([])
    expect(kept({ gifts: [ten, later] }, 411).gifts).toEqual([later])
    expect(kept({ gifts: [ten, later] }, 511).gifts).toEqual([])
    expect(kept({ gifts: [ten, gift('b', 10, 500)] }, 500).gifts).toEqual([gift('b', 10, 500)])
  })

  it('is no gift that another one waited for', () => {
    const gifts = [ten, gift('b', 9, 500)]
    expect(kept({ gifts }, 500).gifts).toEqual(gifts)
  })

  it('is paid time from before all gifts that stay, and what was cut from it', () => {
    const cut = (purchase: string, from: number, to: number): Cut => ({
      ...span(from, to),
      purchase,
      refunded: true,
      paid: [],
    })
    const known = {
      paid: [span(0, 2), span(3, 5), span(6, 9)],
      cuts: [cut('p1', 0, 4), cut('p2', 0, 5), cut('p3', 0, 6)],
    }
    const ran = gift('a', 5, 500)
    expect(kept({ ...known, gifts: [ran] }, 450)).toEqual({
      gifts: [ran],
      taken: [],
      paid: known.paid.slice(1),
      cuts: known.cuts.slice(1),
    })
    expect(kept(known, 405)).toMatchObject({ paid: known.paid.slice(1), cuts: known.cuts.slice(1) })
    expect(kept(known, 410)).toMatchObject({ paid: [], cuts: [] })
  })
})
