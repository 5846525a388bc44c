import { accounts } from '../../callers.js'
import { perUser } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import {
  backupCodesOutput,
  challengeAnswer,
  challengeProof,
  challengeTicket,
  startedChallenge,
  verifiedBackupCodes,
} from '../../schemas/identity/mfa.js'

const minute_s = 60

export const startBackupCodesChallengeOperation = operation({
  name: 'Start backup codes challenge',
  route: 'POST /v1/users/@me/mfa/backup-codes/challenge',
  callers: accounts(),
  bucket: perUser('user:mfa:backup_codes_challenge:start', { requests: 6, seconds: minute_s }),
  params: none,
  query: none,
  body: none,
  replies: { 200: startedChallenge },
  refuses: ['EMAIL_UNAVAILABLE_ON_INSTANCE', 'MFA_EMAIL_VERIFICATION_REQUIRED', 'TWO_FACTOR_REQUIRED'],
  handle: ({ caller }, { secondFactors }) => secondFactors.startChallenge(caller),
})

export const resendBackupCodesChallengeOperation = operation({
  name: 'Resend backup codes challenge',
  route: 'POST /v1/users/@me/mfa/backup-codes/challenge/resend',
  callers: accounts(),
  bucket: perUser('user:mfa:backup_codes_challenge:resend', { requests: 6, seconds: minute_s }),
  params: none,
  query: none,
  body: challengeTicket,
  keepsNoText: true,
  replies: { 204: none },
  refuses: ['EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller, body }, { secondFactors }) => secondFactors.resendChallenge(caller, body.ticket),
})

export const verifyBackupCodesChallengeOperation = operation({
  name: 'Verify backup codes challenge',
  route: 'POST /v1/users/@me/mfa/backup-codes/challenge/verify',
  callers: accounts(),
  bucket: perUser('user:mfa:backup_codes_challenge:verify', { requests: 20, seconds: minute_s }),
  params: none,
  query: none,
  body: challengeAnswer,
  keepsNoText: true,
  replies: { 200: verifiedBackupCodes },
  refuses: ['EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller, body }, { secondFactors }) => secondFactors.verifyChallenge(caller, body.ticket, body.code),
})

export const regenerateBackupCodesOperation = operation({
  name: 'Regenerate backup codes by challenge',
  route: 'POST /v1/users/@me/mfa/backup-codes/challenge/regenerate',
  callers: accounts(),
  bucket: perUser('user:mfa:backup_codes_challenge:regenerate', { requests: 6, seconds: minute_s }),
  params: none,
  query: none,
  body: challengeProof,
  keepsNoText: true,
  replies: { 200: backupCodesOutput },
  refuses: ['EMAIL_UNAVAILABLE_ON_INSTANCE', 'TWO_FACTOR_REQUIRED'],
  handle: ({ caller, body }, { secondFactors }) => secondFactors.regenerateByChallenge(caller, body.ticket, body.proof),
})
