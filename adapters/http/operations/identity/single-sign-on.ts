import { completeSignOn } from '../../../../application/identity/single-sign-on/complete-sign-on.ts'
import { getSignOnStatus } from '../../../../application/identity/single-sign-on/sign-on-policy.ts'
import { startSignOn } from '../../../../application/identity/single-sign-on/start-sign-on.ts'
import { anyone } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { operation, type Operation } from '../../operation.ts'
import {
  completedSignOn,
  signOnAnswer,
  signOnStatus,
  signOnWishes,
  startedSignOn,
} from '../../schemas/identity/single-sign-on.ts'

/** Signing in with an OpenID provider. */

const starts = perUser('auth:sso:start', { requests: 10, seconds: 10 })

const getSignOnStatusOperation = operation({
  name: 'Get single sign-on status',
  description: 'Whether, and how, people sign in through their organisation.',
  route: 'GET /v1/auth/sso/status',
  callers: anyone(),
  bucket: starts,
  replies: { 200: signOnStatus },
  useCase: getSignOnStatus,
  handle: (_, run) => run(),
})

const startSignOnOperation = operation({
  name: 'Start single sign-on',
  description: "Starts a sign-on with the instance's identity provider.",
  route: 'POST /v1/auth/sso/start',
  callers: anyone(),
  bucket: starts,
  body: signOnWishes,
  keepsNoText: true,
  replies: { 200: startedSignOn },
  refuses: ['FEATURE_TEMPORARILY_DISABLED'],
  useCase: startSignOn,
  handle: ({ caller, body }, run) => run(caller, body),
})

const completeSignOnOperation = operation({
  name: 'Complete single sign-on',
  description: 'Signs in the person that the provider vouches for.',
  route: 'POST /v1/auth/sso/complete',
  callers: anyone(),
  bucket: perUser('auth:sso:complete', { requests: 15, seconds: 10 }),
  body: signOnAnswer,
  keepsNoText: true,
  replies: { 200: completedSignOn },
  refuses: [
    'ACCOUNT_SUSPENDED_PERMANENTLY',
    'ACCOUNT_SUSPENDED_TEMPORARILY',
    'BOT_USER_AUTH_SESSION_CREATION_DENIED',
    'CONTENT_BLOCKED',
    'INVALID_TOKEN',
    'REGISTRATION_CLOSED',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
    'REGISTRATION_URL_INVALID',
    'SSO_REQUIRED',
  ],
  useCase: completeSignOn,
  handle: ({ caller, body }, run) => run(caller, body),
})

/** Signing in with an OpenID provider. */
export const singleSignOnOperations: readonly Operation[] = [
  getSignOnStatusOperation,
  startSignOnOperation,
  completeSignOnOperation,
]
