import { z } from 'zod'
import { admin } from '../../callers.js'
import { none, operation } from '../../operation.js'
import { aclsBody } from '../../schemas/administration/admin-acls.js'
import { adminUserReply } from '../../schemas/administration/admin-users.js'
import { accountIdInput } from '../../schemas/scalars.js'
import { adminLookup, adminUserModify } from './buckets.js'

const userParams = z.object({ user_id: accountIdInput })

export const getCurrentAdminUserOperation = operation({
  name: 'Get current Admin user',
  route: 'GET /v1/admin/users/@me',
  callers: admin({ acls: ['admin:authenticate'] }),
  bucket: adminLookup,
  params: none,
  query: none,
  body: none,
  replies: { 200: adminUserReply },
  adminAudit: none,
  handle: async ({ caller }, { adminUsers }) => ({ user: await adminUsers.current(caller) }),
})

export const setUserAclsOperation = operation({
  name: 'Set user ACLs',
  route: 'PUT /v1/admin/users/:user_id/acls',
  callers: admin({ acls: ['acl:set:user'] }),
  bucket: adminUserModify,
  params: userParams,
  query: none,
  body: aclsBody,
  replies: { 200: adminUserReply },
  adminAudit: {
    action: 'set_acls',
    target: ({ params }) => ({ type: 'user', id: params.user_id }),
    metadata: ({ body }) => ({ acls: body.acls.join(',') }),
  },
  refuses: ['UNKNOWN_USER'],
  handle: async ({ caller, params, body }, { adminUsers }) => ({
    user: await adminUsers.setAcls(caller, params.user_id, body.acls),
  }),
})
