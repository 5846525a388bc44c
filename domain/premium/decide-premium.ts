import { accept, refuse, type Decision, type Decisions } from '../kernel/decider.ts'
import { hasEnded, msOf, type Timestamp } from '../kernel/timestamp.ts'
import { applied, refund, reversal, type AppliedChange } from './apply-purchases.ts'
import { evolvePremium, type PremiumEvent } from './evolve-premium.ts'
import { after } from './gift-duration.ts'
import { giftEnd, type GiftLedger, type Span } from './gift-ledger.ts'
import { endOf, fieldsOf, later, type PremiumFields } from './premium.ts'
import type {
  AddGiftTime,
  ApplyPurchases,
  EndExpiredPremium,
  EndPremiumGrace,
  MakeStoreToken,
  NoteGiftCode,
  PremiumCommand,
  PurchaseLink,
  RemovePremium,
  ReturnGiftTime,
  SetLifetimePremium,
  TakeGiftTime,
  UnlinkPurchase,
  UpdatePremiumFlags,
} from './premium-commands.ts'
import type { PremiumEnded } from './premium-events.ts'
import { isInGrace, overAt } from './premium-now.ts'
import type { AccountEvent } from '../account/events.ts'
import { hasFlag } from '../account/flags.ts'
import { changedPremiumFlags, hasPremiumFlag, premiumFlags as premiumFlagBits } from './premium-flags.ts'
import type { Account } from '../account/state.ts'

/** How it is decided what is paid for and given to an account. */
export const premiumDecisions: Decisions<Account, PremiumCommand, AccountEvent> = {
  LinkPurchase: (account, { type: _, now: linkedAt, ...purchase }) => link(account, purchase, linkedAt),
  UnlinkPurchase: unlink,
  MakeStoreToken: makeStoreToken,
  NoteSubscriptionsRevoked: ({ id: accountId }, { purchases, now: revokedAt }) =>
    accept({ type: 'SubscriptionsRevoked', data: { accountId, purchases, revokedAt } }),
  NoteGiftCode: noteGiftCode,
  SeeGiftCodes: seeGiftCodes,
  ApplyPurchases: applyPurchases,
  EndPremiumGrace: endGrace,
  EndExpiredPremium: endExpired,
  AddGiftTime: addGiftTime,
  TakeGiftTime: takeGiftTime,
  ReturnGiftTime: returnGiftTime,
  SetLifetimePremium: setLifetime,
  RemovePremium: removePremium,
  UpdatePremiumFlags: updatePremiumFlags,
}

/** Refuses with UNKNOWN_USER for an account that is to be deleted: no purchase is linked to it. */
function link(
  { id: accountId, premium, flags }: Account,
  purchase: PurchaseLink,
  linkedAt: Timestamp,
): Decision<PremiumEvent> {
  if (premium.purchases.some((known) => known.purchase === purchase.purchase)) return accept()
  if (hasFlag({ flags }, 'DELETED')) return refuse('UNKNOWN_USER')
  return accept({ type: 'PurchaseLinked', data: { accountId, ...purchase, linkedAt } })
}

function unlink({ id: accountId, premium }: Account, { purchase, now }: UnlinkPurchase): Decision<AccountEvent> {
  if (!premium.purchases.some((known) => known.purchase === purchase)) return accept()
  return accept({ type: 'PurchaseUnlinked', data: { accountId, purchase, unlinkedAt: now } })
}

function makeStoreToken({ id: accountId, premium }: Account, command: MakeStoreToken): Decision<AccountEvent> {
  if (premium.storeToken !== null) return accept()
  const { token, tokenHash, now: madeAt } = command
  return accept({ type: 'StoreTokenMade', data: { accountId, token, tokenHash, madeAt } })
}

function noteGiftCode({ id: accountId, premium }: Account, { purchase }: NoteGiftCode): Decision<AccountEvent> {
  const known = premium.purchases.find((each) => each.purchase === purchase)
  if (known === undefined || known.giftNoted) return accept()
  const { obtained_count, seen_count } = premium.gifts
  const after: PremiumFields = {
    ...fieldsOf(premium),
    hasEverPurchased: true,
    gifts: { obtained_count: obtained_count + 1, seen_count },
  }
  return accept({ type: 'GiftCodeObtained', data: { accountId, premium: after, purchase } })
}

function seeGiftCodes({ id: accountId, premium }: Account): Decision<AccountEvent> {
  const { obtained_count, seen_count } = premium.gifts
  if (obtained_count === seen_count) return accept()
  const gifts = { obtained_count, seen_count: obtained_count }
  return accept({ type: 'GiftCodesSeen', data: { accountId, premium: { ...fieldsOf(premium), gifts } } })
}

