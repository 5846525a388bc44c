import { kindOf } from '../../../domain/store-purchase/purchase-facts.ts'
import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { shownPurchase } from '../../../domain/store-purchase/shown-purchase.ts'
import type { StorePurchase } from '../../../domain/store-purchase/state.ts'
import type { NoteSentBack } from '../../../domain/store-purchase/commands.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { contextOfPart } from '../../commands/following-context.ts'
import { reject } from '../../commands/refused.ts'
import type { StoreAnswer, StoreKey, StoreReading } from '../../ports/stores.ts'
import type { Ports } from '../../ports.ts'
import type { ApplyNeeds } from './apply-reading.ts'
import { ownerOfToken } from './purchase-owners.ts'
import { settlePurchase } from './settle-purchase.ts'
import { storeTokenOf, tokenHashOf } from './store-token.ts'

export type TellNeeds = ApplyNeeds & Pick<Ports, 'jobs'>

/** The states in which a subscription is paid. */
const paid: readonly string[] = ['active', 'grace', 'canceled']
/** When a store that did not answer is told again. */
const again_s = 60

/**
 * Tells the store what follows from a purchase: whose it is, that it was delivered, or that the money goes back. Each
 * is done once. If the store does not answer, a job reads the purchase again and tells it, until it is done. Gives the
 * purchase afterwards. See rules/stores#what-follows.
 */
export async function tellStore(
  ports: TellNeeds,
  purchase: StorePurchase,
  reading: StoreReading,
  context: CommandContext,
): Promise<StorePurchase> {
  const told = await tellOnce(ports, purchase, reading, context)
  if (!told.isTold) await readSoon(ports, purchase.purchase, secondsAfter(context.now, again_s))
  return told.purchase
}

/** Has a purchase read again, unless that waits already. */
export function readSoon({ jobs }: Pick<Ports, 'jobs'>, purchase: string, runAt?: Timestamp): Promise<void> {
  return jobs.add('read_purchase', { purchase }, { key: `purchase ${purchase}`, ...(runAt && { runAt }) })
}

/** The same for the job itself: `isTold` is false if the store did not answer. */
export async function tellOnce(
  ports: ApplyNeeds,
  purchase: StorePurchase,
  reading: StoreReading,
  context: CommandContext,
): Promise<{ readonly purchase: StorePurchase; readonly isTold: boolean }> {
  const { key } = reading
  // Setting a token changes nothing of the purchase.
  if (key.provider === 'store_a') return { purchase, isTold: await setToken(ports, purchase, reading, context) }
  const isTold = (await isToBeSentBack(ports, purchase))
    ? await sendBack(ports, purchase, reading, key.packageName, contextOfPart(context, 'send back'))
    : await deliver(ports, purchase, key, context)
  const { state } = await ports.aggregates.storePurchase.load(purchase.purchase)
  return state.status === 'seen' ? { purchase: state, isTold } : reject('STORE_BILLING_UNAVAILABLE')
}

/** What the store refuses is not repeated: the next reading says more. */
const answered = (answer: StoreAnswer<unknown>): boolean => answer.ok || answer.failure.kind !== 'unavailable'

/**
 * Sets the owner's token if the purchase has none of a live account. Purchases shared in a family take none. Whether it has the
 * owner's own is said by the state that the reading was taken with: a token never changes.
 */
async function setToken(
  ports: ApplyNeeds,
  { owner }: StorePurchase,
  { key, facts, secrets }: StoreReading,
  context: CommandContext,
): Promise<boolean> {
  if (owner === null || key.provider !== 'store_a' || facts.ownershipType === 'FAMILY_SHARED') return true
  const { account } = ports.aggregates
  const { accountToken } = secrets
  const { state: known } = await account.load(owner, 'cached')
  const ownTokenHash = known.status === 'registered' ? known.premium.storeToken?.tokenHash : undefined
  if (accountToken !== null && ownTokenHash === tokenHashOf(ports, accountToken)) return true
  if ((await ownerOfToken(ports, accountToken)) !== null) return true
  const { state } = await account.load(owner)
  if (state.status !== 'registered') return true
  const token = await storeTokenOf(ports, owner, context)
  return answered(await ports.stores.storeA.setAccountToken(key, token))
}

/** Why the money goes back: a lifetime holder needs no subscription, and one purchase gives one code. */
async function isToBeSentBack({ aggregates }: ApplyNeeds, purchase: StorePurchase): Promise<boolean> {
  const { reading, owner, sentBack } = purchase
  if (reading === null || sentBack !== null) return false
  const { state } = shownPurchase(purchase)
  if (kindOf(reading.facts.slot) === 'gift') return reading.facts.quantity > 1 && state === 'purchased'
  if (owner === null || !paid.includes(state)) return false
  const { state: account } = await aggregates.account.load(owner)
  return account.status === 'registered' && account.premium.type === 2
}

async function sendBack(
  ports: ApplyNeeds,
  { purchase }: StorePurchase,
  { facts, secrets }: StoreReading,
  packageName: string,
  context: CommandContext,
): Promise<boolean> {
  if (secrets.latestTransactionId === null) return true
  const sent = await ports.stores.storeB.refund(packageName, secrets.latestTransactionId)
  if (!sent.ok) return answered(sent)
  const reason: NoteSentBack['reason'] = kindOf(facts.slot) === 'gift' ? 'unsupported_quantity' : 'lifetime_refund'
  const command = { type: 'NoteSentBack', reason, now: context.now } as const
  const { state } = await ports.aggregates.storePurchase.execute(purchase, command, context)
  await settlePurchase(ports, purchase, context, state)
  return true
}

/** Acknowledges a paid subscription; consumes a gift whose code exists. */
async function deliver(
  ports: ApplyNeeds,
  purchase: StorePurchase,
  key: Extract<StoreKey, { provider: 'store_b' }>,
  context: CommandContext,
): Promise<boolean> {
  const { reading, fulfilledAt, gift, owner } = purchase
  if (reading === null || fulfilledAt !== null) return true
  const { state } = shownPurchase(purchase)
  const isGift = kindOf(reading.facts.slot) === 'gift'
  const isDue = isGift ? gift !== null && state === 'fulfilled' : owner !== null && paid.includes(state)
  if (!isDue) return true
  const told = reading.facts.acknowledged ? 'told' : await delivered(ports, key, reading.facts.productId, isGift)
  if (told !== 'told') return told === 'refused'
  const command = { type: 'FulfilPurchase', now: context.now } as const
  await ports.aggregates.storePurchase.execute(purchase.purchase, command, context)
  return true
}

/** The store refuses what was told before: a reading says whether it was. */
async function delivered(
  { stores }: ApplyNeeds,
  key: Extract<StoreKey, { provider: 'store_b' }>,
  productId: string,
  isGift: boolean,
): Promise<'told' | 'refused' | 'unanswered'> {
  const { storeB } = stores
  const answer = await (isGift ? storeB.consume(key, productId) : storeB.acknowledge(key, productId))
  if (answer.ok) return 'told'
  if (!answered(answer)) return 'unanswered'
  const again = await stores.read(key)
  if (!again.ok) return answered(again) ? 'refused' : 'unanswered'
  return again.value.facts.acknowledged ? 'told' : 'refused'
}
