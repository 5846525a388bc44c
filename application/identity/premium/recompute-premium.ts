import { isEntitled, appliedPurchase } from '../../../domain/store-purchase/shown-purchase.js'
import type { StorePurchase } from '../../../domain/store-purchase/state.js'
import type { AccountId } from '../../../domain/ids/ids.js'
import type { CommandContext } from '../../commands/command-context.js'
import { reject } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'

export type PremiumNeeds = Pick<Ports, 'aggregates' | 'locks' | 'stores'>

/**
 * Computes the premium of an account from the streams of the subscriptions that it names, and of others that may have paid before:
 * one computation an account at a time, so that none decides on what another has replaced. Nothing happens to an account that
 * nobody holds. Refuses with STORE_BILLING_UNAVAILABLE if others compute for too long. Reference stores 2.6.
 */
export async function recomputePremium(
  ports: PremiumNeeds,
  accountId: AccountId,
  context: CommandContext,
  others: readonly string[] = [],
): Promise<void> {
  const computed = await ports.locks.holding(`premium of account ${accountId}`, async () => {
    const { state } = await ports.aggregates.account.load(accountId)
    if (state.status !== 'registered') return
    const named = state.premium.purchases.filter(({ kind }) => kind === 'subscription').map(({ purchase }) => purchase)
    const found = await purchasesOf(ports, [...new Set([...named, ...others])])
    const mayUseSandbox = ports.stores.mayUseSandbox(accountId)
    const purchases = found.flatMap((purchase) => {
      // A purchase that is another's by now grants nothing here.
      const counted = appliedPurchase(purchase, mayUseSandbox)
      return counted && purchase.owner === accountId ? [counted] : []
    })
    await ports.aggregates.account.execute(accountId, { type: 'ApplyPurchases', purchases, now: context.now }, context)
  })
  if (computed === undefined) reject('STORE_BILLING_UNAVAILABLE')
}

/** How many streams are read at the same time. */
const reads_max = 20

/** The purchases with these ids, as their streams say now. Those that do not exist are left out. */
export async function purchasesOf(
  { aggregates }: Pick<Ports, 'aggregates'>,
  ids: readonly string[],
): Promise<readonly StorePurchase[]> {
  const found: StorePurchase[] = []
  for (let index = 0; index < ids.length; index += reads_max) {
    const loaded = ids.slice(index, index + reads_max).map((id) => aggregates.storePurchase.load(id))
    for (const { state } of await Promise.all(loaded)) if (state.status === 'seen') found.push(state)
  }
  return found
}

/** The subscription that gives an account access the longest, for the premium state; undefined for none. */
export async function activeSubscription(
  ports: Pick<Ports, 'aggregates' | 'stores'>,
  accountId: AccountId,
): Promise<StorePurchase | undefined> {
  const { state } = await ports.aggregates.account.load(accountId)
  if (state.status !== 'registered') return undefined
  const named = state.premium.purchases.filter(({ kind }) => kind === 'subscription').map(({ purchase }) => purchase)
  const mayUseSandbox = ports.stores.mayUseSandbox(accountId)
  const granting = (await purchasesOf(ports, named)).filter(
    (purchase) => purchase.owner === accountId && isEntitled(purchase, mayUseSandbox),
  )
  return granting.toSorted((one, other) => (endText(one) < endText(other) ? 1 : -1))[0]
}

const endText = ({ reading }: StorePurchase): string => reading?.facts.graceEndsAt ?? reading?.facts.expiresAt ?? ''
