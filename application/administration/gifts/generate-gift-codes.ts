import type { GiftDuration } from '../../../domain/premium/gift-duration.ts'
import type { Caller } from '../../caller.ts'
import { newGiftCode } from '../../identity/gifts/gift-codes.ts'
import { mintGift } from '../../identity/gifts/mint-gift.ts'
import type { Ports } from '../../ports.ts'

/** Makes gift codes that nobody paid for. Gives their links. See rules/gifts#codes. */
export function generateGiftCodes(ports: Pick<Ports, 'aggregates' | 'giftBox' | 'instance' | 'readModels'>) {
  return async (
    { context }: Caller,
    count: number,
    duration: GiftDuration,
  ): Promise<{ readonly codes: readonly string[] }> => {
    const codes = Array.from({ length: count }, () => newGiftCode(context))
    await Promise.all(
      codes.map((code) => mintGift(ports, { code, duration, createdBy: null, purchase: null }, context)),
    )
    await ports.readModels.reached(context.written)
    return { codes: codes.map((code) => `${ports.instance.webappUrl}/gift/${code}`) }
  }
}
