import type { AccountEvent } from '../../../domain/account/events.ts'
import type { GiftEvent } from '../../../domain/gift/events.ts'
import { accountId, type AccountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { afterPayment } from '../../../domain/premium/apply-purchases.ts'
import { spansFrom, spansUntil, withSpans, type Span } from '../../../domain/premium/gift-ledger.ts'
import type { StorePurchaseEvent } from '../../../domain/store-purchase/events.ts'
import { idOf, streamName, type StreamName } from '../../../domain/streams.ts'
import type { EventStore, RecordedEvent } from '../../ports/event-store.ts'
import { noStream } from '../../../domain/kernel/position.ts'

/** What an event did to the time that the purchase gives. */
export interface Granted {
  readonly accountId: AccountId
  /** Paid time that the account has from this event on. */
  readonly given: readonly Span[]
  /** Paid time that it lost with this event. */
  readonly taken: readonly Span[]
  /** Gift time that it got, which runs while nothing is paid; below 0 for time that was taken back. */
  readonly gift_ms: number
}

/** One event of a purchase, of its gift, or of an account's premium that follows from it. */
export interface LedgerEntry {
  readonly recorded: RecordedEvent
  readonly event: StorePurchaseEvent | GiftEvent | AccountEvent
  /** Undefined for an event that gives and takes no time. */
  readonly granted: Granted | undefined
}

/** What is left to an account of all that the purchase gave it. */
export interface Kept {
  readonly paid: readonly Span[]
  readonly gift_ms: number
}

export interface PurchaseLedger {
  /** Oldest first. */
  readonly entries: readonly LedgerEntry[]
  readonly kept: ReadonlyMap<AccountId, Kept>
}

type History = Pick<EventStore, 'readStream'>

/**
 * The ledger of a purchase: what happened to it and to its gift code, and who was given and lost which time by it, from history
 * alone. Empty for an unknown purchase. It holds the purchase's secrets: they are not for the screen.
 */
export async function purchaseLedger(history: History, purchase: string): Promise<PurchaseLedger> {
  const own = await eventsOf(history, streamName('store_purchase', purchase))
  const ownEvents = own.map((recorded) => ({ recorded, event: eventIn<StorePurchaseEvent>(recorded) }))
  const gift = ownEvents.map(({ event }) => (event.type === 'StorePurchaseCodeMinted' ? event.data.gift : null))
  const giftId = gift.find((id) => id !== null)
  const ofGift = giftId === undefined ? [] : await eventsOf(history, streamName('gift', giftId))
  const giftEvents = ofGift.map((recorded) => ({ recorded, event: eventIn<GiftEvent>(recorded) }))
  const holders = new Set<AccountId>()
  for (const { event } of ownEvents) if (event.type === 'StorePurchaseLinked') holders.add(event.data.accountId)
  for (const { event } of giftEvents) if (event.type === 'GiftRedemptionBegan') holders.add(event.data.accountId)
  const entries: LedgerEntry[] = [...ownEvents, ...giftEvents].map((entry) => ({ ...entry, granted: undefined }))
  const kept = new Map<AccountId, Kept>()
  for (const holder of holders) {
    const premium = await premiumEntries(history, holder, { purchase, gift: giftId })
    entries.push(...premium.entries)
    kept.set(holder, premium.kept)
  }
  return {
    entries: entries.toSorted((one, other) => (one.recorded.position < other.recorded.position ? -1 : 1)),
    kept,
  }
}

/** The purchases that an account was ever linked to, by the ids of their streams, first linked first. */
export async function purchasesEverLinked(history: History, account: AccountId): Promise<readonly string[]> {
  const linked = new Set<string>()
  for (const recorded of await eventsOf(history, streamName('account', account))) {
    const event = eventIn<AccountEvent>(recorded)
    if (event.type === 'PurchaseLinked') linked.add(event.data.purchase)
  }
  return [...linked]
}

async function eventsOf(history: History, stream: StreamName): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = []
  for await (const page of history.readStream(stream, noStream)) events.push(...page)
  return events
}

/** A stream holds the events of its category alone. */
function eventIn<Event>({ type, data }: RecordedEvent): Event {
  return { type, data } as Event
}

interface Cause {
  readonly purchase: string
  readonly gift: string | undefined
}

async function premiumEntries(
  history: History,
  holder: AccountId,
  cause: Cause,
): Promise<{ readonly entries: readonly LedgerEntry[]; readonly kept: Kept }> {
  const entries: LedgerEntry[] = []
  let kept: Kept = { paid: [], gift_ms: 0 }
  for (const recorded of await eventsOf(history, streamName('account', holder))) {
    const event = eventIn<AccountEvent>(recorded)
    const change = changeBy(event, cause, kept)
    if (change === undefined) continue
    kept = { paid: change.paid, gift_ms: kept.gift_ms + change.gift_ms }
    const { given, taken, gift_ms } = change
    entries.push({ recorded, event, granted: { accountId: idIn(recorded), given, taken, gift_ms } })
  }
  return { entries, kept }
}

const idIn = ({ stream }: RecordedEvent): AccountId => accountId(snowflake(idOf(stream)))

interface Change extends Omit<Granted, 'accountId'> {
  readonly paid: readonly Span[]
}

/** What an event of an account did to the time that comes from the purchase; undefined for nothing. */
function changeBy(event: AccountEvent, { purchase, gift }: Cause, { paid }: Kept): Change | undefined {
  switch (event.type) {
    case 'PurchaseLinked':
    case 'PurchaseUnlinked':
      return event.data.purchase === purchase ? { paid, given: [], taken: [], gift_ms: 0 } : undefined
    case 'PremiumPaid': {
      const { covers, premium, paidAt } = event.data
      if (event.data.purchase !== purchase || premium.until === null) return undefined
      const taken = spansFrom(paid, premium.until > paidAt ? premium.until : paidAt)
      return { paid: afterPayment(paid, covers, premium.until, paidAt), given: covers, taken, gift_ms: 0 }
    }
    case 'PremiumReversed': {
      const { covers } = event.data
      if (event.data.purchase !== purchase) return undefined
      return { paid: withSpans(paid, covers), given: covers, taken: [], gift_ms: 0 }
    }
    case 'PremiumCut': {
      const { until } = event.data.premium
      return event.data.purchase === purchase && until !== null ? cutAt(paid, until) : undefined
    }
    case 'PremiumEnded': {
      const cut = cutAt(paid, event.data.endedAt)
      return cut.taken.length > 0 ? cut : undefined
    }
    case 'GiftTimeAdded':
      return event.data.gift === gift ? { paid, given: [], taken: [], gift_ms: event.data.time_ms } : undefined
    case 'GiftTimeTaken':
      return event.data.gift === gift ? { paid, given: [], taken: [], gift_ms: -event.data.time_ms } : undefined
    default:
      return undefined
  }
}

function cutAt(paid: readonly Span[], end: Timestamp): Change {
  return { paid: spansUntil(paid, end), given: [], taken: spansFrom(paid, end), gift_ms: 0 }
}

/** The length of spans that do not overlap, in seconds. */
export function secondsOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + (Date.parse(to) - Date.parse(from)) / 1000, 0)
}
