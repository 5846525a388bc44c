import { changeUsername } from '../../../../application/administration/users/change-username.ts'
import { clearProfileFields } from '../../../../application/administration/users/clear-profile-fields.ts'
import { createPasswordResetLink } from '../../../../application/administration/users/create-password-reset-link.ts'
import { deleteRecoveryKit } from '../../../../application/administration/users/delete-recovery-kit.ts'
import { resendUserVerification } from '../../../../application/administration/users/resend-user-verification.ts'
import { sendPasswordReset } from '../../../../application/administration/users/send-password-reset.ts'
import { verifyUserEmail } from '../../../../application/administration/users/verify-user-email.ts'
import { admin } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { adminUserReply } from '../../schemas/administration/admin-users.ts'
import { clearedFields, passwordResetLink, usernameChange } from '../../schemas/administration/user-corrections.ts'
import { adminUserModify } from './buckets.ts'
import { ofUser, userParams } from './of-users.ts'

const resendVerificationEmailOperation = operation({
  name: 'Resend verification email',
  description: 'Mails the holder of an account another token that verifies its address, and gives the address.',
  route: 'POST /v1/admin/users/:user_id/verification-email',
  callers: admin({ acls: ['user:update:email'] }),
  signIn: 'email',
  bucket: adminUserModify,
  params: userParams,
  replies: { 204: none },
  adminAudit: { action: 'resend_verification_email', ...ofUser },
  refuses: ['BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED', 'UNKNOWN_USER'],
  useCase: resendUserVerification,
  handle: async ({ caller, params: { user_id: id }, noteAudited }, run) => {
    noteAudited({}, { email: await run(caller, id) })
  },
})

const verifyUserEmailOperation = operation({
  name: 'Verify user email',
  description: 'Marks the address of an account as verified without a token, and takes the bounce marker off.',
  route: 'PUT /v1/admin/users/:user_id/email-verification',
  callers: admin({ acls: ['user:update:email'] }),
  signIn: 'email',
  bucket: adminUserModify,
  params: userParams,
  replies: { 200: adminUserReply },
  adminAudit: { action: 'verify_email', ...ofUser },
  refuses: ['UNKNOWN_USER'],
  useCase: verifyUserEmail,
  handle: async ({ caller, params: { user_id: id }, noteAudited }, run) => {
    const verified = await run(caller, id)
    noteAudited({}, { email: verified.email ?? 'null' })
    return { user: verified.user }
  },
})

const sendPasswordResetOperation = operation({
  name: 'Send password reset',
  description: 'Mails the holder of an account a token to choose a new password, and gives the address.',
  route: 'POST /v1/admin/users/:user_id/password-reset',
  callers: admin({ acls: ['user:update:email'] }),
  signIn: 'email',
  bucket: adminUserModify,
  params: userParams,
  replies: { 204: none },
  adminAudit: { action: 'send_password_reset', ...ofUser },
  refuses: ['UNKNOWN_USER'],
  useCase: sendPasswordReset,
  handle: async ({ caller, params: { user_id: id }, noteAudited }, run) => {
    noteAudited({}, { email: await run(caller, id) })
  },
})

const createPasswordResetLinkOperation = operation({
  name: 'Create password reset link',
  description: 'Makes a link to choose a new password for an account of an instance with sign-in by username.',
  route: 'POST /v1/admin/users/:user_id/password-reset-link',
  callers: admin({ acls: ['user:create:password_reset_link'] }),
  signIn: 'username',
  bucket: adminUserModify,
  params: userParams,
  replies: { 200: passwordResetLink },
  adminAudit: { action: 'create_password_reset_link', ...ofUser },
  refuses: ['BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED', 'UNKNOWN_USER'],
  useCase: createPasswordResetLink,
  handle: ({ caller, params: { user_id: id } }, run) => run(caller, id),
})

const deleteRecoveryKitOperation = operation({
  name: 'Delete recovery kit',
  description: 'Revokes the recovery kit of an account; does nothing without one.',
  route: 'DELETE /v1/admin/users/:user_id/recovery-kit',
  callers: admin({ acls: ['user:delete:recovery_kit'] }),
  signIn: 'username',
  bucket: adminUserModify,
  params: userParams,
  replies: { 204: none },
  adminAudit: { action: 'revoke_recovery_kit', ...ofUser },
  refuses: ['UNKNOWN_USER'],
  useCase: deleteRecoveryKit,
  handle: ({ caller, params: { user_id: id } }, run) => run(caller, id),
})

const changeUsernameOperation = operation({
  name: 'Change user username',
  description: 'Changes the tag of an account.',
  route: 'PATCH /v1/admin/users/:user_id/username',
  callers: admin({ acls: ['user:update:username'] }),
  bucket: adminUserModify,
  params: userParams,
  body: usernameChange,
  replies: { 200: adminUserReply },
  adminAudit: { action: 'change_username', ...ofUser },
  refuses: ['TAG_ALREADY_TAKEN', 'UNKNOWN_USER'],
  useCase: changeUsername,
  handle: async ({ caller, params: { user_id: id }, body, noteAudited }, run) => {
    const { username, discriminator = null } = body
    const renamed = await run(caller, id, { username, discriminator })
    noteAudited({
      old_username: renamed.before.username,
      new_username: renamed.after.username,
      discriminator: String(renamed.after.discriminator),
    })
    return { user: renamed.user }
  },
})

const clearProfileFieldsOperation = operation({
  name: 'Clear user profile fields',
  description: "Clears fields of an account's profile; none for an empty list.",
  route: 'DELETE /v1/admin/users/:user_id/profile-fields',
  callers: admin({ acls: ['user:update:profile'] }),
  bucket: adminUserModify,
  params: userParams,
  body: clearedFields,
  replies: { 200: adminUserReply },
  adminAudit: { action: 'clear_fields', ...ofUser, metadata: ({ body }) => ({ fields: body.fields.join(',') }) },
  refuses: ['UNKNOWN_USER'],
  useCase: clearProfileFields,
  handle: async ({ caller, params: { user_id: id }, body }, run) => ({ user: await run(caller, id, body.fields) }),
})

/** Corrections of accounts that need no new facts of an account. */
export const userCorrectionOperations: readonly Operation[] = [
  resendVerificationEmailOperation,
  verifyUserEmailOperation,
  sendPasswordResetOperation,
  createPasswordResetLinkOperation,
  deleteRecoveryKitOperation,
  changeUsernameOperation,
  clearProfileFieldsOperation,
]
