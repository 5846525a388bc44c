import { kindOf } from '../../../domain/store-purchase/purchase-facts.ts'
import type { StorePurchase } from '../../../domain/store-purchase/state.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import type { StoreKey } from '../../ports/stores.ts'
import { applyReading, type ApplyNeeds } from './apply-reading.ts'
import { settlePurchase } from './settle-purchase.ts'
import { answerOf } from './store-answers.ts'
import { readSoon, tellOnce, tellStore, type TellNeeds } from './tell-store.ts'

/**
 * Reads a purchase from its store, and has all that follows from it follow. Nobody claims it. Gives the purchase. Refuses with
 * STORE_BILLING_UNAVAILABLE, and with STORE_PURCHASE_INVALID for what the store does not know or this instance does not sell.
 */
export async function readPurchase(ports: TellNeeds, key: StoreKey, context: CommandContext): Promise<StorePurchase> {
  const reading = answerOf(await ports.stores.read(key))
  const applied = await applyReading(ports, reading, null, context)
  return tellStore(ports, applied, reading, context)
}

/** How a known purchase is asked for; null once its secrets are forgotten, and before the first reading. */
export function storeKeyOf({ provider, storeKey, reading }: StorePurchase): StoreKey | null {
  if (storeKey === null || reading === null) return null
  const { appId, slot, environment } = reading.facts
  const kind = kindOf(slot)
  if (provider === 'store_b') return { provider, packageName: appId, kind, purchaseToken: storeKey }
  return { provider, environment, bundleId: appId, kind, originalTransactionId: storeKey }
}

/**
 * What became of reading a purchase again. `untold`: the store did not take what follows from the reading. `nothing`: the store says
 * nothing new of it, and no reading was recorded. What cannot be read any more is done.
 */
export type Refreshed = 'done' | 'untold' | 'nothing'

/**
 * Reads a known purchase again. A subscription that the store does not know any more is over; a gift stays as it is.
 * What the store did not take is told by a job. Refuses with STORE_BILLING_UNAVAILABLE; then nothing has changed.
 */
export async function refreshPurchase(ports: TellNeeds, purchase: string, context: CommandContext): Promise<void> {
  if ((await refreshOnce(ports, purchase, context)) === 'untold') await readSoon(ports, purchase)
}

/** The same for the job itself, which repeats what was not done. */
export async function refreshOnce(ports: ApplyNeeds, purchase: string, context: CommandContext): Promise<Refreshed> {
  const { storePurchase } = ports.aggregates
  const { state } = await storePurchase.load(purchase)
  const key = state.status === 'seen' ? storeKeyOf(state) : null
  if (key === null) return 'done'
  const answer = await ports.stores.read(key)
  if (answer.ok) {
    const applied = await applyReading(ports, answer.value, null, context)
    const { isTold } = await tellOnce(ports, applied, answer.value, context)
    if (!isTold) return 'untold'
    return applied.reading?.readAt === context.now ? 'done' : 'nothing'
  }
  // A product that is not on sale any more is left as it is.
  if (answer.failure.kind === 'rejected') return 'nothing'
  if (answer.failure.kind !== 'not found') reject('STORE_BILLING_UNAVAILABLE')
  const { now } = context
  const noted = await storePurchase.execute(purchase, { type: 'NoteUnknown', asOf: now, now }, context)
  await settlePurchase(ports, purchase, context, noted.state)
  return noted.changed ? 'done' : 'nothing'
}
