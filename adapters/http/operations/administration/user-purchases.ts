import { listPurchases } from '../../../../application/administration/stores/list-purchases.ts'
import {
  listUserStorePurchases,
  refreshUserStorePurchases,
} from '../../../../application/administration/users/store-purchases.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { purchasesPage, purchasesQuery } from '../../schemas/administration/purchases.ts'
import { userStorePurchases } from '../../schemas/administration/user-purchases.ts'
import { adminLookup, adminUserModify } from './buckets.ts'
import { ofUser, userParams } from './of-users.ts'

const listUserStorePurchasesOperation = operation({
  name: 'List user store purchases',
  description: 'The purchases linked to an account, newest first.',
  route: 'GET /v1/admin/users/:user_id/store-purchases',
  callers: admin({ acls: ['user:lookup'] }),
  hostedOnly: true,
  bucket: adminLookup,
  params: userParams,
  replies: { 200: userStorePurchases },
  adminAudit: {
    action: 'list_user_store_purchases',
    ...ofUser,
    metadata: (_, { purchases }) => ({ result_count: String(purchases.length) }),
  },
  refuses: ['UNKNOWN_USER'],
  useCase: listUserStorePurchases,
  handle: async ({ params }, run) => ({ purchases: await run(params.user_id) }),
})

const refreshUserStorePurchasesOperation = operation({
  name: 'Refresh user store purchases',
  description: 'Reads every linked purchase from its store again and applies it.',
  route: 'POST /v1/admin/users/:user_id/store-purchases/refresh',
  callers: admin({ acls: ['user:update:flags'] }),
  hostedOnly: true,
  bucket: adminUserModify,
  params: userParams,
  replies: { 200: userStorePurchases },
  adminAudit: {
    action: 'refresh_store_purchases',
    ...ofUser,
    metadata: (_, { purchases }) => ({ purchase_count: String(purchases.length) }),
  },
  refuses: ['STORE_BILLING_UNAVAILABLE', 'UNKNOWN_USER'],
  useCase: refreshUserStorePurchases,
  handle: async ({ caller, params }, run) => ({ purchases: await run(caller, params.user_id) }),
})

const listPurchasesOperation = operation({
  name: 'List purchases',
  description:
    'What was bought in the mobile stores, with what was seen last first: without receipts, tokens and codes.',
  route: 'GET /v1/admin/store-purchases',
  callers: admin({ acls: ['user:lookup'] }),
  hostedOnly: true,
  bucket: adminLookup,
  query: purchasesQuery,
  replies: { 200: purchasesPage },
  adminAudit: {
    action: 'list_purchases',
    target: 'store_purchase',
    metadata: ({ query: { accountId, provider, state, since, until, limit } }, { purchases }) => ({
      ...(accountId !== null && { user_id: accountId }),
      ...(provider !== null && { provider }),
      ...(state !== null && { state }),
      ...(since !== null && { since }),
      ...(until !== null && { until }),
      limit: String(limit),
      result_count: String(purchases.length),
    }),
  },
  useCase: listPurchases,
  handle: ({ query }, run) => run(query),
})

/** What was bought in the stores, for administrators. */
export const userPurchaseOperations: readonly Operation[] = [
  listUserStorePurchasesOperation,
  refreshUserStorePurchasesOperation,
  listPurchasesOperation,
]