/** Links the purchase first, and computes as if it had been linked before. Refuses as linking alone does. */
function applyPurchases(account: Account, { link: added, purchases, now }: ApplyPurchases): Decision<AccountEvent> {
  if (added === undefined) return accept(...computed(account, purchases, now))
  const linked = link(account, added, now)
  if (linked.outcome === 'refused') return linked
  const premium = linked.events.reduce(evolvePremium, account.premium)
  return accept<AccountEvent>(...linked.events, ...computed({ ...account, premium }, purchases, now))
}

/**
 * Changes nothing for bots and lifetime holders. An account that is to be deleted is given nothing, but what was taken
 * back is cut: it would count again once the deletion is cancelled (decision 103).
 */
function computed(account: Account, purchases: ApplyPurchases['purchases'], now: Timestamp): readonly AccountEvent[] {
  const { id: accountId, bot, flags } = account
  if (bot || account.premium.type === 2) return []
  const isToBeDeleted = hasFlag({ flags }, 'DELETED')
  const events: AccountEvent[] = []
  let { premium } = account
  const take = (change: AppliedChange): void => {
    const event = eventOf(accountId, change, now)
    events.push(event)
    premium = evolvePremium(premium, event)
  }
  const nextReversal = (): AppliedChange | undefined => (isToBeDeleted ? undefined : reversal(premium, purchases, now))
  for (let change = nextReversal(); change; change = nextReversal()) take(change)
  const refunded = refund(premium, purchases, now)
  if (refunded !== undefined) take(refunded)
  const change = applied(premium, purchases, now)
  if (change === undefined || (isToBeDeleted && change.change !== 'cut')) return events
  take(change)
  return change.change === 'paid' ? [...events, ...withPerksSanitized(account, false)] : events
}

function eventOf(accountId: Account['id'], change: AppliedChange, now: Timestamp) {
  const { premium, purchase } = change
  const data = { accountId, premium, purchase }
  switch (change.change) {
    case 'paid':
      return { type: 'PremiumPaid', data: { ...data, covers: change.covers, paidAt: now } } as const
    case 'reversed':
      return { type: 'PremiumReversed', data: { ...data, covers: change.covers, reversedAt: now } } as const
    case 'cut':
      return {
        type: 'PremiumCut',
        data: { ...data, refunded: change.refunded, ...keptOf(change), cutAt: now },
      } as const
  }
}

const keptOf = ({ kept }: { readonly kept: readonly Span[] }) => (kept.length > 0 ? { kept } : {})

function endGrace(account: Account, { now }: EndPremiumGrace): Decision<AccountEvent> {
  const { premium } = account
  return isInGrace(premium, now) ? accept(ended(account, 'grace', now, premium.until)) : accept()
}

function endExpired(account: Account, { now }: EndExpiredPremium): Decision<AccountEvent> {
  const over = overAt(account.premium)
  if (account.bot || hasPremiumFlag(account, 'ENABLED_OVERRIDE') || over === null || !hasEnded(over, now))
    return accept()
  return accept<AccountEvent>(ended(account, 'expired', now), ...withPerksSanitized(account, true))
}

/** The flag tells that perks were removed from the profiles in guilds. */
function withPerksSanitized({ id: accountId, premiumFlags }: Account, isSet: boolean): readonly AccountEvent[] {
  const bit = [premiumFlagBits.PERKS_SANITIZED]
  const flags = isSet ? changedPremiumFlags(premiumFlags, bit, []) : changedPremiumFlags(premiumFlags, [], bit)
  return flags === premiumFlags ? [] : [{ type: 'PremiumFlagsChanged', data: { accountId, flags } }]
}

function ended(
  { id: accountId, premium }: Account,
  cause: PremiumEnded['cause'],
  now: Timestamp,
  graceEndedFor: Timestamp | null = premium.graceEndedFor,
): AccountEvent {
  const data: PremiumEnded = { accountId, premium: cleared(premium), cause, graceEndedFor, endedAt: now }
  return { type: 'PremiumEnded', data }
}

/** Every premium field is empty, except what stays true. */
function cleared(premium: PremiumFields): PremiumFields {
  const { lifetimeNumber, hasEverPurchased, gifts } = premium
  const empty = { type: 0, since: null, until: null, giftUntil: null, graceEndsAt: null, willCancel: false } as const
  return { ...empty, lifetimeNumber, hasEverPurchased, gifts }
}

