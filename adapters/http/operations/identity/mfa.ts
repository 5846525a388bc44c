import { backupCodes } from '../../../../application/identity/second-factors/backup-codes.ts'
import { disableTotp } from '../../../../application/identity/second-factors/disable-totp.ts'
import { enableTotp } from '../../../../application/identity/second-factors/enable-totp.ts'
import { accounts } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { backupCodesOutput, backupCodesWish, totpCode, totpSetUp } from '../../schemas/identity/mfa.ts'
import { alwaysSudo } from '../../sudo.ts'

const enableTotpOperation = operation({
  name: 'Enable TOTP',
  description: 'Turns TOTP on, mails the holder, and adds ten new backup codes to the existing ones.',
  route: 'POST /v1/users/@me/mfa/totp/enable',
  callers: accounts(),
  bucket: perUser('user:mfa:totp:enable', { requests: 10, seconds: 60 }),
  body: totpSetUp,
  sudo: alwaysSudo,
  keepsNoText: true,
  replies: { 200: backupCodesOutput },
  refuses: ['MFA_EMAIL_VERIFICATION_REQUIRED', 'TWO_FA_NOT_ENABLED'],
  useCase: enableTotp,
  handle: ({ caller, body }, run) => run(caller, body),
})

const disableTotpOperation = operation({
  name: 'Disable TOTP',
  description: "Turns TOTP off by an authenticator's code or a backup code.",
  route: 'POST /v1/users/@me/mfa/totp/disable',
  callers: accounts(),
  bucket: perUser('user:mfa:totp:disable', { requests: 10, seconds: 60 }),
  body: totpCode,
  sudo: alwaysSudo,
  keepsNoText: true,
  replies: { 204: none },
  refuses: ['TWO_FACTOR_REQUIRED'],
  useCase: disableTotp,
  handle: ({ caller, body }, run) => run(caller, body.code),
})

const getBackupCodesOperation = operation({
  name: 'Get MFA backup codes',
  description: "Shows the caller's backup codes, or replaces them first.",
  route: 'POST /v1/users/@me/mfa/backup-codes',
  callers: accounts(),
  bucket: perUser('user:mfa:backup_codes', { requests: 6, seconds: 60 }),
  body: backupCodesWish,
  sudo: alwaysSudo,
  keepsNoText: true,
  replies: { 200: backupCodesOutput },
  refuses: ['TWO_FACTOR_REQUIRED'],
  useCase: backupCodes,
  handle: ({ caller, body }, run) => run(caller, body.regenerate),
})

/** Second factors of an account. */
export const mfaOperations: readonly Operation[] = [enableTotpOperation, disableTotpOperation, getBackupCodesOperation]
