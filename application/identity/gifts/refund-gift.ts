import type { CommandContext } from '../../commands/command-context.ts'
import { settleGift, type GiftNeeds } from './settle-gift.ts'

/** The purchase of a gift was refunded: its code is not valid any more, and what is left of its time is taken back. */
export async function revokeGift(ports: GiftNeeds, gift: string, context: CommandContext): Promise<void> {
  await ports.aggregates.gift.execute(gift, { type: 'RevokeGift', now: context.now }, context)
  await settleGift(ports, gift, context)
}

/** The store took the refund back: the code is valid again, and the time that was taken comes back. */
export async function reinstateGift(ports: GiftNeeds, gift: string, context: CommandContext): Promise<void> {
  await ports.aggregates.gift.execute(gift, { type: 'ReinstateGift', now: context.now }, context)
  await settleGift(ports, gift, context)
}
