import fc from 'fast-check'
import { expect } from 'vitest'
import { timestamp, msOf, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { AppliedPurchase, PremiumCommand } from '../../../domain/premium/premium-commands.ts'
import { property } from '../../support/property.ts'
import { life, subscription } from './premium-story.ts'

/** The model counts in days, so few that each can be counted on its own. */
const day_ms = 24 * 3_600_000
const days_max = 400
const origin = Date.UTC(2027, 0, 1)
const instant = (day: number): Timestamp => timestamp(origin + day * day_ms)
const dayOf = (at: Timestamp | null): number | null => (at === null ? null : (msOf(at) - origin) / day_ms)

type Act =
  | { readonly act: 'gift'; readonly days: number }
  | { readonly act: 'pay'; readonly days: number }
  | { readonly act: 'refund'; readonly ago: number }
  | { readonly act: 'reverse' }
  | { readonly act: 'take' | 'return'; readonly which: number }
  | { readonly act: 'again' }

const acts: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ act: fc.constant('gift' as const), days: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ act: fc.constant('pay' as const), days: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ act: fc.constant('refund' as const), ago: fc.integer({ min: 0, max: 30 }) }),
  fc.record({ act: fc.constant('reverse' as const) }),
  fc.record({ act: fc.constantFrom('take' as const, 'return' as const), which: fc.nat({ max: 3 }) }),
  fc.record({ act: fc.constant('again' as const) }),
)

/** One step: time passes, then something happens. */
const steps = fc.array(fc.record({ wait: fc.integer({ min: 0, max: 15 }), act: acts }), { maxLength: 14 })

/** Every day on its own: whether it is paid, and which gifts run. Nothing here is computed from spans. */
class Model {
  readonly paid = new Set<number>()
  until: number | null = null
  gifts: { name: string; at: number; days: number }[] = []
  taken: { name: string; days: number }[] = []
  cut: { days: number[]; until: number } | null = null

  /** The day at which all gift time is used up, counted day by day. */
  end(gifts = this.gifts): number | null {
    if (gifts.length === 0) return null
    let left = 0
    let end = -1
    const waiting = [...gifts]
    for (let day = 0; waiting.length > 0 || left > 0; day += 1) {
      while (waiting[0] !== undefined && waiting[0].at <= day) left += waiting.shift()?.days ?? 0
      if (left > 0 && !this.paid.has(day)) {
        left -= 1
        end = day + 1
      }
    }
    return end
  }

  pay(now: number, until: number): void {
    const from = this.until === null ? now : Math.max(now, this.until)
    for (const day of this.paid) if (day >= until) this.paid.delete(day)
    for (let day = from; day < until; day += 1) this.paid.add(day)
    this.until = until
    this.cut = null
  }

  refund(now: number, ago: number): number {
    const before = this.until ?? 0
    const end = Math.min(before, now, Math.max(0, now - ago))
    const days = [...this.paid].filter((day) => day >= end)
    for (const day of days) this.paid.delete(day)
    this.cut = { days, until: before }
    this.until = end
    return end
  }

  reverse(): void {
    for (const day of this.cut?.days ?? []) this.paid.add(day)
    this.until = this.cut?.until ?? this.until
    this.cut = null
  }

  /** What can be taken of a gift is the gift time after now and after all that is paid that ends sooner without it. */
  take(name: string, now: number): number {
    const rest = this.gifts.filter((gift) => gift.name !== name)
    const floor = Math.max(now, this.until ?? now)
    const days = Math.max(floor, this.end() ?? floor) - Math.max(floor, this.end(rest) ?? floor)
    this.gifts = rest
    this.taken.push({ name, days })
    return days
  }
}

interface Played {
  readonly model: Model
  readonly person: ReturnType<typeof life>
  now: number
  paying: AppliedPurchase
  last: PremiumCommand | null
}

function act(played: Played, { act: what, ...rest }: Act & { readonly name: string }): void {
  const { model, person, now } = played
  const does = (command: PremiumCommand): void => {
    played.last = command
    person.does(command)
  }
  const read = (purchase: Partial<AppliedPurchase>): void => {
    played.paying = { ...played.paying, ...purchase }
    does({ type: 'ApplyPurchases', purchases: [played.paying], now: instant(now) })
  }
  const { days = 0, ago = 0, which = 0, name } = rest as { days?: number; ago?: number; which?: number; name: string }
  switch (what) {
    case 'gift':
      model.gifts.push({ name, at: now, days })
      return does({ type: 'AddGiftTime', gift: name, duration: { unit: 'days', quantity: days }, now: instant(now) })
    case 'pay': {
      const isFirst = model.until === null || played.paying.state === 'revoked'
      const until = Math.max(now, isFirst ? now : (model.until ?? now)) + days
      if (model.cut !== null) model.reverse()
      model.pay(now, until)
      return read({ entitled: true, state: 'active', expiresAt: instant(until), revokedAt: null })
    }
    case 'refund':
      if (!played.paying.entitled || model.until === null) return
      return read({ entitled: false, state: 'revoked', revokedAt: instant(model.refund(now, ago)) })
    case 'reverse':
      if (model.cut === null) return
      model.reverse()
      // A subscription that ended long ago is expired by then.
      return (model.until ?? 0) >= now
        ? read({ entitled: true, state: 'active', revokedAt: null })
        : read({ entitled: false, state: 'expired', revokedAt: null })
    case 'take': {
      const gift = model.gifts[which]
      if (gift === undefined) return
      const taken = model.take(gift.name, now)
      does({ type: 'TakeGiftTime', gift: gift.name, now: instant(now) })
      expect(person.premium.ledger.taken.find((each) => each.gift === gift.name)?.time_ms).toBe(taken * day_ms)
      return
    }
    case 'return': {
      const gift = model.taken[which]
      if (gift === undefined) return
      model.taken = model.taken.filter((each) => each !== gift)
      model.gifts.push({ name: gift.name, at: now, days: gift.days })
      return does({ type: 'ReturnGiftTime', gift: gift.name, now: instant(now) })
    }
    case 'again':
      if (played.last !== null) expect(person.does(played.last)).toEqual([])
  }
}

property('no second of gift time is lost or given twice, whatever stores and people do', steps, (list) => {
  const played: Played = {
    model: new Model(),
    person: life(),
    now: 0,
    paying: subscription({ entitled: false }),
    last: null,
  }
  for (const [index, { wait, act: next }] of list.entries()) {
    played.now = Math.min(days_max, played.now + wait)
    act(played, { ...next, name: `g${index}` })
    const { model, person, now } = played
    const end = model.end()
    // What is over may still be stored; it changes nothing.
    const running = (day: number | null): number | null => (day !== null && day > now ? day : null)
    expect(running(dayOf(person.premium.giftUntil))).toBe(running(end))
    expect(person.premium.type === 0 || dayOf(person.premium.until) === model.until).toBe(true)
  }
})