/** Refuses with GIFT_NOT_REDEEMABLE_WITH_LIFETIME_PREMIUM for a lifetime holder, and UNKNOWN_USER where nobody would use the time. */
function addGiftTime(account: Account, command: AddGiftTime): Decision<AccountEvent> {
  const { id: accountId, premium, flags } = account
  const { gift, duration, lifetimeNumber, now } = command
  if (hasTime(premium.ledger, gift) || isTaken(premium.ledger, gift) || premium.lifetimeGift === gift) return accept()
  if (premium.type === 2) return refuse('GIFT_NOT_REDEEMABLE_WITH_LIFETIME_PREMIUM')
  if (hasFlag({ flags }, 'DELETED') || account.bot) return refuse('UNKNOWN_USER')
  if (lifetimeNumber !== undefined) return accept(lifetime(account, lifetimeNumber, gift, now))
  const base = later(now, endOf(premium)) ?? now
  const time_ms = msOf(after(base, duration)) - msOf(base)
  const ledger = { ...premium.ledger, gifts: [...premium.ledger.gifts, { gift, at: now, time_ms }] }
  const fields: PremiumFields = { ...withGiftTime(premium, ledger, now), graceEndsAt: null }
  return accept({ type: 'GiftTimeAdded', data: { accountId, premium: fields, gift, time_ms, addedAt: now } })
}

function withGiftTime(premium: PremiumFields, ledger: GiftLedger, now: Timestamp): PremiumFields {
  const fields = fieldsOf(premium)
  return {
    ...fields,
    type: fields.type === 0 ? 1 : fields.type,
    since: fields.since ?? now,
    giftUntil: giftEnd(ledger),
  }
}

const hasTime = ({ gifts }: GiftLedger, gift: string): boolean => gifts.some((known) => known.gift === gift)
const isTaken = ({ taken }: GiftLedger, gift: string): boolean => taken.some((known) => known.gift === gift)

/**
 * Takes back what is left of the gift: the others run as if it had never been redeemed, and time that has passed stays.
 * Premium that nothing else carries is over. A lifetime holder keeps everything.
 */
function takeGiftTime(account: Account, { gift, now }: TakeGiftTime): Decision<AccountEvent> {
  const { id: accountId, premium } = account
  const { ledger, until } = premium
  if (premium.type === 2 || !hasTime(ledger, gift)) return accept()
  const rest = { ...ledger, gifts: ledger.gifts.filter((known) => known.gift !== gift) }
  const floor = msOf(later(now, until) ?? now)
  const endOrFloor = (end: Timestamp | null): number => Math.max(floor, end === null ? floor : msOf(end))
  const time_ms = Math.max(0, endOrFloor(giftEnd(ledger)) - endOrFloor(giftEnd(rest)))
  const end = giftEnd(rest)
  const giftUntil = end !== null && msOf(end) > floor ? end : null
  const fields = { ...fieldsOf(premium), giftUntil }
  const taken = { type: 'GiftTimeTaken', data: { accountId, premium: fields, gift, time_ms, takenAt: now } } as const
  const isOver = giftUntil === null && until === null && premium.type === 1
  return isOver ? accept<AccountEvent>(taken, ended(account, 'taken', now)) : accept<AccountEvent>(taken)
}

function returnGiftTime(account: Account, { gift, now }: ReturnGiftTime): Decision<AccountEvent> {
  const { id: accountId, premium } = account
  const { ledger } = premium
  const taken = ledger.taken.find((known) => known.gift === gift)
  if (taken === undefined) return accept()
  const { time_ms } = taken
  const returned = { ...ledger, gifts: [...ledger.gifts, { gift, at: now, time_ms }] }
  const fields = time_ms === 0 ? fieldsOf(premium) : withGiftTime(premium, returned, now)
  const data = { accountId, premium: fields, gift, time_ms, returned: true, addedAt: now }
  return accept({ type: 'GiftTimeAdded', data })
}

function setLifetime(account: Account, { lifetimeNumber, now }: SetLifetimePremium): Decision<AccountEvent> {
  return account.premium.type === 2 ? accept() : accept(lifetime(account, lifetimeNumber, null, now))
}

/** No lifetime ends. Gift time and subscription stay in the ledger, and count again if the lifetime is taken away. */
function lifetime(account: Account, number: number, gift: string | null, now: Timestamp): AccountEvent {
  const { id: accountId, premium } = account
  const fields: PremiumFields = {
    ...cleared(premium),
    type: 2,
    since: premium.since ?? now,
    lifetimeNumber: premium.lifetimeNumber ?? number,
  }
  return { type: 'LifetimePremiumSet', data: { accountId, premium: fields, gift, setAt: now } }
}

function removePremium(account: Account, { now }: RemovePremium): Decision<AccountEvent> {
  return account.premium.type === 0 ? accept() : accept(ended(account, 'removed', now))
}

function updatePremiumFlags(account: Account, { add, remove }: UpdatePremiumFlags): Decision<AccountEvent> {
  const flags = changedPremiumFlags(account.premiumFlags, add, remove)
  if (flags === account.premiumFlags) return accept()
  return accept({ type: 'PremiumFlagsChanged', data: { accountId: account.id, flags } })
}
