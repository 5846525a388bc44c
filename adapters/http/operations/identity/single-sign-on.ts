import { anyone } from '../../callers.js'
import { perUser } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import {
  completedSignOn,
  signOnAnswer,
  signOnStatus,
  signOnWishes,
  startedSignOn,
} from '../../schemas/identity/single-sign-on.js'

/** Signing in with an OpenID provider (reference identity 4.12). */

const starts = perUser('auth:sso:start', { requests: 10, seconds: 10 })

export const getSignOnStatusOperation = operation({
  name: 'Get single sign-on status',
  route: 'GET /v1/auth/sso/status',
  callers: anyone(),
  bucket: starts,
  params: none,
  query: none,
  body: none,
  replies: { 200: signOnStatus },
  handle: (_, { singleSignOn }) => singleSignOn.status(),
})

export const startSignOnOperation = operation({
  name: 'Start single sign-on',
  route: 'POST /v1/auth/sso/start',
  callers: anyone(),
  bucket: starts,
  params: none,
  query: none,
  body: signOnWishes,
  keepsNoText: true,
  replies: { 200: startedSignOn },
  refuses: ['FEATURE_TEMPORARILY_DISABLED'],
  handle: ({ caller, body }, { singleSignOn }) => singleSignOn.start(caller, body),
})

export const completeSignOnOperation = operation({
  name: 'Complete single sign-on',
  route: 'POST /v1/auth/sso/complete',
  callers: anyone(),
  bucket: perUser('auth:sso:complete', { requests: 15, seconds: 10 }),
  params: none,
  query: none,
  body: signOnAnswer,
  keepsNoText: true,
  replies: { 200: completedSignOn },
  refuses: [
    'BOT_USER_AUTH_SESSION_CREATION_DENIED',
    'CONTENT_BLOCKED',
    'INVALID_TOKEN',
    'REGISTRATION_CLOSED',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
    'REGISTRATION_URL_INVALID',
    'SSO_REQUIRED',
  ],
  handle: ({ caller, body }, { singleSignOn }) => singleSignOn.complete(caller, body),
})
