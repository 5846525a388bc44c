import { accounts, anyone } from '../../callers.js'
import { perUser } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import { authToken, signInAnswer } from '../../schemas/identity/auth.js'
import {
  forgottenPassword,
  newPassword,
  suggestionWish,
  tokenParameter,
  tokenValidity,
  usernameSuggestions,
  verification,
} from '../../schemas/identity/recovery.js'

export const verifyEmailAddressOperation = operation({
  name: 'Verify e-mail address',
  route: 'POST /v1/auth/verify',
  callers: anyone(),
  bucket: perUser('auth:verify', { requests: 10, seconds: 60 }),
  params: none,
  query: none,
  body: verification,
  local: true,
  keepsNoText: true,
  replies: { 204: none },
  refuses: ['BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED', 'EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller, body }, { recovery }) => recovery.verifyEmailAddress(caller, body.token),
})

export const resendVerificationOperation = operation({
  name: 'Resend verification e-mail',
  route: 'POST /v1/auth/verify/resend',
  callers: accounts(),
  bucket: perUser('auth:verify:resend', { requests: 10, seconds: 60 }),
  params: none,
  query: none,
  body: none,
  local: true,
  replies: { 204: none },
  refuses: ['EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller }, { recovery }) => recovery.resendVerification(caller),
})

export const forgotPasswordOperation = operation({
  name: 'Forgot password',
  route: 'POST /v1/auth/forgot',
  callers: anyone(),
  bucket: perUser('auth:forgot', { requests: 5, seconds: 60 }),
  params: none,
  query: none,
  body: forgottenPassword,
  local: true,
  keepsNoText: true,
  replies: { 204: none },
  refuses: ['BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED', 'EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller, body }, { recovery }) => recovery.forgotPassword(caller, body.email),
})

export const resetTokenValidityOperation = operation({
  name: 'Check password reset token',
  route: 'GET /v1/auth/reset/:token',
  callers: anyone(),
  bucket: perUser('auth:reset:validate', { requests: 20, seconds: 60 }),
  params: tokenParameter,
  query: none,
  body: none,
  local: true,
  replies: { 200: tokenValidity },
  handle: ({ params }, { recovery }) => recovery.resetTokenValidity(params.token),
})

export const resetPasswordOperation = operation({
  name: 'Reset password',
  route: 'POST /v1/auth/reset',
  callers: anyone(),
  bucket: perUser('auth:reset', { requests: 10, seconds: 60 }),
  params: none,
  query: none,
  body: newPassword,
  local: true,
  keepsNoText: true,
  replies: { 200: signInAnswer },
  refuses: [
    'BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED',
    'INVALID_TOKEN',
    'IP_AUTHORIZATION_REQUIRED',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
    'UNKNOWN_USER',
  ],
  handle: ({ caller, body }, { recovery }) => recovery.resetPassword(caller, body),
})

export const revertEmailAddressOperation = operation({
  name: 'Revert e-mail address',
  route: 'POST /v1/auth/email-revert',
  callers: anyone(),
  bucket: perUser('auth:email_revert', { requests: 10, seconds: 60 }),
  params: none,
  query: none,
  body: newPassword,
  local: true,
  keepsNoText: true,
  replies: { 200: authToken },
  refuses: [
    'BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED',
    'EMAIL_UNAVAILABLE_ON_INSTANCE',
    'INVALID_TOKEN',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
  ],
  handle: ({ caller, body }, { recovery }) => recovery.revertEmailAddress(caller, body),
})

export const suggestUsernamesOperation = operation({
  name: 'Suggest usernames',
  route: 'POST /v1/auth/username-suggestions',
  callers: anyone(),
  bucket: perUser('auth:register', { requests: 10, seconds: 10 }),
  params: none,
  query: none,
  body: suggestionWish,
  local: true,
  keepsNoText: true,
  replies: { 200: usernameSuggestions },
  handle: async ({ body }, { accounts: ours }) => ours.suggestUsernames(body.global_name),
})
