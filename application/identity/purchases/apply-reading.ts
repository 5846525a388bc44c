import { storePurchaseId, type AccountId } from '../../../domain/ids/ids.ts'
import type { StorePurchase, StorePurchaseState } from '../../../domain/store-purchase/state.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { contextOfPart } from '../../commands/following-context.ts'
import { derivedSnowflake } from '../../commands/derived-snowflake.ts'
import { Refused, reject } from '../../commands/refused.ts'
import type { StoreBKey, StoreKey, StoreReading } from '../../ports/stores.ts'
import { keyText, keyTextOfToken } from './purchase-key.ts'
import { ownersOf, type OwnerNeeds } from './purchase-owners.ts'
import { settlePurchase, type SettlingNeeds } from './settle-purchase.ts'
import { tokenHashOf } from './store-token.ts'

export type ApplyNeeds = OwnerNeeds & SettlingNeeds

/** How often a purchase may change its owner while a reading is taken. */
const attempts_max = 4
/** Of purchases that each replaced another one and were never heard of, so many are read: people change between few products. */
const replacedInARow_max = 10
/** What store B says of a purchase that was never paid for: it replaces nothing. */
const neverPaid = 'SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED'

/**
 * Takes what a store said of a purchase, whoever asked it, and has accounts, gifts and the purchase that it replaces follow. Gives
 * the purchase. Safe to repeat. Refuses with STORE_PURCHASE_OWNED_BY_OTHER_ACCOUNT, and with STORE_BILLING_UNAVAILABLE if others
 * change it for too long; then the reading has changed nothing.
 */
export async function applyReading(
  ports: ApplyNeeds,
  reading: StoreReading,
  claimer: AccountId | null,
  context: CommandContext,
  replaced_max = replacedInARow_max,
): Promise<StorePurchase> {
  const purchase = ports.storeHash(textOf(reading.key))
  const replaced = replacedBy(ports, purchase, reading)
  if (replaced && replaced_max > 0)
    await readReplaced(ports, replaced, contextOfPart(context, 'replaced'), replaced_max - 1)
  const taken = await takeReading(ports, purchase, reading, claimer, context)
  if (replaced) await supersede(ports, purchase, replaced, contextOfPart(context, 'supersede'))
  const state = await settlePurchase(ports, purchase, context, taken)
  return state.status === 'seen' ? state : reject('STORE_BILLING_UNAVAILABLE')
}

/** The text that names a purchase. A reading always knows the environment. */
function textOf(key: StoreKey): string {
  if (key.provider === 'store_b') return keyText(key)
  return key.environment === null
    ? reject('STORE_BILLING_UNAVAILABLE')
    : keyText({ ...key, environment: key.environment })
}

async function takeReading(
  ports: ApplyNeeds,
  purchase: string,
  { key, facts, secrets, asOf }: StoreReading,
  claimer: AccountId | null,
  context: CommandContext,
): Promise<StorePurchaseState> {
  const { storePurchase } = ports.aggregates
  const { now } = context
  const { accountToken, latestTransactionId } = secrets
  const hashes = {
    token: accountToken === null ? null : tokenHashOf(ports, accountToken),
    latestOrder: latestTransactionId === null ? null : orderHashOf(ports, latestTransactionId),
  }
  for (let attempt = 1; attempt <= attempts_max; attempt += 1) {
    const { state } = await storePurchase.load(purchase)
    const command = {
      type: 'TakeReading',
      purchase,
      newId: storePurchaseId(derivedSnowflake(now, `store purchase ${purchase}`)),
      provider: key.provider,
      storeKey: key.provider === 'store_a' ? key.originalTransactionId : key.purchaseToken,
      asOf,
      facts,
      hashes,
      secrets: { latestTransactionId },
      owners: await ownersOf(ports, state, secrets, claimer),
      now,
    } as const
    try {
      const startFrom = state.status === 'absent' ? 'initial' : 'cached'
      return (await storePurchase.execute(purchase, command, context, startFrom)).state
    } catch (error) {
      if (!(error instanceof Refused) || error.refusal.code !== 'CONFLICT') throw error
    }
  }
  return reject('STORE_BILLING_UNAVAILABLE')
}

/** The hash by which orders are compared. */
export function orderHashOf({ storeHash }: Pick<ApplyNeeds, 'storeHash'>, order: string): string {
  return storeHash(`order\n${order}`)
}

/** A purchase of store B that another one replaces, and how the store is asked for it. */
interface Replaced {
  readonly purchase: string
  readonly key: StoreBKey
}

/** What a purchase of store B replaces; undefined for nothing. */
function replacedBy(
  ports: Pick<ApplyNeeds, 'storeHash'>,
  by: string,
  { key, facts, secrets: { linkedPurchaseToken } }: StoreReading,
): Replaced | undefined {
  if (key.provider !== 'store_b' || linkedPurchaseToken === null) return undefined
  if (facts.state === 'pending' || facts.storeState === neverPaid) return undefined
  const purchase = ports.storeHash(keyTextOfToken(linkedPurchaseToken))
  return purchase === by ? undefined : { purchase, key: { ...key, purchaseToken: linkedPurchaseToken } }
}

/**
 * Reads what a purchase replaces first, if nobody has heard of it: it may itself replace another one, whose owner keeps
 * all of them and which grants nothing any more. What the store does not know any more is left. Refuses with
 * STORE_BILLING_UNAVAILABLE.
 */
async function readReplaced(
  ports: ApplyNeeds,
  { purchase, key }: Replaced,
  context: CommandContext,
  replaced_max: number,
): Promise<void> {
  const { state } = await ports.aggregates.storePurchase.load(purchase)
  if (state.status === 'seen') return
  const answer = await ports.stores.read(key)
  if (answer.ok) await applyReading(ports, answer.value, null, context, replaced_max)
  else if (answer.failure.kind === 'unavailable') reject('STORE_BILLING_UNAVAILABLE')
}

/** The subscription that a purchase of store B replaces ends (rules/stores#what-follows). */
async function supersede(
  ports: ApplyNeeds,
  by: string,
  { purchase: replaced, key }: Replaced,
  context: CommandContext,
): Promise<void> {
  const command = {
    type: 'SupersedePurchase',
    purchase: replaced,
    newId: storePurchaseId(derivedSnowflake(context.now, `store purchase ${replaced}`)),
    storeKey: key.purchaseToken,
    by,
    now: context.now,
  } as const
  const { state } = await ports.aggregates.storePurchase.execute(replaced, command, context)
  await settlePurchase(ports, replaced, context, state)
}
