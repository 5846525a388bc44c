import { anyone } from '../../callers.js'
import { perUser } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import { authToken } from '../../schemas/identity/auth.js'
import {
  authenticationOptions,
  bridgeRedemption,
  bridgeStart,
  bridgeTicket,
  mfaTicketOnly,
  passkeyCompletion,
  passkeySignIn,
} from '../../schemas/identity/passkeys.js'

/** Signing in with a passkey, alone or after the password (reference identity 4.5 and 4.6). */

/** Shared with signing in by TOTP. */
const mfaCompletions = perUser('auth:login:mfa', { requests: 5, seconds: 60 })

export const createMfaPasskeyOptionsOperation = operation({
  name: 'Create WebAuthn MFA authentication options',
  route: 'POST /v1/auth/login/mfa/webauthn/authentication-options',
  callers: anyone(),
  bucket: mfaCompletions,
  params: none,
  query: none,
  body: mfaTicketOnly,
  local: true,
  keepsNoText: true,
  replies: { 200: authenticationOptions },
  refuses: ['NO_PASSKEYS_REGISTERED', 'UNKNOWN_USER'],
  handle: ({ body }, { passkeys }) => passkeys.mfaOptions(body.ticket),
})

export const completeMfaByPasskeyOperation = operation({
  name: 'Complete login with WebAuthn',
  route: 'POST /v1/auth/login/mfa/webauthn',
  callers: anyone(),
  bucket: mfaCompletions,
  params: none,
  query: none,
  body: passkeyCompletion,
  local: true,
  keepsNoText: true,
  replies: { 200: authToken },
  refuses: [
    'BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED',
    'INVALID_TOKEN',
    'PASSKEY_AUTHENTICATION_FAILED',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
    'UNKNOWN_USER',
  ],
  handle: ({ caller, body }, { passkeys }) => passkeys.completeMfa(caller, body),
})

export const createDiscoverablePasskeyOptionsOperation = operation({
  name: 'Create discoverable WebAuthn authentication options',
  route: 'POST /v1/auth/webauthn/authentication-options',
  callers: anyone(),
  bucket: perUser('auth:webauthn:options', { requests: 20, seconds: 10 }),
  params: none,
  query: none,
  body: none,
  local: true,
  replies: { 200: authenticationOptions },
  handle: (_, { passkeys }) => passkeys.discoverableOptions(),
})

export const signInByPasskeyOperation = operation({
  name: 'Authenticate with WebAuthn',
  route: 'POST /v1/auth/webauthn/authenticate',
  callers: anyone(),
  bucket: perUser('auth:webauthn:authenticate', { requests: 10, seconds: 10 }),
  params: none,
  query: none,
  body: passkeySignIn,
  local: true,
  keepsNoText: true,
  replies: { 200: authToken },
  refuses: [
    'BOT_USER_AUTH_SESSION_CREATION_DENIED',
    'INVALID_TOKEN',
    'PASSKEY_AUTHENTICATION_FAILED',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
  ],
  handle: ({ caller, body }, { passkeys }) => passkeys.signIn(caller, body),
})

export const startPasskeyBridgeOperation = operation({
  name: 'Start passkey bridge',
  route: 'POST /v1/auth/passkey-bridge/start',
  callers: anyone(),
  bucket: perUser('auth:passkey_bridge:start', { requests: 10, seconds: 10 }),
  params: none,
  query: none,
  body: bridgeStart,
  local: true,
  keepsNoText: true,
  replies: { 200: bridgeTicket },
  refuses: ['PASSKEY_AUTHENTICATION_FAILED'],
  handle: ({ caller, body }, { passkeys }) => passkeys.bridge.start(caller, body),
})

export const redeemPasskeyBridgeOperation = operation({
  name: 'Redeem passkey bridge',
  route: 'POST /v1/auth/passkey-bridge/redeem',
  callers: anyone(),
  bucket: perUser('auth:passkey_bridge:redeem', { requests: 10, seconds: 10 }),
  params: none,
  query: none,
  body: bridgeRedemption,
  local: true,
  keepsNoText: true,
  replies: { 200: authToken },
  refuses: [
    'BOT_USER_AUTH_SESSION_CREATION_DENIED',
    'INVALID_TOKEN',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
  ],
  handle: ({ caller, body }, { passkeys }) => passkeys.bridge.redeem(caller, body),
})
