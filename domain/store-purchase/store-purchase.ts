import { storePurchaseId } from '../ids/ids.ts'
import { snowflake } from '../ids/snowflake.ts'
import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import { sameJson } from '../kernel/same-json.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type {
  MintCode,
  NoteSentBack,
  NoteUnknown,
  ReleasePurchase,
  StorePurchaseCommand,
  SupersedePurchase,
  TakeReading,
  VoidPurchase,
} from './commands.ts'
import { storePurchaseEvents, type StorePurchaseEvent } from './events.ts'
import { evolve } from './evolve.ts'
import { ownerAfter } from './owner.ts'
import { kindOf } from './purchase-facts.ts'
import { owesCode, shownPurchase } from './shown-purchase.ts'
import type { StorePurchase, StorePurchaseState } from './state.ts'

/** One purchase in a store: what the store says of it, and whose it is. Its state follows the readings alone. */
export const storePurchase = aggregate({
  category: 'store_purchase',
  identifiedBy: "a keyed hash of provider, environment and the store's own key",
  guards: 'that a purchase has one live owner, mints one code, and follows the newest reading (decision 84)',
  stateVersion: 1,
  events: storePurchaseEvents,
  // The holder of the key is the purchase itself: its secrets belong to no account for good.
  subjectOf: (_id, { purchaseId }) => storePurchaseId(snowflake(String(purchaseId))),
  // The key can't be told from the stream's name.
  snapshots: 'none',
  initial: { status: 'absent' },
  decide,
  evolve,
})

function decide(state: StorePurchaseState, command: StorePurchaseCommand): Decision<StorePurchaseEvent> {
  const known = state.status === 'seen' ? state : null
  const decided = decideBy(known, command)
  return decided.outcome === 'accepted' ? withRefund(state, decided.events, command.now) : decided
}

function decideBy(known: StorePurchase | null, command: StorePurchaseCommand): Decision<StorePurchaseEvent> {
  if (command.type === 'TakeReading') return takeReading(known, command)
  return command.type === 'SupersedePurchase' ? supersede(known, command) : decideSeen(known, command)
}

type LaterCommand = Exclude<StorePurchaseCommand, TakeReading | SupersedePurchase>

function decideSeen(known: StorePurchase | null, command: LaterCommand): Decision<StorePurchaseEvent> {
  if (known === null) return refuse('UNKNOWN_STORE_PURCHASE')
  const { purchaseId } = known
  switch (command.type) {
    case 'NoteUnknown':
      return noteUnknown(known, command)
    case 'ReleasePurchase':
      return release(known, command)
    case 'VoidPurchase':
      return voidOrder(known, command)
    case 'MintCode':
      return mintCode(known, command)
    case 'FulfilPurchase':
      if (known.fulfilledAt !== null) return accept()
      return accept({ type: 'StorePurchaseFulfilled', data: { purchaseId, fulfilledAt: command.now } })
    case 'NoteSentBack':
      return noteSentBack(known, command)
    case 'SettlePurchase':
      if (known.settled_count === known.changes_count || command.changes_count !== known.changes_count) return accept()
      return accept({ type: 'StorePurchaseSettled', data: { purchaseId, settledAt: command.now } })
  }
}

/**
 * Takes what the store said, unless a later reading is there, and settles whose the purchase is. Refuses with
 * STORE_PURCHASE_OWNED_BY_OTHER_ACCOUNT, and with CONFLICT if the owner changed since the sender looked; then nothing is written.
 */
function takeReading(known: StorePurchase | null, command: TakeReading): Decision<StorePurchaseEvent> {
  const { purchase, provider, storeKey, owners, now } = command
  if ((known?.owner ?? null) !== (owners.present?.accountId ?? null)) return refuse('CONFLICT')
  const owner = ownerAfter(known, command)
  if (owner === 'taken') return refuse('STORE_PURCHASE_OWNED_BY_OTHER_ACCOUNT')
  const purchaseId = known?.purchaseId ?? command.newId
  const before = known?.owner ?? null
  return accept<StorePurchaseEvent>(
    ...(known === null
      ? [{ type: 'StorePurchaseSeen' as const, data: { purchase, purchaseId, provider, storeKey, seenAt: now } }]
      : []),
    ...readEvents(known, command, purchaseId),
    ...(owner === null || owner === before
      ? []
      : [{ type: 'StorePurchaseLinked' as const, data: { purchaseId, accountId: owner, before, linkedAt: now } }]),
  )
}

/** A reading that is as old as the stored one, or older, says nothing new. */
function readEvents(
  known: StorePurchase | null,
  { asOf, facts, hashes, secrets, now }: TakeReading,
  purchaseId: StorePurchase['purchaseId'],
): readonly StorePurchaseEvent[] {
  const reading = known?.reading
  if (reading && asOf <= reading.asOf) return []
  const changedSecrets = changes(secrets, reading?.secrets)
  const data = {
    purchaseId,
    asOf,
    readAt: now,
    facts: changes(facts, reading?.facts),
    hashes: changes(hashes, reading?.hashes),
    secrets: Object.keys(changedSecrets).length === 0 ? null : changedSecrets,
  }
  return [{ type: 'StorePurchaseRead', data }]
}

