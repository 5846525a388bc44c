import { kindOf } from '../../../domain/store-purchase/purchase-facts.ts'
import { isEntitled, shownPurchase } from '../../../domain/store-purchase/shown-purchase.ts'
import {
  giftCodeOf,
  ownerRights,
  type PremiumHolder,
  type ReadPurchase,
} from '../../identity/purchases/purchase-object.ts'
import type { Ports } from '../../ports.ts'

export type AdminStorePurchaseObject = ReturnType<typeof adminStorePurchaseObject>

/** A purchase as administrators see it, without its token and that of its account. */
export function adminStorePurchaseObject(
  ports: Pick<Ports, 'giftBox' | 'stores'>,
  purchase: ReadPurchase,
  owner: PremiumHolder,
) {
  const { reading, provider } = purchase
  const { facts, secrets } = reading
  const { state, revokedAt, revocationReason } = shownPurchase(purchase)
  return {
    id: purchase.purchaseId,
    user_id: purchase.owner,
    provider,
    kind: kindOf(facts.slot),
    slot: facts.slot,
    environment: facts.environment,
    app_id: facts.appId,
    product_id: facts.productId,
    base_plan_id: facts.basePlanId,
    latest_transaction_id: secrets.latestTransactionId,
    ownership_type: facts.ownershipType,
    state,
    store_state: facts.storeState,
    entitled: isEntitled(purchase, ownerRights(ports, owner)),
    expires_at: facts.expiresAt,
    grace_ends_at: facts.graceEndsAt,
    auto_renew: facts.autoRenew,
    started_at: facts.startedAt,
    purchased_at: facts.purchasedAt,
    revoked_at: revokedAt,
    revocation_reason: revocationReason,
    superseded: purchase.supersededBy !== null,
    acknowledged: provider === 'store_a' || facts.acknowledged || purchase.fulfilledAt !== null,
    gift_code: giftCodeOf(ports, purchase),
    bound_at: purchase.linkedAt,
    last_event_at: reading.asOf,
    synced_at: reading.readAt,
    created_at: purchase.seenAt,
    updated_at: purchase.changedAt,
  }
}
