import { kindOf } from '../../../domain/store-purchase/purchase-facts.js'
import { shownPurchase } from '../../../domain/store-purchase/shown-purchase.js'
import type { StorePurchase } from '../../../domain/store-purchase/state.js'
import type { NoteSentBack } from '../../../domain/store-purchase/commands.js'
import type { CommandContext } from '../../commands/command-context.js'
import { contextOfPart } from '../../commands/following-context.js'
import { reject } from '../../commands/refused.js'
import type { StoreKey, StoreReading } from '../../ports/stores.js'
import type { ApplyNeeds } from './apply-reading.js'
import { ownerOfToken } from './purchase-owners.js'
import { settlePurchase } from './settle-purchase.js'
import { storeTokenOf } from './store-token.js'

type TellNeeds = ApplyNeeds

/** The states in which a subscription is paid. */
const paid: readonly string[] = ['active', 'grace', 'canceled']

/**
 * Tells the store what follows from a purchase: whose it is, that it was delivered, or that the money goes back. Each is done once;
 * what fails is done with the next reading. Gives the purchase afterwards. Reference stores 1.18 (step 7) and 1.20.
 */
export async function tellStore(
  ports: TellNeeds,
  purchase: StorePurchase,
  reading: StoreReading,
  context: CommandContext,
): Promise<StorePurchase> {
  const { key } = reading
  if (key.provider === 'store_a') await setToken(ports, purchase, reading, context)
  else if (await isToBeSentBack(ports, purchase))
    await sendBack(ports, purchase, reading, key.packageName, contextOfPart(context, 'send back'))
  else await deliver(ports, purchase, key, context)
  const { state } = await ports.aggregates.storePurchase.load(purchase.purchase)
  return state.status === 'seen' ? state : reject('STORE_BILLING_UNAVAILABLE')
}

/** Sets the owner's token if the purchase has none of a live account. Purchases shared in a family take none. */
async function setToken(
  ports: TellNeeds,
  { owner }: StorePurchase,
  { key, facts, secrets }: StoreReading,
  context: CommandContext,
): Promise<void> {
  if (owner === null || key.provider !== 'store_a' || facts.ownershipType === 'FAMILY_SHARED') return
  if ((await ownerOfToken(ports, secrets.accountToken)) !== null) return
  const { state } = await ports.aggregates.account.load(owner)
  if (state.status !== 'registered') return
  const token = await storeTokenOf(ports, owner, context)
  await ports.stores.storeA.setAccountToken(key, token)
}

/** Why the money goes back: a lifetime holder needs no subscription, and one purchase gives one code. */
async function isToBeSentBack({ aggregates }: TellNeeds, purchase: StorePurchase): Promise<boolean> {
  const { reading, owner, sentBack } = purchase
  if (reading === null || sentBack !== null) return false
  const { state } = shownPurchase(purchase)
  if (kindOf(reading.facts.slot) === 'gift') return reading.facts.quantity > 1 && state === 'purchased'
  if (owner === null || !paid.includes(state)) return false
  const { state: account } = await aggregates.account.load(owner)
  return account.status === 'registered' && account.premium.type === 2
}

async function sendBack(
  ports: TellNeeds,
  { purchase }: StorePurchase,
  { facts, secrets }: StoreReading,
  packageName: string,
  context: CommandContext,
): Promise<void> {
  if (secrets.latestTransactionId === null) return
  const sent = await ports.stores.storeB.refund(packageName, secrets.latestTransactionId)
  if (!sent.ok) return
  const reason: NoteSentBack['reason'] = kindOf(facts.slot) === 'gift' ? 'unsupported_quantity' : 'lifetime_refund'
  await ports.aggregates.storePurchase.execute(purchase, { type: 'NoteSentBack', reason, now: context.now }, context)
  await settlePurchase(ports, purchase, context)
}

/** Acknowledges a paid subscription; consumes a gift whose code exists. */
async function deliver(
  ports: TellNeeds,
  purchase: StorePurchase,
  key: Extract<StoreKey, { provider: 'store_b' }>,
  context: CommandContext,
): Promise<void> {
  const { reading, fulfilledAt, gift, owner } = purchase
  if (reading === null || fulfilledAt !== null) return
  const { state } = shownPurchase(purchase)
  const isGift = kindOf(reading.facts.slot) === 'gift'
  const isDue = isGift ? gift !== null && state === 'fulfilled' : owner !== null && paid.includes(state)
  if (!isDue) return
  if (!reading.facts.acknowledged && !(await told(ports, key, reading.facts.productId, isGift))) return
  const command = { type: 'FulfilPurchase', now: context.now } as const
  await ports.aggregates.storePurchase.execute(purchase.purchase, command, context)
}

/** The store refuses what was told before: a reading says whether it was. */
async function told(
  { stores }: TellNeeds,
  key: Extract<StoreKey, { provider: 'store_b' }>,
  productId: string,
  isGift: boolean,
): Promise<boolean> {
  const { storeB } = stores
  const answer = await (isGift ? storeB.consume(key, productId) : storeB.acknowledge(key, productId))
  if (answer.ok || answer.failure.kind !== 'rejected') return answer.ok
  const again = await stores.read(key)
  return again.ok && again.value.facts.acknowledged
}
