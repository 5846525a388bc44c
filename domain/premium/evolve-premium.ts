import type { EventOf } from '../kernel/event-catalog.ts'
import { afterPayment } from './apply-purchases.ts'
import { pruned, spansFrom, spansUntil, spansWithout, withSpans, type Cut } from './gift-ledger.ts'
import type { Premium } from './premium.ts'
import {
  premiumEvents,
  type GiftTimeAdded,
  type GiftTimeTaken,
  type PremiumCut,
  type PremiumPaid,
  type PremiumReversed,
} from './premium-events.ts'

/** An event of an account about its premium. */
export type PremiumEvent = EventOf<typeof premiumEvents>

/** Whether an event of an account is about its premium. */
export function isPremiumEvent(event: { readonly type: string }): event is PremiumEvent {
  return Object.hasOwn(premiumEvents, event.type)
}

/** Premium after an event. */
export function evolvePremium(premium: Premium, event: PremiumEvent): Premium {
  switch (event.type) {
    case 'PurchaseLinked': {
      const { purchase, purchaseId, kind, linkedAt } = event.data
      const link = { purchase, purchaseId, kind, linkedAt, giftNoted: false }
      return { ...premium, purchases: [...premium.purchases, link] }
    }
    case 'PurchaseUnlinked':
      return unlinked(premium, event.data.purchase)
    case 'StoreTokenMade':
      return { ...premium, storeToken: { token: event.data.token, tokenHash: event.data.tokenHash } }
    case 'SubscriptionsRevoked':
      // Premium follows the readings of the purchases.
      return premium
    case 'GiftCodeObtained':
      return { ...premium, ...event.data.premium, purchases: noted(premium, event.data.purchase) }
    case 'GiftCodesSeen':
      return { ...premium, ...event.data.premium }
    case 'PremiumPaid':
      return paid(premium, event.data)
    case 'PremiumCut':
      return cut(premium, event.data)
    case 'PremiumReversed':
      return reversed(premium, event.data)
    case 'PremiumEnded': {
      const { premium: fields, graceEndedFor, cause } = event.data
      const ledger = cause === 'removed' ? { ...premium.ledger, gifts: [] } : premium.ledger
      return { ...premium, ...fields, paidBy: null, lifetimeGift: null, graceEndedFor, ledger }
    }
    case 'GiftTimeAdded':
      return giftTimeAdded(premium, event.data)
    case 'GiftTimeTaken':
      return giftTimeTaken(premium, event.data)
    case 'LifetimePremiumSet':
      return { ...premium, ...event.data.premium, paidBy: null, lifetimeGift: event.data.gift }
  }
}

/** What a refund has cut is forgotten with the purchase, so that its next owner gets its whole time. */
function unlinked(premium: Premium, purchase: string): Premium {
  return {
    ...premium,
    purchases: premium.purchases.filter((known) => known.purchase !== purchase),
    ledger: { ...premium.ledger, cuts: without(premium.ledger.cuts, purchase) },
  }
}

function noted({ purchases }: Premium, purchase: string): Premium['purchases'] {
  return purchases.map((known) => (known.purchase === purchase ? { ...known, giftNoted: true } : known))
}

function paid(premium: Premium, { premium: fields, purchase, covers, paidAt }: PremiumPaid): Premium {
  const { ledger } = premium
  const after = {
    ...ledger,
    paid: afterPayment(ledger.paid, covers, fields.until ?? paidAt, paidAt),
    cuts: without(ledger.cuts, purchase),
  }
  return { ...premium, ...fields, paidBy: purchase, ledger: pruned(after, paidAt) }
}

function cut(premium: Premium, { premium: fields, purchase, refunded, kept = [], cutAt }: PremiumCut): Premium {
  const { ledger } = premium
  const earlier = ledger.cuts.find((known) => known.purchase === purchase)
  const from = fields.until ?? cutAt
  const to = earlier?.to ?? premium.until ?? from
  const paid = withSpans(earlier?.paid ?? [], spansWithout(spansFrom(ledger.paid, from), kept))
  const cuts = [...without(ledger.cuts, purchase), { purchase, from, to, refunded, paid }]
  const left = withSpans(spansUntil(ledger.paid, from), kept)
  return { ...premium, ...fields, paidBy: null, ledger: { ...ledger, paid: left, cuts } }
}

function reversed(premium: Premium, { premium: fields, purchase, covers }: PremiumReversed): Premium {
  const { ledger } = premium
  const paid = withSpans(ledger.paid, covers)
  return { ...premium, ...fields, ledger: { ...ledger, paid, cuts: without(ledger.cuts, purchase) } }
}

function giftTimeAdded(premium: Premium, { premium: fields, gift, time_ms, addedAt }: GiftTimeAdded): Premium {
  const { ledger } = premium
  const gifts = [...ledger.gifts, { gift, at: addedAt, time_ms }]
  const taken = ledger.taken.filter((known) => known.gift !== gift)
  return { ...premium, ...fields, ledger: pruned({ ...ledger, gifts, taken }, addedAt) }
}

function giftTimeTaken(premium: Premium, { premium: fields, gift, time_ms }: GiftTimeTaken): Premium {
  const { ledger } = premium
  const gifts = ledger.gifts.filter((known) => known.gift !== gift)
  return { ...premium, ...fields, ledger: { ...ledger, gifts, taken: [...ledger.taken, { gift, time_ms }] } }
}

function without(cuts: readonly Cut[], purchase: string): readonly Cut[] {
  return cuts.filter((known) => known.purchase !== purchase)
}
