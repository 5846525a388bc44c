import { actOn, type ActOptions, type Print } from '../operator/act-on.ts'
import { premiumReply } from '../operator/premium-operation.ts'

/**
 * Gives an account lifetime premium or takes all premium away, with an entry in the admin audit log. Running servers apply it once
 * this resolves.
 */
export async function premiumSet(who: string, wish: string, options: ActOptions, print: Print): Promise<void> {
  if (wish !== 'lifetime' && wish !== 'none') throw new Error(`${wish} is neither lifetime nor none`)
  await actOn(who, options, print, async (id) => ({
    asked: { operation: 'Set premium', params: { user_id: id }, body: { premium: wish } },
    said: (reply) =>
      wish === 'none'
        ? `Account ${id} has no premium now.`
        : `Account ${id} has lifetime premium, number ${premiumReply.parse(reply).number}.`,
  }))
}
