import { isEntitled, appliedPurchase } from '../../../domain/store-purchase/shown-purchase.ts'
import type { StorePurchase } from '../../../domain/store-purchase/state.ts'
import type { AccountState } from '../../../domain/account/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { PurchaseLink } from '../../../domain/premium/premium-commands.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { ownerRights } from '../purchases/purchase-object.ts'

export type PremiumNeeds = Pick<Ports, 'aggregates' | 'locks' | 'stores'>

/** Subscriptions that are counted for an account although it does not name them. */
export interface AlsoCounted {
  /** A subscription that it names from now on, in the same step. */
  readonly link?: PurchaseLink
  /** The ids of those that it no longer names but that may have paid. */
  readonly left?: readonly string[]
}

/**
 * Computes the premium of an account from the streams of the subscriptions that it names, and of those that are also
 * counted: one computation an account at a time, so that none decides on what another has replaced. Nothing happens to
 * an account that nobody holds. Refuses with STORE_BILLING_UNAVAILABLE if others compute for too long, and with
 * UNKNOWN_USER if a subscription is to be linked to an account that nobody holds, or that is to be deleted. See
 * rules/stores#premium.
 */
export async function recomputePremium(
  ports: PremiumNeeds,
  accountId: AccountId,
  context: CommandContext,
  { link, left = [] }: AlsoCounted = {},
): Promise<void> {
  const computed = await ports.locks.holding(`premium of account ${accountId}`, async () => {
    const also = [...(link ? [link.purchase] : []), ...left]
    const { state, found } = await accountWithPurchases(ports, accountId, also)
    if (state.status !== 'registered') return link && reject('UNKNOWN_USER')
    const rights = ownerRights(ports, state)
    const purchases = found.flatMap((purchase) => {
      // A purchase that is another's by now grants nothing here.
      const counted = appliedPurchase(purchase, rights)
      return counted && purchase.owner === accountId ? [counted] : []
    })
    const command = { type: 'ApplyPurchases', ...(link && { link }), purchases, now: context.now } as const
    await ports.aggregates.account.execute(accountId, command, context)
  })
  if (computed === undefined) reject('STORE_BILLING_UNAVAILABLE')
}

/**
 * An account with all its subscriptions, and with the purchases of `also`. The subscriptions that this process last saw
 * in the account are read at the same time as the account, in one statement; those that it gained since are read
 * afterwards.
 */
async function accountWithPurchases(
  ports: PremiumNeeds,
  accountId: AccountId,
  also: readonly string[],
): Promise<{ readonly state: AccountState; readonly found: readonly StorePurchase[] }> {
  const { account } = ports.aggregates
  const known = new Set([...subscriptionsOf((await account.load(accountId, 'cached')).state), ...also])
  const [{ state }, found] = await Promise.all([account.load(accountId), purchasesOf(ports, [...known])])
  const more = subscriptionsOf(state).filter((purchase) => !known.has(purchase))
  return { state, found: more.length === 0 ? found : [...found, ...(await purchasesOf(ports, more))] }
}

function subscriptionsOf(state: AccountState): readonly string[] {
  if (state.status !== 'registered') return []
  return state.premium.purchases.filter(({ kind }) => kind === 'subscription').map(({ purchase }) => purchase)
}

/** How many streams are read at the same time: in Postgres, with one statement. */
const reads_max = 100

/** The purchases with these ids, as their streams say now. Those that do not exist are left out. */
export async function purchasesOf(
  { aggregates }: { readonly aggregates: Pick<Ports['aggregates'], 'storePurchase'> },
  ids: readonly string[],
): Promise<readonly StorePurchase[]> {
  const found: StorePurchase[] = []
  for (let index = 0; index < ids.length; index += reads_max) {
    const loaded = ids.slice(index, index + reads_max).map((id) => aggregates.storePurchase.load(id))
    for (const { state } of await Promise.all(loaded)) if (state.status === 'seen') found.push(state)
  }
  return found
}

/**
 * The subscription that gives an account access the longest, for the premium state; undefined for none, as for a lifetime holder, and
 * while premium follows none.
 */
export async function activeSubscription(
  ports: Pick<Ports, 'aggregates' | 'stores'>,
  accountId: AccountId,
): Promise<StorePurchase | undefined> {
  const { state } = await ports.aggregates.account.load(accountId)
  if (state.status !== 'registered' || state.premium.type !== 1) return undefined
  const rights = ownerRights(ports, state)
  const granting = (await purchasesOf(ports, subscriptionsOf(state))).filter(
    (purchase) => purchase.owner === accountId && isEntitled(purchase, rights),
  )
  return granting.toSorted((one, other) => (endText(one) < endText(other) ? 1 : -1))[0]
}

const endText = ({ reading }: StorePurchase): string => reading?.facts.graceEndsAt ?? reading?.facts.expiresAt ?? ''
