import { z } from 'zod'
import { claimStoreA, claimStoreB } from '../../../../application/identity/purchases/claim-purchase.ts'
import { listOwnPurchases, releasePurchase } from '../../../../application/identity/purchases/own-purchases.ts'
import { getPurchaseContext } from '../../../../application/identity/purchases/purchase-context.ts'
import { perUser } from '../../bucket.ts'
import { accounts } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import {
  purchaseContext,
  storeATransaction,
  storeBPurchase,
  storePurchase,
  storePurchaseClaim,
  storePurchaseParams,
} from '../../schemas/identity/purchases.ts'
import { alwaysSudoOfPurchases } from '../../sudo.ts'

const refusedClaims = [
  'PREMIUM_PURCHASE_BLOCKED',
  'STORE_BILLING_UNAVAILABLE',
  'STORE_PURCHASE_INVALID',
  'STORE_PURCHASE_OWNED_BY_OTHER_ACCOUNT',
  'STORE_PURCHASE_SANDBOX_NOT_ENTITLED',
] as const

const getPurchaseContextOperation = operation({
  name: 'Get in-app purchase context',
  description: 'What an app needs to sell premium to the caller.',
  route: 'GET /v1/premium/store',
  callers: accounts(),
  hostedOnly: true,
  bucket: perUser('store:context', { requests: 30, seconds: 10 }),
  replies: { 200: purchaseContext },
  useCase: getPurchaseContext,
  handle: ({ caller }, run) => run(caller),
})

const claimStoreAOperation = operation({
  name: 'Claim store A transaction',
  description: 'Claims what store A has sold, for the caller.',
  route: 'POST /v1/premium/store/store-a/transactions',
  callers: accounts(),
  hostedOnly: true,
  bucket: perUser('store:claim:store_a', { requests: 20, seconds: 60 }),
  body: storeATransaction,
  keepsNoText: true,
  replies: { 200: storePurchaseClaim },
  refuses: refusedClaims,
  useCase: claimStoreA,
  handle: ({ caller, body }, run) => run(caller, body.signed_transaction),
})

const claimStoreBOperation = operation({
  name: 'Claim store B purchase',
  description: 'Claims what store B has sold, for the caller.',
  route: 'POST /v1/premium/store/google-play/purchases',
  callers: accounts(),
  hostedOnly: true,
  bucket: perUser('store:claim:store_b', { requests: 20, seconds: 60 }),
  body: storeBPurchase,
  keepsNoText: true,
  replies: { 200: storePurchaseClaim },
  refuses: refusedClaims,
  useCase: claimStoreB,
  handle: ({ caller, body }, run) =>
    run(caller, { purchaseToken: body.purchase_token, productId: body.product_id, packageName: body.package_name }),
})

const listPurchasesOperation = operation({
  name: 'List store purchases',
  description: 'The purchases linked to the caller, newest first.',
  route: 'GET /v1/premium/store/purchases',
  callers: accounts(),
  hostedOnly: true,
  bucket: perUser('store:purchases:list', { requests: 30, seconds: 10 }),
  replies: { 200: z.array(storePurchase).readonly() },
  useCase: listOwnPurchases,
  handle: ({ caller }, run) => run(caller),
})

const releasePurchaseOperation = operation({
  name: 'Release store subscription',
  description: 'Unlinks a subscription from the caller: another account may claim it.',
  route: 'DELETE /v1/premium/store/purchases/:purchase_id',
  callers: accounts(),
  hostedOnly: true,
  bucket: perUser('store:purchases:release', { requests: 5, seconds: 60 }),
  params: storePurchaseParams,
  replies: { 204: none },
  refuses: ['STORE_BILLING_UNAVAILABLE', 'UNKNOWN_STORE_PURCHASE'],
  sudo: alwaysSudoOfPurchases,
  useCase: releasePurchase,
  handle: ({ caller, params }, run) => run(caller, params.purchase_id),
})

/** Purchases in the two stores. */
export const purchaseOperations: readonly Operation[] = [
  getPurchaseContextOperation,
  claimStoreAOperation,
  claimStoreBOperation,
  listPurchasesOperation,
  releasePurchaseOperation,
]
