import { login } from '../../../../application/identity/accounts/login.ts'
import { logout } from '../../../../application/identity/accounts/logout.ts'
import { register } from '../../../../application/identity/accounts/registering/register.ts'
import { completeWithTotp } from '../../../../application/identity/second-factors/complete-with-totp.ts'
import { accounts, anyone } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { authToken, credentials, registration, registrationAnswer, signInAnswer } from '../../schemas/identity/auth.ts'
import { totpCompletion } from '../../schemas/identity/mfa.ts'

const registerOperation = operation({
  name: 'Register',
  description: 'Registers an account and signs it in.',
  route: 'POST /v1/auth/register',
  callers: anyone(),
  bucket: perUser('auth:register', { requests: 10, seconds: 10 }),
  body: registration,
  exampleBody: { email: 'ada@example.com', password: 'a long password', date_of_birth: '1990-12-10', consent: true },
  local: true,
  replies: { 200: registrationAnswer },
  refuses: [
    'ACCOUNT_SUSPENDED_PERMANENTLY',
    'ACCOUNT_SUSPENDED_TEMPORARILY',
    'EMAIL_UNAVAILABLE_ON_INSTANCE',
    'INVALID_TOKEN',
    'REGISTRATION_CLOSED',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
    'REGISTRATION_URL_INVALID',
    'VALIDATION_ERROR',
  ],
  useCase: register,
  handle: ({ caller, body }, run) => run(caller, body),
})

const loginOperation = operation({
  name: 'Log in',
  description: 'Signs in by password, and by e-mail address or username as the instance requires.',
  route: 'POST /v1/auth/login',
  callers: anyone(),
  bucket: perUser('auth:login', { requests: 10, seconds: 10 }),
  body: credentials,
  exampleBody: { email: 'ada@example.com', password: 'a long password' },
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
  useCase: login,
  handle: ({ caller, body }, run) => run(caller, body),
})

const completeWithTotpOperation = operation({
  name: 'Complete login with TOTP',
  description: 'Finishes a sign-in by the code of an authenticator, or a backup code.',
  route: 'POST /v1/auth/login/mfa/totp',
  callers: anyone(),
  bucket: perUser('auth:login:mfa', { requests: 5, seconds: 60 }),
  body: totpCompletion,
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
    'UNKNOWN_USER',
  ],
  useCase: completeWithTotp,
  handle: ({ caller, body }, run) => run(caller, body),
})

const logoutOperation = operation({
  name: 'Log out',
  description: 'Ends the session of the request.',
  route: 'POST /v1/auth/logout',
  callers: accounts({ bots: true }),
  bucket: perUser('auth:logout', { requests: 20, seconds: 10 }),
  replies: { 204: none },
  useCase: logout,
  handle: ({ caller }, run) => run(caller),
})

/** Registering, signing in and signing out. */
export const authOperations: readonly Operation[] = [
  registerOperation,
  loginOperation,
  completeWithTotpOperation,
  logoutOperation,
]
