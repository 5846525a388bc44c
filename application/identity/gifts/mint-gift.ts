import type { AccountId } from '../../../domain/ids/ids.ts'
import type { GiftDuration } from '../../../domain/premium/gift-duration.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import type { Ports } from '../../ports.ts'
import { giftIdOf, sealedCode } from './gift-codes.ts'

export interface GiftWishes {
  readonly code: string
  readonly duration: GiftDuration
  /** Null for the system. */
  readonly createdBy: AccountId | null
  /** The id of the stream of the purchase that paid for it; null for none. */
  readonly purchase: string | null
}

/** Makes a gift with this code; nothing if it exists. */
export async function mintGift(
  ports: Pick<Ports, 'aggregates' | 'giftBox'>,
  { code, duration, createdBy, purchase }: GiftWishes,
  context: CommandContext,
): Promise<void> {
  const gift = giftIdOf(ports, code)
  const sealed = sealedCode(ports, gift, code)
  const mint = { type: 'MintGift', gift, code: sealed, ...duration, createdBy, purchase, now: context.now } as const
  await ports.aggregates.gift.execute(gift, mint, context)
}
