import { suggestUsernames } from '../../../../application/identity/accounts/registering/suggest-usernames.ts'
import { forgotPassword } from '../../../../application/identity/recovery/forgot-password.ts'
import { resetPassword, resetTokenValidity } from '../../../../application/identity/recovery/reset-password.ts'
import { revertEmailAddress } from '../../../../application/identity/recovery/revert-email-address.ts'
import {
  resendVerification,
  verifyEmailAddress,
} from '../../../../application/identity/recovery/verify-email-address.ts'
import { accounts, anyone } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { authToken, signInAnswer } from '../../schemas/identity/auth.ts'
import {
  forgottenPassword,
  newPassword,
  suggestionWish,
  tokenParameter,
  tokenValidity,
  usernameSuggestions,
  verification,
} from '../../schemas/identity/recovery.ts'

const verifyEmailAddressOperation = operation({
  name: 'Verify e-mail address',
  description: 'Marks the address that a single-use token was mailed to as verified.',
  route: 'POST /v1/auth/verify',
  callers: anyone(),
  signIn: 'email',
  bucket: perUser('auth:verify', { requests: 10, seconds: 60 }),
  body: verification,
  local: true,
  keepsNoText: true,
  replies: { 204: none },
  refuses: ['BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED'],
  useCase: verifyEmailAddress,
  handle: ({ caller, body }, run) => run(caller, body.token),
})

const resendVerificationOperation = operation({
  name: 'Resend verification e-mail',
  description: 'Mails the caller another token that verifies its e-mail address.',
  route: 'POST /v1/auth/verify/resend',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('auth:verify:resend', { requests: 10, seconds: 60 }),
  local: true,
  replies: { 204: none },
  useCase: resendVerification,
  handle: ({ caller }, run) => run(caller),
})

const forgotPasswordOperation = operation({
  name: 'Forgot password',
  description: 'Mails the holder of an address a token to choose a new password.',
  route: 'POST /v1/auth/forgot',
  callers: anyone(),
  signIn: 'email',
  bucket: perUser('auth:forgot', { requests: 5, seconds: 60 }),
  body: forgottenPassword,
  local: true,
  keepsNoText: true,
  replies: { 204: none },
  refuses: ['BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED'],
  useCase: forgotPassword,
  handle: ({ caller, body }, run) => run(caller, body.email),
})

const resetTokenValidityOperation = operation({
  name: 'Check password reset token',
  description: 'Whether a token would reset a password now.',
  route: 'GET /v1/auth/reset/:token',
  callers: anyone(),
  bucket: perUser('auth:reset:validate', { requests: 20, seconds: 60 }),
  params: tokenParameter,
  local: true,
  replies: { 200: tokenValidity },
  useCase: resetTokenValidity,
  handle: ({ params }, run) => run(params.token),
})

const resetPasswordOperation = operation({
  name: 'Reset password',
  description: 'Sets a new password by a token, which works once; other tokens stay valid.',
  route: 'POST /v1/auth/reset',
  callers: anyone(),
  bucket: perUser('auth:reset', { requests: 10, seconds: 60 }),
  body: newPassword,
  local: true,
  keepsNoText: true,
  replies: { 200: signInAnswer },
  refuses: [
    'ACCOUNT_SUSPENDED_PERMANENTLY',
    'ACCOUNT_SUSPENDED_TEMPORARILY',
    'BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED',
    'INVALID_TOKEN',
    'IP_AUTHORIZATION_REQUIRED',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
    'UNKNOWN_USER',
  ],
  useCase: resetPassword,
  handle: ({ caller, body }, run) => run(caller, body),
})

const revertEmailAddressOperation = operation({
  name: 'Revert e-mail address',
  description: 'Returns an account to the holder of its previous address, by a token mailed there.',
  route: 'POST /v1/auth/email-revert',
  callers: anyone(),
  signIn: 'email',
  bucket: perUser('auth:email_revert', { requests: 10, seconds: 60 }),
  body: newPassword,
  local: true,
  keepsNoText: true,
  replies: { 200: authToken },
  refuses: [
    'ACCOUNT_SUSPENDED_PERMANENTLY',
    'ACCOUNT_SUSPENDED_TEMPORARILY',
    'BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED',
    'INVALID_TOKEN',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
  ],
  useCase: revertEmailAddress,
  handle: ({ caller, body }, run) => run(caller, body),
})

const suggestUsernamesOperation = operation({
  name: 'Suggest usernames',
  description: 'At most one username derived from a display name; none if no letter remains.',
  route: 'POST /v1/auth/username-suggestions',
  callers: anyone(),
  bucket: perUser('auth:register', { requests: 10, seconds: 10 }),
  body: suggestionWish,
  local: true,
  keepsNoText: true,
  replies: { 200: usernameSuggestions },
  useCase: suggestUsernames,
  handle: async ({ body }, run) => run(body.global_name),
})

/** Verifying e-mail addresses, and resetting forgotten passwords. */
export const recoveryOperations: readonly Operation[] = [
  verifyEmailAddressOperation,
  resendVerificationOperation,
  forgotPasswordOperation,
  resetTokenValidityOperation,
  resetPasswordOperation,
  revertEmailAddressOperation,
  suggestUsernamesOperation,
]
