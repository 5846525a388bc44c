import { deletePasskey } from '../../../../application/administration/users/delete-passkey.ts'
import { disableMfa } from '../../../../application/administration/users/disable-mfa.ts'
import {
  removeOneRelationship,
  removeRelationships,
} from '../../../../application/administration/users/remove-relationships.ts'
import { terminateSessions } from '../../../../application/administration/users/terminate-sessions.ts'
import { admin } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import {
  passkeyParams,
  relationshipCategory,
  relationshipParams,
  removedRelationships,
  terminatedSessions,
} from '../../schemas/administration/user-people.ts'
import { adminUserModify } from './buckets.ts'
import { ofUser, userParams } from './of-users.ts'

const terminateUserSessionsOperation = operation({
  name: 'Terminate user sessions',
  description: 'Ends every session of an account and closes their connections.',
  route: 'DELETE /v1/admin/users/:user_id/sessions',
  callers: admin({ acls: ['user:update:flags'] }),
  bucket: adminUserModify,
  params: userParams,
  replies: { 200: terminatedSessions },
  adminAudit: { action: 'terminate_sessions', ...ofUser },
  refuses: ['UNKNOWN_USER'],
  useCase: terminateSessions,
  handle: ({ caller, params }, run) => run(caller, params.user_id),
})

const disableUserMfaOperation = operation({
  name: 'Disable user MFA',
  description: 'Turns off every second factor of an account.',
  route: 'DELETE /v1/admin/users/:user_id/mfa',
  callers: admin({ acls: ['user:update:mfa'] }),
  bucket: adminUserModify,
  params: userParams,
  replies: { 204: none },
  adminAudit: { action: 'disable_mfa', ...ofUser },
  refuses: ['UNKNOWN_USER'],
  useCase: disableMfa,
  handle: ({ caller, params }, run) => run(caller, params.user_id),
})

const deleteUserWebAuthnCredentialOperation = operation({
  name: 'Delete user WebAuthn credential',
  description: 'Deletes a passkey of an account.',
  route: 'DELETE /v1/admin/users/:user_id/webauthn-credentials/:credential_id',
  callers: admin({ acls: ['user:update:mfa'] }),
  bucket: adminUserModify,
  params: passkeyParams,
  replies: { 204: none },
  adminAudit: {
    action: 'delete_webauthn_credential',
    ...ofUser,
    metadata: ({ params }) => ({ credential_id: params.credential_id }),
  },
  refuses: ['UNKNOWN_USER'],
  useCase: deletePasskey,
  handle: ({ caller, params }, run) => run(caller, params.user_id, params.credential_id),
})

const removeUserRelationshipOperation = operation({
  name: 'Remove one user relationship',
  description: "Removes an account's relationship to another, if it is of this category.",
  route: 'DELETE /v1/admin/users/:user_id/relationships/:target_user_id',
  callers: admin({ acls: ['user:remove:relationship'] }),
  bucket: adminUserModify,
  params: relationshipParams,
  body: relationshipCategory,
  replies: { 204: none },
  adminAudit: {
    action: 'remove_relationship',
    ...ofUser,
    metadata: ({ params, body }) => ({ target_user_id: params.target_user_id, category: body.category }),
  },
  refuses: ['UNKNOWN_USER'],
  useCase: removeOneRelationship,
  handle: ({ caller, params, body }, run) => run(caller, params.user_id, params.target_user_id, body.category),
})

const removeUserRelationshipsOperation = operation({
  name: 'Remove user relationships by category',
  description: "Removes all of an account's relationships of a category, one after another, and gives how many.",
  route: 'DELETE /v1/admin/users/:user_id/relationships',
  callers: admin({ acls: ['user:remove:relationship'] }),
  bucket: adminUserModify,
  params: userParams,
  body: relationshipCategory,
  replies: { 200: removedRelationships },
  adminAudit: {
    action: 'remove_relationships_by_category',
    ...ofUser,
    metadata: ({ body }, { removed_count: count }) => ({ category: body.category, removed_count: String(count) }),
  },
  refuses: ['UNKNOWN_USER'],
  useCase: removeRelationships,
  handle: ({ caller, params, body }, run) => run(caller, params.user_id, body.category),
})

/** The sessions, second factors and relationships of accounts, for administrators. */
export const adminUserPeopleOperations: readonly Operation[] = [
  terminateUserSessionsOperation,
  disableUserMfaOperation,
  deleteUserWebAuthnCredentialOperation,
  removeUserRelationshipOperation,
  removeUserRelationshipsOperation,
]
