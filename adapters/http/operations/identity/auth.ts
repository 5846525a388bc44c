import { accounts, anyone } from '../../callers.js'
import { perUser } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import { authToken, credentials, registration, registrationAnswer, signInAnswer } from '../../schemas/identity/auth.js'
import { totpCompletion } from '../../schemas/identity/mfa.js'

export const registerOperation = operation({
  name: 'Register',
  route: 'POST /v1/auth/register',
  callers: anyone(),
  bucket: perUser('auth:register', { requests: 10, seconds: 10 }),
  params: none,
  query: none,
  body: registration,
  local: true,
  replies: { 200: registrationAnswer },
  refuses: [
    'EMAIL_UNAVAILABLE_ON_INSTANCE',
    'INVALID_TOKEN',
    'REGISTRATION_CLOSED',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
    'REGISTRATION_URL_INVALID',
    'VALIDATION_ERROR',
  ],
  handle: ({ caller, body }, { accounts: ours }) => ours.register(caller, body),
})

export const loginOperation = operation({
  name: 'Log in',
  route: 'POST /v1/auth/login',
  callers: anyone(),
  bucket: perUser('auth:login', { requests: 10, seconds: 10 }),
  params: none,
  query: none,
  body: credentials,
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
  handle: ({ caller, body }, { accounts: ours }) => ours.login(caller, body),
})

export const completeWithTotpOperation = operation({
  name: 'Complete login with TOTP',
  route: 'POST /v1/auth/login/mfa/totp',
  callers: anyone(),
  bucket: perUser('auth:login:mfa', { requests: 5, seconds: 60 }),
  params: none,
  query: none,
  body: totpCompletion,
  local: true,
  keepsNoText: true,
  replies: { 200: authToken },
  refuses: [
    'BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED',
    'INVALID_TOKEN',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
    'UNKNOWN_USER',
  ],
  handle: ({ caller, body }, { secondFactors }) => secondFactors.completeWithTotp(caller, body),
})

export const logoutOperation = operation({
  name: 'Log out',
  route: 'POST /v1/auth/logout',
  callers: accounts({ bots: true }),
  bucket: perUser('auth:logout', { requests: 20, seconds: 10 }),
  params: none,
  query: none,
  body: none,
  replies: { 204: none },
  handle: ({ caller }, { accounts: ours }) => ours.logout(caller),
})
