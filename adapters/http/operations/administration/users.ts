import { currentAdminUser } from '../../../../application/administration/acls/read-admin-user.ts'
import { setAcls } from '../../../../application/administration/acls/set-acls.ts'
import { admin } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { aclsBody } from '../../schemas/administration/admin-acls.ts'
import { adminUserReply } from '../../schemas/administration/admin-users.ts'
import { adminLookup, adminUserModify } from './buckets.ts'
import { ofUser, userParams } from './of-users.ts'

const getCurrentAdminUserOperation = operation({
  name: 'Get current Admin user',
  description: "The caller's own account, with contact details, date of birth and addresses.",
  route: 'GET /v1/admin/users/@me',
  callers: admin({ acls: ['admin:authenticate'] }),
  bucket: adminLookup,
  replies: { 200: adminUserReply },
  adminAudit: none,
  useCase: currentAdminUser,
  handle: async ({ caller }, run) => ({ user: await run(caller) }),
})

const setUserAclsOperation = operation({
  name: 'Set user ACLs',
  description: 'Replaces the Admin ACLs of another account; an empty list ends its access.',
  route: 'PUT /v1/admin/users/:user_id/acls',
  callers: admin({ acls: ['acl:set:user'] }),
  bucket: adminUserModify,
  params: userParams,
  body: aclsBody,
  replies: { 200: adminUserReply },
  adminAudit: {
    action: 'set_acls',
    ...ofUser,
    metadata: ({ body }) => ({ acls: body.acls.join(',') }),
  },
  refuses: ['UNKNOWN_USER'],
  useCase: setAcls,
  handle: async ({ caller, params, body }, run) => ({
    user: await run(caller, params.user_id, body.acls),
  }),
})

/** Accounts, for administrators. */
export const adminUserOperations: readonly Operation[] = [getCurrentAdminUserOperation, setUserAclsOperation]
