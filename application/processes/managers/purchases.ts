import type { StorePurchaseEvent } from '../../../domain/store-purchase/events.ts'
import { changesOthers } from '../../../domain/store-purchase/evolve.ts'
import { kindOf } from '../../../domain/store-purchase/purchase-facts.ts'
import { idOf } from '../../../domain/streams.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { Refused } from '../../commands/refused.ts'
import { settleGift } from '../../identity/gifts/settle-gift.ts'
import { revokeSubscriptions } from '../../identity/purchases/end-subscriptions.ts'
import { settlePurchase } from '../../identity/purchases/settle-purchase.ts'
import { readSoon } from '../../identity/purchases/tell-store.ts'
import type { RecordedEvent } from '../../ports/event-store.ts'
import type { FinishingNeeds } from '../finishing-needs.ts'
import { processManager, type Begun } from '../process-manager.ts'

export const giftRedemption = processManager({
  name: 'gift_redemption',
  unfinished: 'An account redeems a gift, and does not have its time.',
  finishing: 'The account gets the time. If it cannot, the redemption is undone.',
  begins: {
    GiftRedemptionBegan: ({ data }) => ({ key: data.gift, data }),
  },
  ends: {
    GiftRedeemed: ({ data }) => [{ key: data.gift }],
    GiftRedemptionUndone: ({ data }) => [{ key: data.gift }],
  },
  finish: (ports, { data }, context) => finishGift(ports, data.gift, context),
})

/** A gift that nobody has redeemed has no account that could follow. */
export const giftRefund = processManager({
  name: 'gift_refund',
  unfinished: 'The purchase of a redeemed gift was refunded, or that was reversed, and the account has not followed.',
  finishing: 'The time is taken from the account, or given back.',
  begins: {
    GiftRevoked: ({ data }) => (data.accountId === null ? undefined : { key: data.gift, data }),
    GiftReinstated: ({ data }) => (data.accountId === null ? undefined : { key: data.gift, data }),
  },
  ends: {
    GiftTimeTakenBack: ({ data }) => [{ key: data.gift }],
    GiftTimeReturned: ({ data }) => [{ key: data.gift }],
    GiftRedemptionUndone: ({ data }) => [{ key: data.gift }],
  },
  finish: (ports, { data }, context) => finishGift(ports, data.gift, context),
})

export const storePurchase = processManager({
  name: 'store_purchase',
  unfinished: 'A purchase changed, and accounts and gifts may not follow it.',
  finishing: 'They follow it. A subscription of store B is read again soon, for what it replaces.',
  begins: {
    StorePurchaseRead: unsettled,
    StorePurchaseLinked: unsettled,
    StorePurchaseReleased: unsettled,
    StorePurchaseSuperseded: unsettled,
    StorePurchaseVoided: unsettled,
    StorePurchaseCodeMinted: unsettled,
    StorePurchaseRefunded: unsettled,
    StorePurchaseReversed: unsettled,
  },
  ends: {
    StorePurchaseSettled: ({ stream }) => [{ key: idOf(stream) }],
  },
  finish: (ports, { key }, context) => finishPurchase(ports, key, context),
})

export const storeBilling = processManager({
  name: 'store_billing',
  unfinished: 'An administrator scheduled the deletion of an account with subscriptions, and they are not revoked.',
  finishing: 'They are revoked.',
  begins: {
    AccountDeletionScheduled: ({ data }) => (data.hasSubscriptions ? { key: data.accountId, data } : undefined),
  },
  ends: {
    SubscriptionsRevoked: ({ data }) => [{ key: data.accountId }],
    AccountDeletionCancelled: ({ data }) => [{ key: data.accountId }],
    AccountErasureStarted: ({ data }) => [{ key: data.accountId }],
  },
  finish: (ports, { data }, context) => revokeSubscriptions(ports, data.accountId, context),
})

/** A purchase that accounts and gifts may have to follow. */
function unsettled(event: RecordedEvent<StorePurchaseEvent>): Begun | undefined {
  return changesOthers(event) ? { key: idOf(event.stream), data: event.data } : undefined
}

/** Has the account follow a gift, after the process that began this died. A redemption that the account refuses is undone. */
async function finishGift(ports: FinishingNeeds, gift: string, context: CommandContext): Promise<void> {
  try {
    await settleGift(ports, gift, context)
  } catch (error) {
    // It was undone: nobody waits for the refusal.
    if (!(error instanceof Refused)) throw error
  }
}

/**
 * Has accounts and gifts follow a purchase, after the process that took its reading died. Only a reading tells which
 * subscription of store B it replaces. So a purchase of store B is read again soon, and then supersedes the other one.
 */
async function finishPurchase(ports: FinishingNeeds, purchase: string, context: CommandContext): Promise<void> {
  const { state } = await ports.aggregates.storePurchase.load(purchase)
  const mayReplace =
    state.status === 'seen' &&
    state.provider === 'store_b' &&
    state.reading !== null &&
    kindOf(state.reading.facts.slot) === 'subscription'
  // Before it is settled: afterwards nobody would come back for it.
  if (mayReplace) await readSoon(ports, purchase)
  await settlePurchase(ports, purchase, context, state)
}
