import {
  createRecoveryKit,
  getRecoveryKitStatus,
  revokeRecoveryKit,
} from '../../../../application/identity/recovery/recovery-kit.ts'
import { resetByRecoveryKit } from '../../../../application/identity/recovery/reset-by-recovery-kit.ts'
import { accounts, anyone } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { signInAnswer } from '../../schemas/identity/auth.ts'
import { kitReset, newRecoveryKit, recoveryKitStatus } from '../../schemas/identity/recovery-kit.ts'
import { alwaysSudo } from '../../sudo.ts'

/** The recovery kit of instances with sign-in by username. The paths are ours. */

const getRecoveryKitOperation = operation({
  name: 'Get recovery kit status',
  description: 'Whether the caller has a recovery kit.',
  route: 'GET /v1/users/@me/recovery-kit',
  callers: accounts(),
  signIn: 'username',
  bucket: perUser('user:recovery_kit', { requests: 20, seconds: 60 }),
  replies: { 200: recoveryKitStatus },
  useCase: getRecoveryKitStatus,
  handle: ({ caller }, run) => run(caller),
})

const createRecoveryKitOperation = operation({
  name: 'Create recovery kit',
  description: 'Makes a recovery kit for the caller; it replaces an earlier one.',
  route: 'POST /v1/users/@me/recovery-kit',
  callers: accounts(),
  signIn: 'username',
  bucket: perUser('user:recovery_kit:change', { requests: 6, seconds: 60 }),
  sudo: alwaysSudo,
  replies: { 200: newRecoveryKit },
  useCase: createRecoveryKit,
  handle: ({ caller }, run) => run(caller),
})

/** Shares its bucket with the operation that makes a kit. */
const deleteRecoveryKitOperation = operation({
  name: 'Delete own recovery kit',
  description: "Revokes the caller's recovery kit; does nothing without one.",
  route: 'DELETE /v1/users/@me/recovery-kit',
  callers: accounts(),
  signIn: 'username',
  bucket: perUser('user:recovery_kit:change', { requests: 6, seconds: 60 }),
  sudo: alwaysSudo,
  replies: { 204: none },
  useCase: revokeRecoveryKit,
  handle: ({ caller }, run) => run(caller),
})

const resetByRecoveryKitOperation = operation({
  name: 'Reset password by recovery kit',
  description: "Sets a new password by an account's recovery key, which works once.",
  route: 'POST /v1/auth/recovery-kit',
  callers: anyone(),
  signIn: 'username',
  bucket: perUser('auth:recovery_kit', { requests: 10, seconds: 60 }),
  body: kitReset,
  local: true,
  keepsNoText: true,
  replies: { 200: signInAnswer },
  refuses: [
    'ACCOUNT_SUSPENDED_PERMANENTLY',
    'ACCOUNT_SUSPENDED_TEMPORARILY',
    'INVALID_TOKEN',
    'IP_AUTHORIZATION_REQUIRED',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
    'UNKNOWN_USER',
  ],
  useCase: resetByRecoveryKit,
  handle: ({ caller, body }, run) => run(caller, body),
})

/** The recovery kit of an account. */
export const recoveryKitOperations: readonly Operation[] = [
  getRecoveryKitOperation,
  createRecoveryKitOperation,
  deleteRecoveryKitOperation,
  resetByRecoveryKitOperation,
]
