import { z } from 'zod'
import {
  choosePasskeys,
  removePasskey,
  renamePasskey,
} from '../../../../application/identity/passkeys/change-passkeys.ts'
import { listPasskeys } from '../../../../application/identity/passkeys/list-passkeys.ts'
import {
  passkeyRegistrationOptions,
  registerPasskey,
} from '../../../../application/identity/passkeys/register-passkey.ts'
import { sudoPasskeyOptions } from '../../../../application/identity/passkeys/sudo-by-passkey.ts'
import { accounts } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import {
  authenticationOptions,
  credentialParams,
  passkeyChoice,
  passkeyRenaming,
  passkeyToRegister,
  registrationOptions,
} from '../../schemas/identity/passkeys.ts'
import { alwaysSudo, alwaysSudoWithoutProof } from '../../sudo.ts'
import { passkeySchema } from '../../../../application/wire-objects/identity/passkey-object.ts'

/** An account's own passkeys. */

const listPasskeysOperation = operation({
  name: 'List WebAuthn credentials',
  description: "The caller's passkeys, oldest first.",
  route: 'GET /v1/users/@me/mfa/webauthn/credentials',
  callers: accounts(),
  bucket: perUser('mfa:webauthn:list', { requests: 40, seconds: 10 }),
  replies: { 200: z.array(passkeySchema).readonly() },
  useCase: listPasskeys,
  handle: ({ caller }, run) => run(caller),
})

const createRegistrationOptionsOperation = operation({
  name: 'Create WebAuthn registration options',
  description: "The options with which the caller's browser makes a passkey.",
  route: 'POST /v1/users/@me/mfa/webauthn/credentials/registration-options',
  callers: accounts(),
  bucket: perUser('mfa:webauthn:registration_options', { requests: 20, seconds: 10 }),
  sudo: alwaysSudoWithoutProof,
  replies: { 200: registrationOptions },
  refuses: ['MFA_EMAIL_VERIFICATION_REQUIRED', 'WEBAUTHN_CREDENTIAL_LIMIT_REACHED'],
  useCase: passkeyRegistrationOptions,
  handle: ({ caller }, run) => run(caller),
})

const registerPasskeyOperation = operation({
  name: 'Register WebAuthn credential',
  description: 'Registers the passkey made for a challenge, and mails the holder.',
  route: 'POST /v1/users/@me/mfa/webauthn/credentials',
  callers: accounts(),
  bucket: perUser('mfa:webauthn:register', { requests: 10, seconds: 60 }),
  body: passkeyToRegister,
  replies: { 204: none },
  refuses: [
    'INVALID_WEBAUTHN_CREDENTIAL',
    'INVALID_WEBAUTHN_PUBLIC_KEY_FORMAT',
    'MFA_EMAIL_VERIFICATION_REQUIRED',
    'WEBAUTHN_CREDENTIAL_LIMIT_REACHED',
  ],
  useCase: registerPasskey,
  handle: ({ caller, body }, run) => run(caller, body),
})

const renamePasskeyOperation = operation({
  name: 'Rename WebAuthn credential',
  description: "Renames one of the caller's passkeys.",
  route: 'PATCH /v1/users/@me/mfa/webauthn/credentials/:credential_id',
  callers: accounts(),
  bucket: perUser('mfa:webauthn:update', { requests: 20, seconds: 10 }),
  params: credentialParams,
  body: passkeyRenaming,
  sudo: alwaysSudo,
  replies: { 204: none },
  refuses: ['UNKNOWN_WEBAUTHN_CREDENTIAL'],
  useCase: renamePasskey,
  handle: ({ caller, params, body }, run) => run(caller, params.credential_id, body.name),
})

const removePasskeyOperation = operation({
  name: 'Delete WebAuthn credential',
  description:
    "Removes one of the caller's passkeys; removing the last one also turns off passkeys as a second factor.",
  route: 'DELETE /v1/users/@me/mfa/webauthn/credentials/:credential_id',
  callers: accounts(),
  bucket: perUser('mfa:webauthn:delete', { requests: 10, seconds: 60 }),
  params: credentialParams,
  sudo: alwaysSudo,
  replies: { 204: none },
  refuses: ['UNKNOWN_WEBAUTHN_CREDENTIAL'],
  useCase: removePasskey,
  handle: ({ caller, params }, run) => run(caller, params.credential_id),
})

const choosePasskeysOperation = operation({
  name: 'Choose WebAuthn as second factor',
  description: 'Sets whether signing in with the password also asks for a passkey.',
  route: 'PUT /v1/users/@me/mfa/webauthn/second-factor',
  callers: accounts(),
  bucket: perUser('mfa:webauthn:second_factor', { requests: 10, seconds: 60 }),
  body: passkeyChoice,
  sudo: alwaysSudo,
  keepsNoText: true,
  replies: { 204: none },
  refuses: ['NO_PASSKEYS_REGISTERED'],
  useCase: choosePasskeys,
  handle: ({ caller, body }, run) => run(caller, body.enabled),
})

const createSudoPasskeyOptionsOperation = operation({
  name: 'Create sudo WebAuthn authentication options',
  description: "The options with which the caller's browser asks for a passkey, to prove sudo mode.",
  route: 'POST /v1/users/@me/sudo/webauthn/authentication-options',
  callers: accounts({ console: true }),
  bucket: perUser('sudo:webauthn:options', { requests: 10, seconds: 60 }),
  replies: { 200: authenticationOptions },
  refuses: ['NO_PASSKEYS_REGISTERED'],
  useCase: sudoPasskeyOptions,
  handle: ({ caller }, run) => run(caller),
})

/** An account's own passkeys. */
export const passkeyOperations: readonly Operation[] = [
  listPasskeysOperation,
  createRegistrationOptionsOperation,
  registerPasskeyOperation,
  renamePasskeyOperation,
  removePasskeyOperation,
  choosePasskeysOperation,
  createSudoPasskeyOptionsOperation,
]
