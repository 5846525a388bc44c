import { Refused } from '../../application/commands/refused.js'
import { setPremium, type PremiumWish } from '../../application/identity/premium/set-premium.js'
import { openAggregates } from '../aggregates.js'
import { actAsOperator } from '../operator/act-as-operator.js'
import { accountNamed, nobody } from './account-named.js'
import { changeBesideServer } from './change-beside.js'

/**
 * Gives an account lifetime premium or takes all premium away, with an entry in the admin audit log. Running servers apply it once
 * this resolves.
 */
export async function premiumSet(who: string, text: string, print: (line: string) => void): Promise<void> {
  const wish = wishIn(text)
  await changeBesideServer({ print }, async (store) => {
    const account = await accountNamed(who, store, openAggregates({ store: store.events, snapshots: store.snapshots }))
    const number = await actAsOperator(store, {
      action: 'set_premium',
      target: { type: 'user', id: account },
      run: (context, aggregates) => setPremium({ aggregates })(account, wish, context),
      metadata: () => ({ premium: wish }),
    }).catch((error: unknown) => {
      if (error instanceof Refused && error.refusal.code === 'UNKNOWN_USER') throw nobody(account)
      throw error
    })
    print(
      wish === 'none'
        ? `Account ${account} has no premium now.`
        : `Account ${account} has lifetime premium, number ${number}.`,
    )
  })
}

function wishIn(text: string): PremiumWish {
  if (text === 'lifetime' || text === 'none') return text
  throw new Error(`${text} is neither lifetime nor none`)
}
