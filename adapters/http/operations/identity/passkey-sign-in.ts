import {
  completeMfaByPasskey,
  mfaPasskeyOptions,
} from '../../../../application/identity/passkeys/complete-mfa-by-passkey.ts'
import { redeemPasskeyBridge, startPasskeyBridge } from '../../../../application/identity/passkeys/passkey-bridge.ts'
import {
  discoverablePasskeyOptions,
  signInByPasskey,
} from '../../../../application/identity/passkeys/sign-in-by-passkey.ts'
import { anyone } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { operation, type Operation } from '../../operation.ts'
import { authToken } from '../../schemas/identity/auth.ts'
import {
  authenticationOptions,
  bridgeRedemption,
  bridgeStart,
  bridgeTicket,
  mfaTicketOnly,
  passkeyCompletion,
  passkeySignIn,
} from '../../schemas/identity/passkeys.ts'

/** Signing in with a passkey, alone or after the password. */

/** Shared with signing in by TOTP. */
const mfaCompletions = perUser('auth:login:mfa', { requests: 5, seconds: 60 })

const createMfaPasskeyOptionsOperation = operation({
  name: 'Create WebAuthn MFA authentication options',
  description: 'The options with which a browser asks for a passkey, to finish a sign-in; the MFA ticket stays valid.',
  route: 'POST /v1/auth/login/mfa/webauthn/authentication-options',
  callers: anyone(),
  bucket: mfaCompletions,
  body: mfaTicketOnly,
  local: true,
  keepsNoText: true,
  replies: { 200: authenticationOptions },
  refuses: ['NO_PASSKEYS_REGISTERED', 'UNKNOWN_USER'],
  useCase: mfaPasskeyOptions,
  handle: ({ body }, run) => run(body.ticket),
})

const completeMfaByPasskeyOperation = operation({
  name: 'Complete login with WebAuthn',
  description: 'Finishes a sign-in by a passkey.',
  route: 'POST /v1/auth/login/mfa/webauthn',
  callers: anyone(),
  bucket: mfaCompletions,
  body: passkeyCompletion,
  local: true,
  keepsNoText: true,
  replies: { 200: authToken },
  refuses: [
    'ACCOUNT_SUSPENDED_PERMANENTLY',
    'ACCOUNT_SUSPENDED_TEMPORARILY',
    'BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED',
    'INVALID_TOKEN',
    'PASSKEY_AUTHENTICATION_FAILED',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
    'UNKNOWN_USER',
  ],
  useCase: completeMfaByPasskey,
  handle: ({ caller, body }, run) => run(caller, body),
})

const createDiscoverablePasskeyOptionsOperation = operation({
  name: 'Create discoverable WebAuthn authentication options',
  description: 'The options with which a browser asks for any passkey of any account.',
  route: 'POST /v1/auth/webauthn/authentication-options',
  callers: anyone(),
  bucket: perUser('auth:webauthn:options', { requests: 20, seconds: 10 }),
  local: true,
  replies: { 200: authenticationOptions },
  useCase: discoverablePasskeyOptions,
  handle: (_, run) => run(),
})

const signInByPasskeyOperation = operation({
  name: 'Authenticate with WebAuthn',
  description: 'Signs in by a passkey alone, whose authenticator has verified the user; no second factor is needed.',
  route: 'POST /v1/auth/webauthn/authenticate',
  callers: anyone(),
  bucket: perUser('auth:webauthn:authenticate', { requests: 10, seconds: 10 }),
  body: passkeySignIn,
  local: true,
  keepsNoText: true,
  replies: { 200: authToken },
  refuses: [
    'ACCOUNT_SUSPENDED_PERMANENTLY',
    'ACCOUNT_SUSPENDED_TEMPORARILY',
    'BOT_USER_AUTH_SESSION_CREATION_DENIED',
    'INVALID_TOKEN',
    'PASSKEY_AUTHENTICATION_FAILED',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
  ],
  useCase: signInByPasskey,
  handle: ({ caller, body }, run) => run(caller, body),
})

const startPasskeyBridgeOperation = operation({
  name: 'Start passkey bridge',
  description:
    'Starts a sign-in by passkey on a page of the instance, for another client to finish: browsers give that client no passkeys of this instance.',
  route: 'POST /v1/auth/passkey-bridge/start',
  callers: anyone(),
  bucket: perUser('auth:passkey_bridge:start', { requests: 10, seconds: 10 }),
  body: bridgeStart,
  local: true,
  keepsNoText: true,
  replies: { 200: bridgeTicket },
  refuses: ['PASSKEY_AUTHENTICATION_FAILED'],
  useCase: startPasskeyBridge,
  handle: ({ caller, body }, run) => run(caller, body),
})

const redeemPasskeyBridgeOperation = operation({
  name: 'Redeem passkey bridge',
  description: 'Finishes a sign-in that another page began with a passkey.',
  route: 'POST /v1/auth/passkey-bridge/redeem',
  callers: anyone(),
  bucket: perUser('auth:passkey_bridge:redeem', { requests: 10, seconds: 10 }),
  body: bridgeRedemption,
  local: true,
  keepsNoText: true,
  replies: { 200: authToken },
  refuses: [
    'ACCOUNT_SUSPENDED_PERMANENTLY',
    'ACCOUNT_SUSPENDED_TEMPORARILY',
    'BOT_USER_AUTH_SESSION_CREATION_DENIED',
    'INVALID_TOKEN',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
  ],
  useCase: redeemPasskeyBridge,
  handle: ({ caller, body }, run) => run(caller, body),
})

/** Signing in with a passkey. */
export const passkeySignInOperations: readonly Operation[] = [
  createMfaPasskeyOptionsOperation,
  completeMfaByPasskeyOperation,
  createDiscoverablePasskeyOptionsOperation,
  signInByPasskeyOperation,
  startPasskeyBridgeOperation,
  redeemPasskeyBridgeOperation,
]
