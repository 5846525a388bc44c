import { accounts } from '../../callers.js'
import { perUser } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import { backupCodesOutput, backupCodesWish, sudoMethods, totpCode, totpSetUp } from '../../schemas/identity/mfa.js'
import { alwaysSudo } from '../../sudo.js'

export const enableTotpOperation = operation({
  name: 'Enable TOTP',
  route: 'POST /v1/users/@me/mfa/totp/enable',
  callers: accounts(),
  bucket: perUser('user:mfa:totp:enable', { requests: 10, seconds: 60 }),
  params: none,
  query: none,
  body: totpSetUp,
  sudo: alwaysSudo,
  keepsNoText: true,
  replies: { 200: backupCodesOutput },
  refuses: ['MFA_EMAIL_VERIFICATION_REQUIRED', 'TWO_FA_NOT_ENABLED'],
  handle: ({ caller, body }, { secondFactors }) => secondFactors.enableTotp(caller, body),
})

export const disableTotpOperation = operation({
  name: 'Disable TOTP',
  route: 'POST /v1/users/@me/mfa/totp/disable',
  callers: accounts(),
  bucket: perUser('user:mfa:totp:disable', { requests: 10, seconds: 60 }),
  params: none,
  query: none,
  body: totpCode,
  sudo: alwaysSudo,
  keepsNoText: true,
  replies: { 204: none },
  refuses: ['TWO_FACTOR_REQUIRED'],
  handle: ({ caller, body }, { secondFactors }) => secondFactors.disableTotp(caller, body.code),
})

export const getBackupCodesOperation = operation({
  name: 'Get MFA backup codes',
  route: 'POST /v1/users/@me/mfa/backup-codes',
  callers: accounts(),
  bucket: perUser('user:mfa:backup_codes', { requests: 6, seconds: 60 }),
  params: none,
  query: none,
  body: backupCodesWish,
  sudo: alwaysSudo,
  keepsNoText: true,
  replies: { 200: backupCodesOutput },
  refuses: ['TWO_FACTOR_REQUIRED'],
  handle: ({ caller, body }, { secondFactors }) => secondFactors.backupCodes(caller, body.regenerate),
})

export const listSudoMethodsOperation = operation({
  name: 'List sudo MFA methods',
  route: 'GET /v1/users/@me/sudo/mfa-methods',
  callers: accounts(),
  bucket: perUser('sudo:mfa:methods', { requests: 20, seconds: 60 }),
  params: none,
  query: none,
  body: none,
  replies: { 200: sudoMethods },
  handle: ({ caller }, { sudo }) => sudo.methods(caller),
})
