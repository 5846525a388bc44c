import type { AccountId } from '../../../domain/ids/ids.ts'
import { kindOf } from '../../../domain/store-purchase/purchase-facts.ts'
import type { Premium } from '../../../domain/premium/premium.ts'
import { isEntitled, shownPurchase, type OwnerRights } from '../../../domain/store-purchase/shown-purchase.ts'
import type { PurchaseReading, StorePurchase } from '../../../domain/store-purchase/state.ts'
import type { Ports } from '../../ports.ts'
import { giftCodeOfPurchase } from '../gifts/gift-codes.ts'

type Needs = Pick<Ports, 'giftBox' | 'stores'>

export type StorePurchaseObject = ReturnType<typeof storePurchaseObject>

/** A purchase that was read. */
export type ReadPurchase = StorePurchase & { readonly reading: PurchaseReading }

/** Whether a store was asked about it: every purchase that has an owner was. */
export function isRead(purchase: StorePurchase): purchase is ReadPurchase {
  return purchase.reading !== null
}

/** The newest first: the order of lists. */
export function newestFirst(purchases: readonly StorePurchase[]): readonly ReadPurchase[] {
  return purchases.filter(isRead).toSorted((one, other) => (BigInt(one.purchaseId) < BigInt(other.purchaseId) ? 1 : -1))
}

/** A purchase as its owner sees it, without anything that is secret (rules/stores#never-shown). */
export function storePurchaseObject(ports: Needs, purchase: ReadPurchase, owner: PremiumHolder) {
  return { ...purchaseFactsObject(ports, purchase, owner), gift_code: giftCodeOf(ports, purchase) }
}

/** The same without the code of a gift, which gives what was bought to whoever reads it. */
export function purchaseFactsObject(ports: Pick<Needs, 'stores'>, purchase: ReadPurchase, owner: PremiumHolder) {
  const { facts } = purchase.reading
  const { state } = shownPurchase(purchase)
  const kind = kindOf(facts.slot)
  const isGift = kind === 'gift'
  const entitled = isEntitled(purchase, ownerRights(ports, owner))
  const entitledUntil = state === 'grace' ? facts.graceEndsAt : facts.expiresAt
  return {
    id: purchase.purchaseId,
    provider: purchase.provider,
    kind,
    slot: facts.slot,
    product_id: facts.productId,
    environment: facts.environment,
    state,
    entitled,
    expires_at: isGift ? null : facts.expiresAt,
    entitled_until: isGift || !entitled ? null : entitledUntil,
    will_renew: isGift ? null : facts.autoRenew === true,
    created_at: purchase.seenAt,
  }
}

/** The account that a purchase is linked to. */
export interface PremiumHolder {
  readonly id: AccountId
  readonly premium: Pick<Premium, 'type'>
}

/** What an account may have of its purchases. */
export function ownerRights({ stores }: Pick<Needs, 'stores'>, { id, premium }: PremiumHolder): OwnerRights {
  return { mayUseSandbox: stores.mayUseSandbox(id), hasLifetime: premium.type === 2 }
}

/** The code that a gift purchase has paid for; null without one. */
export function giftCodeOf(ports: Pick<Needs, 'giftBox'>, { gift, purchase }: StorePurchase): string | null {
  return gift === null ? null : giftCodeOfPurchase(ports, purchase)
}
