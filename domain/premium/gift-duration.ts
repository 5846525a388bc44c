import { msOf, timestamp, type Timestamp } from '../kernel/timestamp.ts'

export const durationUnits = ['days', 'weeks', 'months', 'years'] as const
export type DurationUnit = (typeof durationUnits)[number]

/** How long a gift lasts. Quantity 0 is a lifetime. */
export interface GiftDuration {
  readonly unit: DurationUnit
  readonly quantity: number
}

export const durationQuantity_max = 3650

/** No instant after this has the form of a timestamp: four digits of a year. */
export const lastInstant_ms = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const day_ms = 24 * 3_600_000

/**
 * The instant a duration after another. Months and years are calendar units in UTC: 31 January and a month is the last
 * day of February. Never later than the year 9999.
 */
export function after(base: Timestamp, { unit, quantity }: GiftDuration): Timestamp {
  return timestamp(Math.min(endAfter_ms(new Date(msOf(base)), unit, quantity), lastInstant_ms))
}

function endAfter_ms(base: Date, unit: DurationUnit, quantity: number): number {
  switch (unit) {
    case 'days':
      return base.getTime() + quantity * day_ms
    case 'weeks':
      return base.getTime() + quantity * 7 * day_ms
    case 'months':
      return monthsAfter_ms(base, quantity)
    case 'years':
      return monthsAfter_ms(base, quantity * 12)
  }
}

function monthsAfter_ms(base: Date, months: number): number {
  const moved = new Date(base)
  moved.setUTCDate(1)
  moved.setUTCMonth(base.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(base.getUTCDate(), lastDay))
  return moved.getTime()
}
