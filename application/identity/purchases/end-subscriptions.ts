import type { AccountId } from '../../../domain/ids/ids.ts'
import { kindOf } from '../../../domain/store-purchase/purchase-facts.ts'
import { isOver, shownPurchase } from '../../../domain/store-purchase/shown-purchase.ts'
import type { StorePurchase } from '../../../domain/store-purchase/state.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { contextOfPart } from '../../commands/following-context.ts'
import { reject } from '../../commands/refused.ts'
import { purchasesOf } from '../premium/recompute-premium.ts'
import { refreshPurchase, storeKeyOf } from './read-again.ts'
import type { TellNeeds } from './tell-store.ts'

/**
 * Revokes the subscriptions of store B of an account whose deletion an administrator scheduled, with a refund. Nothing
 * happens if the deletion was cancelled meanwhile; cancelling it later brings neither the subscriptions nor the money
 * back. Store A has no request for this: only the customer can cancel there. Safe to repeat. Refuses with
 * STORE_BILLING_UNAVAILABLE if the store does not answer. See rules/stores#the-end-of-an-account.
 */
export async function revokeSubscriptions(
  ports: TellNeeds,
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  const { account } = ports.aggregates
  const { state } = await account.load(accountId)
  if (state.status !== 'registered' || (state.deletion?.scheduledBy ?? null) === null) return
  const named = state.premium.purchases.map(({ purchase }) => purchase)
  const purchases = await endSubscriptions(ports, { owner: accountId, named, how: 'revoke' }, context)
  await account.execute(accountId, { type: 'NoteSubscriptionsRevoked', purchases, now: context.now }, context)
}

/**
 * Stops the payments for the subscriptions of store B of an account that is being erased; what is paid is not refunded. Otherwise as
 * `revokeSubscriptions`.
 */
export async function cancelSubscriptions(
  ports: TellNeeds,
  owner: AccountId,
  named: readonly string[],
  context: CommandContext,
): Promise<void> {
  await endSubscriptions(ports, { owner, named, how: 'cancel' }, context)
}

interface Ending {
  readonly owner: AccountId
  /** The purchases that the account names. */
  readonly named: readonly string[]
  readonly how: 'revoke' | 'cancel'
}

/** Gives those that have ended now, as the store says. One that it refuses to end may have ended before. */
async function endSubscriptions(
  ports: TellNeeds,
  { owner, named, how }: Ending,
  context: CommandContext,
): Promise<readonly string[]> {
  const { storeB } = ports.stores
  if (!storeB.settings.enabled) return []
  const ended: string[] = []
  for (const known of await purchasesOf(ports, named)) {
    const key = storeKeyOf(known)
    if (key?.provider !== 'store_b' || known.owner !== owner || !isRunning(known, how)) continue
    const answer = await storeB[how](key)
    if (!answer.ok && answer.failure.kind === 'unavailable') reject('STORE_BILLING_UNAVAILABLE')
    await refreshPurchase(ports, known.purchase, contextOfPart(context, `end ${known.purchase}`))
    const { state: after } = await ports.aggregates.storePurchase.load(known.purchase)
    if (after.status === 'seen' && !isRunning(after, how)) ended.push(known.purchase)
  }
  return ended
}

function isRunning(purchase: StorePurchase, how: Ending['how']): boolean {
  if (purchase.reading === null || kindOf(purchase.reading.facts.slot) === 'gift' || isOver(purchase)) return false
  return how === 'revoke' || shownPurchase(purchase).state !== 'canceled'
}
