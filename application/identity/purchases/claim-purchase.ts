import { kindOf } from '../../../domain/store-purchase/purchase-facts.ts'
import { countsFor } from '../../../domain/store-purchase/shown-purchase.ts'
import type { StorePurchase } from '../../../domain/store-purchase/state.ts'
import { isClosedAt } from '../../../domain/account/decisions/decide-admission.ts'
import type { Caller } from '../../caller.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import type { StoreReading } from '../../ports/stores.ts'
import type { Ports } from '../../ports.ts'
import { ownAccountState } from '../accounts/own-account-state.ts'
import { applyReading } from './apply-reading.ts'
import { giftCodeOf, isRead, storePurchaseObject, type StorePurchaseObject } from './purchase-object.ts'
import { answerOf } from './store-answers.ts'
import { tellStore, type TellNeeds } from './tell-store.ts'

export type ClaimNeeds = TellNeeds

export interface ClaimObject {
  readonly purchase: StorePurchaseObject
  readonly gift_code: string | null
}

/**
 * Claims what store A has sold, for the caller. The signed transaction names the purchase and proves nothing of its
 * state: the store is asked. Refuses with STORE_BILLING_UNAVAILABLE, STORE_PURCHASE_INVALID,
 * STORE_PURCHASE_OWNED_BY_OTHER_ACCOUNT, STORE_PURCHASE_SANDBOX_NOT_ENTITLED and PREMIUM_PURCHASE_BLOCKED. The last
 * two, and STORE_PURCHASE_INVALID for more than one gift, leave the purchase linked. See rules/stores#claim.
 */
export function claimStoreA(ports: ClaimNeeds) {
  return async (caller: Caller, signedTransaction: string): Promise<ClaimObject> => {
    const { stores } = ports
    if (!stores.storeA.settings.enabled) reject('STORE_BILLING_UNAVAILABLE')
    const { key } = answerOf(await stores.storeA.verifyTransaction(signedTransaction))
    return claim(ports, caller, answerOf(await stores.read(key)))
  }
}

export interface StoreBClaim {
  readonly purchaseToken: string
  readonly productId: string
  /** Undefined for the first accepted package. */
  readonly packageName: string | undefined
}

/**
 * Claims what store B has sold, for the caller. Refuses as `claimStoreA` does. A purchase that is not paid yet is
 * linked, and grants nothing. See rules/stores#claim.
 */
export function claimStoreB(ports: ClaimNeeds) {
  return async (
    caller: Caller,
    { purchaseToken, productId, packageName: given }: StoreBClaim,
  ): Promise<ClaimObject> => {
    const { settings } = ports.stores.storeB
    if (!settings.enabled) reject('STORE_BILLING_UNAVAILABLE')
    const packageName = given ?? settings.packageNames[0]
    const product = settings.products.find((onSale) => onSale.productId === productId)
    if (packageName === undefined || !settings.packageNames.includes(packageName) || !product)
      return reject('STORE_PURCHASE_INVALID')
    const key = { provider: 'store_b', packageName, kind: kindOf(product.slot), purchaseToken } as const
    const reading = answerOf(await ports.stores.read(key))
    if (reading.facts.productId !== productId) reject('STORE_PURCHASE_INVALID')
    return claim(ports, caller, reading)
  }
}

async function claim(ports: ClaimNeeds, caller: Caller, reading: StoreReading): Promise<ClaimObject> {
  const { context, account } = caller
  // The store took its time: whoever was banned or deleted meanwhile gets nothing.
  if (isClosedAt(await ownAccountState(ports, caller), context.now)) reject('UNAUTHORIZED')
  const applied = await applyReading(ports, reading, account.id, context)
  const purchase = await tellStore(ports, applied, reading, context)
  await refuseAfterwards(ports, caller, purchase)
  if (!isRead(purchase)) return reject('STORE_BILLING_UNAVAILABLE')
  const owner = await ownAccountState(ports, caller)
  return { purchase: storePurchaseObject(ports, purchase, owner), gift_code: giftCodeOf(ports, purchase) }
}

/** The refusals after which the purchase stays linked, in their order (rules/stores#claim). */
async function refuseAfterwards(
  ports: Pick<Ports, 'aggregates' | 'stores'>,
  caller: Caller,
  purchase: StorePurchase,
): Promise<void> {
  const { reading, provider } = purchase
  const facts = reading?.facts
  const { account } = caller
  if (!countsFor(purchase, { mayUseSandbox: ports.stores.mayUseSandbox(account.id) }))
    reject('STORE_PURCHASE_SANDBOX_NOT_ENTITLED')
  if (!facts) return
  const isGift = kindOf(facts.slot) === 'gift'
  if (isGift && facts.quantity > 1) reject('STORE_PURCHASE_INVALID')
  // The computation of this claim has just read it.
  const { state } = await ports.aggregates.account.load(account.id, 'cached')
  if (state.status !== 'registered') return reject('UNAUTHORIZED')
  if (!isGift && state.premium.type === 2) rejectWith('PREMIUM_PURCHASE_BLOCKED', { reason: 'lifetime', provider })
}
