import { accounts, anyone } from '../../callers.js'
import { perUser } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import { signInAnswer } from '../../schemas/identity/auth.js'
import { kitReset, newRecoveryKit, recoveryKitStatus } from '../../schemas/identity/recovery-kit.js'
import { alwaysSudo } from '../../sudo.js'

/** The recovery kit of instances on which people sign in by username (supplement, Supporting operations). The paths are ours. */

export const getRecoveryKitOperation = operation({
  name: 'Get recovery kit status',
  route: 'GET /v1/users/@me/recovery-kit',
  callers: accounts(),
  bucket: perUser('user:recovery_kit', { requests: 20, seconds: 60 }),
  params: none,
  query: none,
  body: none,
  replies: { 200: recoveryKitStatus },
  refuses: ['USERNAME_SIGN_IN_ONLY'],
  handle: ({ caller }, { recoveryKits }) => recoveryKits.status(caller),
})

export const createRecoveryKitOperation = operation({
  name: 'Create recovery kit',
  route: 'POST /v1/users/@me/recovery-kit',
  callers: accounts(),
  bucket: perUser('user:recovery_kit:change', { requests: 6, seconds: 60 }),
  params: none,
  query: none,
  body: none,
  sudo: alwaysSudo,
  replies: { 200: newRecoveryKit },
  refuses: ['USERNAME_SIGN_IN_ONLY'],
  handle: ({ caller }, { recoveryKits }) => recoveryKits.create(caller),
})

/** Shares its bucket with making one. */
export const deleteRecoveryKitOperation = operation({
  name: 'Delete own recovery kit',
  route: 'DELETE /v1/users/@me/recovery-kit',
  callers: accounts(),
  bucket: perUser('user:recovery_kit:change', { requests: 6, seconds: 60 }),
  params: none,
  query: none,
  body: none,
  sudo: alwaysSudo,
  replies: { 204: none },
  refuses: ['USERNAME_SIGN_IN_ONLY'],
  handle: ({ caller }, { recoveryKits }) => recoveryKits.revoke(caller),
})

export const resetByRecoveryKitOperation = operation({
  name: 'Reset password by recovery kit',
  route: 'POST /v1/auth/recovery-kit',
  callers: anyone(),
  bucket: perUser('auth:recovery_kit', { requests: 10, seconds: 60 }),
  params: none,
  query: none,
  body: kitReset,
  local: true,
  keepsNoText: true,
  replies: { 200: signInAnswer },
  refuses: [
    'INVALID_TOKEN',
    'IP_AUTHORIZATION_REQUIRED',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
    'UNKNOWN_USER',
    'USERNAME_SIGN_IN_ONLY',
  ],
  handle: ({ caller, body }, { recoveryKits }) => recoveryKits.reset(caller, body),
})
