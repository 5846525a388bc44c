import { kindOf } from '../../domain/store-purchase/purchase-facts.ts'
import type { CommandContext } from '../commands/command-context.ts'
import { settlePurchase, type SettlingNeeds } from '../identity/purchases/settle-purchase.ts'
import { readSoon } from '../identity/purchases/tell-store.ts'
import type { Ports } from '../ports.ts'

/**
 * Has accounts and gifts follow a purchase, after the process that took its reading died. Only a reading tells which
 * subscription of store B it replaces. So a purchase of store B is read again soon, and then supersedes the other one.
 */
export async function finishPurchase(
  ports: SettlingNeeds & Pick<Ports, 'jobs'>,
  purchase: string,
  context: CommandContext,
): Promise<void> {
  const { state } = await ports.aggregates.storePurchase.load(purchase)
  const mayReplace =
    state.status === 'seen' &&
    state.provider === 'store_b' &&
    state.reading !== null &&
    kindOf(state.reading.facts.slot) === 'subscription'
  // Before it is settled: afterwards nobody would come back for it.
  if (mayReplace) await readSoon(ports, purchase)
  await settlePurchase(ports, purchase, context, state)
}