function changes<Members extends object>(news: Members, old: Members | undefined): Partial<Members> {
  const before = new Map<string, unknown>(Object.entries(old ?? {}))
  const changed = Object.entries(news).filter(
    ([member, value]) => !before.has(member) || !sameJson(value, before.get(member)),
  )
  return Object.fromEntries(changed) as Partial<Members>
}

function noteUnknown(known: StorePurchase, { asOf, now }: NoteUnknown): Decision<StorePurchaseEvent> {
  const { purchaseId, reading } = known
  if (reading === null || kindOf(reading.facts.slot) === 'gift' || asOf <= reading.asOf) return accept()
  const facts = changes({ ...reading.facts, state: 'expired', grants: false } as const, reading.facts)
  return accept({
    type: 'StorePurchaseRead',
    data: { purchaseId, asOf, readAt: now, facts, hashes: {}, secrets: null },
  })
}

/** Refuses with UNKNOWN_STORE_PURCHASE for another account's, as for one that does not exist, and with STORE_PURCHASE_INVALID for a gift. */
function release(
  known: StorePurchase,
  { accountId, ownTokenHash, now }: ReleasePurchase,
): Decision<StorePurchaseEvent> {
  const { purchaseId, owner, reading } = known
  if (owner !== accountId || reading === null) return refuse('UNKNOWN_STORE_PURCHASE')
  if (kindOf(reading.facts.slot) === 'gift') return refuse('STORE_PURCHASE_INVALID')
  const { token: tokenHash } = reading.hashes
  const own = typeof ownTokenHash === 'string' && ownTokenHash !== tokenHash ? { ownTokenHash } : {}
  return accept({ type: 'StorePurchaseReleased', data: { purchaseId, accountId, tokenHash, ...own, releasedAt: now } })
}

/** A purchase that was never read is seen by that: its successor may be claimed before it. */
function supersede(known: StorePurchase | null, command: SupersedePurchase): Decision<StorePurchaseEvent> {
  const { purchase, by, storeKey, now } = command
  if ((known !== null && known.supersededBy !== null) || by === purchase) return accept()
  const purchaseId = known?.purchaseId ?? command.newId
  const seen = { purchase, purchaseId, provider: 'store_b', storeKey, seenAt: now } as const
  return accept<StorePurchaseEvent>(...(known === null ? [{ type: 'StorePurchaseSeen' as const, data: seen }] : []), {
    type: 'StorePurchaseSuperseded',
    data: { purchaseId, by, supersededAt: now },
  })
}

function voidOrder(known: StorePurchase, { orderHash, voidedAt }: VoidPurchase): Decision<StorePurchaseEvent> {
  const { purchaseId, reading, voided } = known
  if (reading === null || voided?.orderHash === orderHash) return accept()
  const isGift = kindOf(reading.facts.slot) === 'gift'
  if (isGift ? voided !== null : reading.hashes.latestOrder !== orderHash) return accept()
  return accept({ type: 'StorePurchaseVoided', data: { purchaseId, orderHash, voidedAt } })
}

/** Only a paid gift of one, with an owner who may have it, mints a code: once. */
function mintCode(known: StorePurchase, { gift, rights, now }: MintCode): Decision<StorePurchaseEvent> {
  const { purchaseId } = known
  if (!owesCode(known, rights)) return accept()
  return accept({ type: 'StorePurchaseCodeMinted', data: { purchaseId, gift, mintedAt: now } })
}

function noteSentBack(known: StorePurchase, { reason, now }: NoteSentBack): Decision<StorePurchaseEvent> {
  if (known.sentBack !== null) return accept()
  const data = { purchaseId: known.purchaseId, reason, byService: true, refundedAt: now }
  return accept({ type: 'StorePurchaseRefunded', data })
}

/** Says in the same step that the money went back, or that the store took that back: gift and premium follow from it. */
function withRefund(
  state: StorePurchaseState,
  events: readonly StorePurchaseEvent[],
  now: Timestamp,
): Decision<StorePurchaseEvent> {
  const after = events.reduce<StorePurchaseState>(evolve, state)
  if (events.length === 0 || after.status === 'absent') return accept(...events)
  const { state: shown, revocationReason: reason } = shownPurchase(after)
  const { purchaseId, isRefunded } = after
  const isBack = shown === 'refunded' || shown === 'revoked'
  if (isBack && !isRefunded) {
    const data = { purchaseId, reason, byService: false, refundedAt: now }
    return accept(...events, { type: 'StorePurchaseRefunded', data })
  }
  const isReversed = isRefunded && !isBack && shown !== 'superseded'
  return isReversed
    ? accept(...events, { type: 'StorePurchaseReversed', data: { purchaseId, reversedAt: now } })
    : accept(...events)
}
