import { z } from 'zod'
import { adminAcls } from '../../../../domain/admin/acls.js'
import { admin } from '../../callers.js'
import { none, operation } from '../../operation.js'
import { aclRegistry } from '../../schemas/administration/admin-acls.js'
import {
  adminKey,
  adminKeyChanges,
  adminKeyWishes,
  done,
  newAdminKey,
} from '../../schemas/administration/admin-keys.js'
import { adminKeyIdInput } from '../../schemas/scalars.js'
import { sudoOfSecondFactorsOnDemand } from '../../sudo.js'
import { adminCodeGeneration, adminLookup, adminUserModify } from './buckets.js'

const callers = admin({ acls: ['admin_api_key:manage'] })
const keyParams = z.object({ key_id: adminKeyIdInput })
const type = 'admin_api_key'

export const listAdminAclsOperation = operation({
  name: 'List Admin ACLs',
  route: 'GET /v1/admin/acls',
  callers: admin({ acls: ['admin:authenticate'] }),
  bucket: adminLookup,
  params: none,
  query: none,
  body: none,
  replies: { 200: aclRegistry },
  adminAudit: { action: 'list_admin_acls', target: () => ({ type: 'acl', id: '0' }) },
  handle: () => Promise.resolve({ acls: adminAcls }),
})

export const listAdminKeysOperation = operation({
  name: 'List Admin keys',
  route: 'GET /v1/admin/api-keys',
  callers,
  bucket: adminLookup,
  params: none,
  query: none,
  body: none,
  replies: { 200: z.array(adminKey).readonly() },
  adminAudit: {
    action: 'list_admin_api_keys',
    target: () => ({ type, id: '0' }),
    metadata: (_, keys) => ({ result_count: String(keys.length) }),
  },
  handle: ({ caller }, { adminKeys }) => adminKeys.list(caller),
})

export const createAdminKeyOperation = operation({
  name: 'Create Admin key',
  route: 'POST /v1/admin/api-keys',
  callers,
  bucket: adminCodeGeneration,
  params: none,
  query: none,
  body: adminKeyWishes,
  replies: { 200: newAdminKey },
  sudo: sudoOfSecondFactorsOnDemand,
  adminAudit: {
    action: 'create_admin_api_key',
    target: (_, { key_id: id }) => ({ type, id }),
    metadata: (_, { name, acls, expires_at: expiresAt }) => ({
      name,
      acls: acls.join(','),
      expires_at: expiresAt ?? 'null',
    }),
  },
  handle: async ({ caller, body, proveSudo }, { adminKeys }) => {
    await proveSudo()
    return adminKeys.create(caller, body)
  },
})

export const getAdminKeyOperation = operation({
  name: 'Get Admin key',
  route: 'GET /v1/admin/api-keys/:key_id',
  callers,
  bucket: adminLookup,
  params: keyParams,
  query: none,
  body: none,
  replies: { 200: adminKey },
  adminAudit: { action: 'get_admin_api_key', target: ({ params }) => ({ type, id: params.key_id }) },
  refuses: ['ADMIN_API_KEY_NOT_FOUND'],
  handle: ({ caller, params }, { adminKeys }) => adminKeys.get(caller, params.key_id),
})

export const changeAdminKeyOperation = operation({
  name: 'Update Admin key',
  route: 'PATCH /v1/admin/api-keys/:key_id',
  callers,
  bucket: adminUserModify,
  params: keyParams,
  query: none,
  body: adminKeyChanges,
  replies: { 200: adminKey },
  sudo: sudoOfSecondFactorsOnDemand,
  adminAudit: {
    action: 'update_admin_api_key',
    target: ({ params }) => ({ type, id: params.key_id }),
    metadata: ({ body }) => ({
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.acls === undefined ? {} : { acls: body.acls.join(',') }),
    }),
  },
  refuses: ['ADMIN_API_KEY_NOT_FOUND'],
  handle: async ({ caller, params, body, proveSudo }, { adminKeys }) => {
    if (body.acls !== undefined) await proveSudo()
    return adminKeys.change(caller, params.key_id, body)
  },
})

export const deleteAdminKeyOperation = operation({
  name: 'Delete Admin key',
  route: 'DELETE /v1/admin/api-keys/:key_id',
  callers,
  bucket: adminUserModify,
  params: keyParams,
  query: none,
  body: none,
  replies: { 200: done },
  adminAudit: { action: 'delete_admin_api_key', target: ({ params }) => ({ type, id: params.key_id }) },
  refuses: ['ADMIN_API_KEY_NOT_FOUND'],
  handle: async ({ caller, params }, { adminKeys }) => {
    await adminKeys.delete(caller, params.key_id)
    return { success: true } as const
  },
})
