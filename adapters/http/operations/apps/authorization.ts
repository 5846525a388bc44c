import { z } from 'zod'
import { authorize } from '../../../../application/apps/oauth2/authorize.ts'
import { consent } from '../../../../application/apps/oauth2/consent.ts'
import { exchangeTokens } from '../../../../application/apps/oauth2/exchange-tokens.ts'
import { introspectToken, revokeToken } from '../../../../application/apps/oauth2/inspect-tokens.ts'
import {
  listAuthorizations,
  revokeAuthorization,
  revokeAuthorizations,
} from '../../../../application/apps/oauth2/own-authorizations.ts'
import { getCurrentGrant, getUserinfo } from '../../../../application/apps/oauth2/read-grant.ts'
import { accounts, anyone, bearers } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { redirection } from '../../redirection.ts'
import { consented, introspection, tokenObject } from '../../schemas/apps/replies.ts'
import {
  authorizeQuery,
  consentBody,
  introspectionForm,
  revocationForm,
  revokedApplications,
  tokenForm,
} from '../../schemas/apps/requests.ts'
import { applicationIdInput } from '../../schemas/scalars.ts'
import { lists } from './applications.ts'
import { ofGuild } from '../refusals-of-access.ts'
import {
  authorizationListSchema,
  currentGrantSchema,
  userinfoSchema,
} from '../../../../application/wire-objects/apps/oauth2-objects.ts'

const authorizing = perUser('oauth:authorize', { requests: 60, seconds: 60 })
/** A request that authenticates as a client has no account: these two buckets then count by address. */
const exchanging = perUser('oauth:token', { requests: 120, seconds: 60 })
const inspecting = perUser('oauth:introspect', { requests: 120, seconds: 60 })

const authorizeOperation = operation({
  name: 'Authorize',
  description:
    'Gives the URL to redirect a browser to: the consent page or, with prompt=none, back to the application with a code or an error.',
  route: 'GET /v1/oauth2/authorize',
  callers: anyone(),
  bucket: authorizing,
  query: authorizeQuery,
  replies: { 302: redirection },
  useCase: authorize,
  handle: ({ caller, query }, run) => run(caller, query),
})

const consentOperation = operation({
  name: 'Consent',
  description: 'Grants an application what it asks for, and gives the URL to redirect the browser to, with a code.',
  route: 'POST /v1/oauth2/authorize/consent',
  callers: accounts(),
  bucket: authorizing,
  body: consentBody,
  exampleBody: { client_id: '1500000000000000000', scope: 'identify' },
  keepsNoText: true,
  replies: { 200: consented },
  speaksOAuth2: true,
  refuses: [
    ...ofGuild,
    'BOT_ALREADY_IN_GUILD',
    'BOT_IS_PRIVATE',
    'INVALID_CHANNEL_TYPE',
    'MAX_GUILD_MEMBERS',
    'MAX_GUILD_ROLES',
    'MISSING_ACCESS',
    'NOT_A_BOT_APPLICATION',
    'RESOURCE_LOCKED',
    'UNKNOWN_APPLICATION',
    'UNKNOWN_CHANNEL',
    'UNKNOWN_MEMBER',
    'USER_BANNED_FROM_GUILD',
    'USER_IP_BANNED_FROM_GUILD',
  ],
  useCase: consent,
  handle: ({ caller, body }, run) => run(caller, body),
})

const exchangeTokensOperation = operation({
  name: 'Exchange token',
  description: 'Gives a client tokens for an authorisation code or a refresh token.',
  route: 'POST /v1/oauth2/token',
  callers: anyone(),
  bucket: exchanging,
  body: tokenForm,
  takesForm: true,
  replies: { 200: tokenObject },
  refuses: ['INVALID_TOKEN', 'UNKNOWN_APPLICATION'],
  useCase: exchangeTokens,
  handle: ({ caller, body }, run) => run(caller, body),
})

const introspectTokenOperation = operation({
  name: 'Introspect token',
  description: 'Tells a client about one of its tokens.',
  route: 'POST /v1/oauth2/introspect',
  callers: anyone(),
  bucket: inspecting,
  body: introspectionForm,
  takesForm: true,
  replies: { 200: introspection },
  useCase: introspectToken,
  handle: ({ caller, body }, run) => run(caller, body),
})

const revokeTokenOperation = operation({
  name: 'Revoke token',
  description: 'Revokes everything that an account granted a client, by one of its tokens.',
  route: 'POST /v1/oauth2/token/revoke',
  callers: anyone(),
  bucket: inspecting,
  body: revocationForm,
  takesForm: true,
  replies: { 200: none },
  useCase: revokeToken,
  handle: ({ caller, body }, run) => run(caller, body),
})

const userinfoOperation = operation({
  name: 'Get userinfo',
  description: 'The account that an application acts for.',
  route: 'GET /v1/oauth2/userinfo',
  callers: bearers({ scope: 'identify' }),
  bucket: inspecting,
  replies: { 200: userinfoSchema },
  refuses: ['INVALID_TOKEN'],
  useCase: getUserinfo,
  handle: ({ caller }, run) => run(caller),
})

const getCurrentGrantOperation = operation({
  name: 'Get current authorization',
  description: "Describes the application and the grant behind the request's access token.",
  route: 'GET /v1/oauth2/@me',
  callers: bearers({ scope: null }),
  bucket: inspecting,
  replies: { 200: currentGrantSchema },
  refuses: ['INVALID_TOKEN'],
  useCase: getCurrentGrant,
  handle: ({ caller }, run) => run(caller),
})

const listAuthorizationsOperation = operation({
  name: 'List own authorizations',
  description: 'The applications that the caller has authorised, by id.',
  route: 'GET /v1/oauth2/@me/authorizations',
  callers: accounts(),
  bucket: lists,
  replies: { 200: authorizationListSchema },
  useCase: listAuthorizations,
  handle: ({ caller }, run) => run(caller),
})

const revokeAuthorizationOperation = operation({
  name: 'Revoke own authorization',
  description: "Revokes the caller's authorisation of an application: its tokens and codes become invalid.",
  route: 'DELETE /v1/oauth2/@me/authorizations/:applicationId',
  callers: accounts(),
  bucket: inspecting,
  params: z.object({ applicationId: applicationIdInput }),
  replies: { 204: none },
  refuses: ['UNKNOWN_APPLICATION'],
  useCase: revokeAuthorization,
  handle: ({ caller, params }, run) => run(caller, params.applicationId),
})

const revokeAuthorizationsOperation = operation({
  name: 'Revoke own authorizations',
  description: "Revokes several of the caller's authorisations; applications without one are skipped.",
  route: 'POST /v1/oauth2/@me/authorizations/revoke',
  callers: accounts(),
  bucket: inspecting,
  body: revokedApplications,
  keepsNoText: true,
  replies: { 204: none },
  useCase: revokeAuthorizations,
  handle: ({ caller, body }, run) => run(caller, body.application_ids),
})

/** OAuth2 authorization. */
export const authorizationOperations: readonly Operation[] = [
  authorizeOperation,
  consentOperation,
  exchangeTokensOperation,
  introspectTokenOperation,
  revokeTokenOperation,
  userinfoOperation,
  getCurrentGrantOperation,
  listAuthorizationsOperation,
  revokeAuthorizationOperation,
  revokeAuthorizationsOperation,
]
