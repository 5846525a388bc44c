import { z } from 'zod'
import { adminAcls } from '../../../../domain/admin/acls.ts'
import {
  changeAdminKey,
  createAdminKey,
  deleteAdminKey,
} from '../../../../application/administration/keys/change-admin-keys.ts'
import { getAdminKey, listAdminKeys } from '../../../../application/administration/keys/read-admin-keys.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { aclRegistry } from '../../schemas/administration/admin-acls.ts'
import {
  adminKey,
  adminKeyChanges,
  adminKeyWishes,
  done,
  newAdminKey,
} from '../../schemas/administration/admin-keys.ts'
import { adminKeyIdInput } from '../../schemas/scalars.ts'
import { sudoOfSecondFactorsOnDemand } from '../../sudo.ts'
import { adminCodeGeneration, adminLookup, adminUserModify } from './buckets.ts'

const callers = admin({ acls: ['admin_api_key:manage'] })
const keyParams = z.object({ key_id: adminKeyIdInput })
const target = 'admin_api_key'

const listAdminAclsOperation = operation({
  name: 'List Admin ACLs',
  description: 'Names every Admin ACL that exists.',
  route: 'GET /v1/admin/acls',
  callers: admin({ acls: ['admin:authenticate'] }),
  bucket: adminLookup,
  replies: { 200: aclRegistry },
  adminAudit: { action: 'list_admin_acls', target: 'acl' },
  handle: () => Promise.resolve({ acls: adminAcls }),
})

const listAdminKeysOperation = operation({
  name: 'List Admin keys',
  description: "Lists the valid keys that the caller's account has made: the oldest 1000.",
  route: 'GET /v1/admin/api-keys',
  callers,
  bucket: adminLookup,
  replies: { 200: z.array(adminKey).readonly() },
  adminAudit: {
    action: 'list_admin_api_keys',
    target,
    metadata: (_, keys) => ({ result_count: String(keys.length) }),
  },
  useCase: listAdminKeys,
  handle: ({ caller }, run) => run(caller),
})

const createAdminKeyOperation = operation({
  name: 'Create Admin key',
  description: "Creates a key that acts for the caller's account, and mails the account's holder.",
  route: 'POST /v1/admin/api-keys',
  callers,
  bucket: adminCodeGeneration,
  body: adminKeyWishes,
  replies: { 200: newAdminKey },
  sudo: sudoOfSecondFactorsOnDemand,
  adminAudit: {
    action: 'create_admin_api_key',
    target,
    targetId: (_, { key_id: id }) => id,
    metadata: (_, { name, acls, expires_at: expiresAt }) => ({
      name,
      acls: acls.join(','),
      expires_at: expiresAt ?? 'null',
    }),
  },
  useCase: createAdminKey,
  handle: async ({ caller, body, proveSudo }, run) => {
    await proveSudo()
    return run(caller, body)
  },
})

const getAdminKeyOperation = operation({
  name: 'Get Admin key',
  description: "Gives one of the keys that the caller's account has made.",
  route: 'GET /v1/admin/api-keys/:key_id',
  callers,
  bucket: adminLookup,
  params: keyParams,
  replies: { 200: adminKey },
  adminAudit: { action: 'get_admin_api_key', target, targetId: ({ params }) => params.key_id },
  refuses: ['ADMIN_API_KEY_NOT_FOUND'],
  useCase: getAdminKey,
  handle: ({ caller, params }, run) => run(caller, params.key_id),
})

const changeAdminKeyOperation = operation({
  name: 'Update Admin key',
  description: "Changes a key's name, its ACLs, both or neither.",
  route: 'PATCH /v1/admin/api-keys/:key_id',
  callers,
  bucket: adminUserModify,
  params: keyParams,
  body: adminKeyChanges,
  replies: { 200: adminKey },
  sudo: sudoOfSecondFactorsOnDemand,
  adminAudit: {
    action: 'update_admin_api_key',
    target,
    targetId: ({ params }) => params.key_id,
    metadata: ({ body }) => ({
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.acls === undefined ? {} : { acls: body.acls.join(',') }),
    }),
  },
  refuses: ['ADMIN_API_KEY_NOT_FOUND'],
  useCase: changeAdminKey,
  handle: async ({ caller, params, body, proveSudo }, run) => {
    if (body.acls !== undefined) await proveSudo()
    return run(caller, params.key_id, body)
  },
})

const deleteAdminKeyOperation = operation({
  name: 'Delete Admin key',
  description: 'Deletes a key, which is invalid from then on.',
  route: 'DELETE /v1/admin/api-keys/:key_id',
  callers,
  bucket: adminUserModify,
  params: keyParams,
  replies: { 200: done },
  adminAudit: { action: 'delete_admin_api_key', target, targetId: ({ params }) => params.key_id },
  refuses: ['ADMIN_API_KEY_NOT_FOUND'],
  useCase: deleteAdminKey,
  handle: async ({ caller, params }, run) => {
    await run(caller, params.key_id)
    return { success: true } as const
  },
})

/** Admin keys and their ACLs. */
export const adminKeyOperations: readonly Operation[] = [
  listAdminAclsOperation,
  listAdminKeysOperation,
  createAdminKeyOperation,
  getAdminKeyOperation,
  changeAdminKeyOperation,
  deleteAdminKeyOperation,
]
