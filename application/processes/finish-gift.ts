import type { CommandContext } from '../commands/command-context.ts'
import { Refused } from '../commands/refused.ts'
import { settleGift, type GiftNeeds } from '../identity/gifts/settle-gift.ts'

/** Has the account follow a gift, after the process that began this died. A redemption that the account refuses is undone. */
export async function finishGift(ports: GiftNeeds, gift: string, context: CommandContext): Promise<void> {
  try {
    await settleGift(ports, gift, context)
  } catch (error) {
    // It was undone: nobody waits for the refusal.
    if (!(error instanceof Refused)) throw error
  }
}
