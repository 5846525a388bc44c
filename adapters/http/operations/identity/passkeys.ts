import { z } from 'zod'
import { accounts } from '../../callers.js'
import { perUser } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import {
  authenticationOptions,
  credentialParams,
  passkeyChoice,
  passkeyCredential,
  passkeyRenaming,
  passkeyToRegister,
  registrationOptions,
} from '../../schemas/identity/passkeys.js'
import { alwaysSudo, alwaysSudoWithoutProof } from '../../sudo.js'

/** An account's own passkeys (reference identity 5.5). */

export const listPasskeysOperation = operation({
  name: 'List WebAuthn credentials',
  route: 'GET /v1/users/@me/mfa/webauthn/credentials',
  callers: accounts(),
  bucket: perUser('mfa:webauthn:list', { requests: 40, seconds: 10 }),
  params: none,
  query: none,
  body: none,
  replies: { 200: z.array(passkeyCredential).readonly() },
  handle: ({ caller }, { passkeys }) => passkeys.list(caller),
})

export const createRegistrationOptionsOperation = operation({
  name: 'Create WebAuthn registration options',
  route: 'POST /v1/users/@me/mfa/webauthn/credentials/registration-options',
  callers: accounts(),
  bucket: perUser('mfa:webauthn:registration_options', { requests: 20, seconds: 10 }),
  params: none,
  query: none,
  body: none,
  sudo: alwaysSudoWithoutProof,
  replies: { 200: registrationOptions },
  refuses: ['MFA_EMAIL_VERIFICATION_REQUIRED', 'WEBAUTHN_CREDENTIAL_LIMIT_REACHED'],
  handle: ({ caller }, { passkeys }) => passkeys.registrationOptions(caller),
})

export const registerPasskeyOperation = operation({
  name: 'Register WebAuthn credential',
  route: 'POST /v1/users/@me/mfa/webauthn/credentials',
  callers: accounts(),
  bucket: perUser('mfa:webauthn:register', { requests: 10, seconds: 60 }),
  params: none,
  query: none,
  body: passkeyToRegister,
  replies: { 204: none },
  refuses: [
    'INVALID_WEBAUTHN_CREDENTIAL',
    'INVALID_WEBAUTHN_PUBLIC_KEY_FORMAT',
    'MFA_EMAIL_VERIFICATION_REQUIRED',
    'WEBAUTHN_CREDENTIAL_LIMIT_REACHED',
  ],
  handle: ({ caller, body }, { passkeys }) => passkeys.register(caller, body),
})

export const renamePasskeyOperation = operation({
  name: 'Rename WebAuthn credential',
  route: 'PATCH /v1/users/@me/mfa/webauthn/credentials/:credential_id',
  callers: accounts(),
  bucket: perUser('mfa:webauthn:update', { requests: 20, seconds: 10 }),
  params: credentialParams,
  query: none,
  body: passkeyRenaming,
  sudo: alwaysSudo,
  replies: { 204: none },
  refuses: ['UNKNOWN_WEBAUTHN_CREDENTIAL'],
  handle: ({ caller, params, body }, { passkeys }) => passkeys.rename(caller, params.credential_id, body.name),
})

export const removePasskeyOperation = operation({
  name: 'Delete WebAuthn credential',
  route: 'DELETE /v1/users/@me/mfa/webauthn/credentials/:credential_id',
  callers: accounts(),
  bucket: perUser('mfa:webauthn:delete', { requests: 10, seconds: 60 }),
  params: credentialParams,
  query: none,
  body: none,
  sudo: alwaysSudo,
  replies: { 204: none },
  refuses: ['UNKNOWN_WEBAUTHN_CREDENTIAL'],
  handle: ({ caller, params }, { passkeys }) => passkeys.remove(caller, params.credential_id),
})

export const choosePasskeysOperation = operation({
  name: 'Choose WebAuthn as second factor',
  route: 'PUT /v1/users/@me/mfa/webauthn/second-factor',
  callers: accounts(),
  bucket: perUser('mfa:webauthn:second_factor', { requests: 10, seconds: 60 }),
  params: none,
  query: none,
  body: passkeyChoice,
  sudo: alwaysSudo,
  keepsNoText: true,
  replies: { 204: none },
  refuses: ['NO_PASSKEYS_REGISTERED'],
  handle: ({ caller, body }, { passkeys }) => passkeys.choose(caller, body.enabled),
})

export const createSudoPasskeyOptionsOperation = operation({
  name: 'Create sudo WebAuthn authentication options',
  route: 'POST /v1/users/@me/sudo/webauthn/authentication-options',
  callers: accounts(),
  bucket: perUser('sudo:webauthn:options', { requests: 10, seconds: 60 }),
  params: none,
  query: none,
  body: none,
  replies: { 200: authenticationOptions },
  refuses: ['NO_PASSKEYS_REGISTERED'],
  handle: ({ caller }, { passkeys }) => passkeys.sudoOptions(caller),
})
