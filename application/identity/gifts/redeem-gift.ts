import { hasPremiumFlag } from '../../../domain/premium/premium-flags.ts'
import type { Gift } from '../../../domain/gift/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { countsFor } from '../../../domain/store-purchase/shown-purchase.ts'
import { isClaimed } from '../../access/account-standing.ts'
import type { Caller } from '../../caller.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { giftIdOf } from './gift-codes.ts'
import { settleGift } from './settle-gift.ts'

/**
 * Redeems a gift code for the caller. Refuses in this order: UNCLAIMED_ACCOUNT_CANNOT_MAKE_PURCHASES,
 * PURCHASE_EMAIL_VERIFICATION_REQUIRED, PREMIUM_PURCHASE_BLOCKED with the reason `purchase_disabled`,
 * UNKNOWN_GIFT_CODE, GIFT_CODE_ALREADY_REDEEMED, STORE_PURCHASE_SANDBOX_NOT_ENTITLED,
 * GIFT_NOT_REDEEMABLE_WITH_LIFETIME_PREMIUM, GIFT_REDEMPTION_IN_PROGRESS. See rules/gifts#redeem.
 */
export function redeemGift(ports: Pick<Ports, 'aggregates' | 'giftBox' | 'readModels' | 'stores'>) {
  return async ({ account, context }: Caller, code: string): Promise<void> => {
    const gift = giftIdOf(ports, code)
    const earlier = await ports.aggregates.gift.findEarlierTry(gift, 'BeginRedemption', context)
    if (!earlier) {
      if (!isClaimed(account)) reject('UNCLAIMED_ACCOUNT_CANNOT_MAKE_PURCHASES')
      if (account.email !== null && !account.emailVerified) reject('PURCHASE_EMAIL_VERIFICATION_REQUIRED')
      if (hasPremiumFlag(account, 'PURCHASE_DISABLED'))
        rejectWith('PREMIUM_PURCHASE_BLOCKED', { reason: 'purchase_disabled' })
      const { state } = await ports.aggregates.gift.load(gift)
      if (state.status === 'absent' || state.revoked) reject('UNKNOWN_GIFT_CODE')
      if (state.redemption !== null && state.pending !== 'redeem') reject('GIFT_CODE_ALREADY_REDEEMED')
      if (!(await mayHave(ports, state, account.id))) reject('STORE_PURCHASE_SANDBOX_NOT_ENTITLED')
      if (account.premium.type === 2) reject('GIFT_NOT_REDEEMABLE_WITH_LIFETIME_PREMIUM')
      const begin = { type: 'BeginRedemption', accountId: account.id, now: context.now } as const
      await ports.aggregates.gift.execute(gift, begin, context)
    }
    await settleGift(ports, gift, context)
    await ports.readModels.reached(context.written)
  }
}

/** A code that a store's test purchase paid for gives premium to nobody but those whose test purchases count. */
async function mayHave(
  { aggregates, stores }: Pick<Ports, 'aggregates' | 'stores'>,
  { purchase }: Gift,
  redeemer: AccountId,
): Promise<boolean> {
  if (purchase === null) return true
  const { state } = await aggregates.storePurchase.load(purchase)
  return state.status === 'absent' || countsFor(state, { mayUseSandbox: stores.mayUseSandbox(redeemer) })
}
